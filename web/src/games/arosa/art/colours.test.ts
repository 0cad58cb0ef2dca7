import { expect, test } from 'vitest'
import { distance, VISION } from '../../../lib/colour.testing'
import { IDENTITIES } from '../../../lib/seats'
import { inkOf } from './colours'

const TEXTS = import.meta.glob<Record<string, string>>('../../../../../src/whodunit/games/arosa/texts/*.json', {
  eager: true,
  import: 'default',
})

test.each(['normal', 'red-blind', 'green-blind', 'blue-blind'])('a victim is no seat to %s eyes', (vision) => {
  const apart = IDENTITIES.map(({ fill }) =>
    distance(fill, inkOf(null).fill, VISION[vision] as (typeof VISION)[string]),
  )

  expect(Math.min(...apart)).toBeGreaterThan(14)
})

test.each(Object.entries(TEXTS))('no colour of a player reads like that of the victims in %s', (_, texts) => {
  const names = ['yellow', 'blue', 'brown', 'gray', 'black', 'white'].map((colour) => texts[`term.${colour}`])

  expect(names).not.toContain(undefined)
  expect(new Set(names).size).toBe(names.length)
  expect(names.join(' ')).not.toMatch(
    /red|rot|rouge|rød|scarlet|scharlach|écarlate|skarlagen|plum|pflaume|prune|plomme/i,
  )
})
