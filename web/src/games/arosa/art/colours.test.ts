import { expect, test } from 'vitest'
import { distance, VISION } from '../../../lib/colour.testing'
import { IDENTITIES } from '../../../lib/seats'
import { inkOf } from './colours'

test.each(['normal', 'red-blind', 'green-blind', 'blue-blind'])('a victim is no seat to %s eyes', (vision) => {
  const apart = IDENTITIES.map(({ fill }) =>
    distance(fill, inkOf(null).fill, VISION[vision] as (typeof VISION)[string]),
  )

  expect(Math.min(...apart)).toBeGreaterThan(14)
})
