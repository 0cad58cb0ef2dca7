import { render } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import { IDENTITIES } from '../lib/seats'
import Door from './Door.svelte'
import SeatBadge from './SeatBadge.svelte'
import { SEAT_LETTERS, SEAT_SHAPES } from './seatShapes'

describe('a seat badge', () => {
  it('has a shape and a letter for every identity, and no two alike', () => {
    const shapes = IDENTITIES.map(({ shape }) => SEAT_SHAPES[shape].outline)
    expect(new Set(shapes).size).toBe(6)
    for (const { letter } of IDENTITIES) expect(SEAT_LETTERS[letter]).toBeDefined()
  })

  it('drops the letter below 18 px and keeps the shape', () => {
    const paths = (size: number) => render(SeatBadge, { identity: 1, size }).container.querySelectorAll('path').length
    expect([paths(18), paths(17)]).toEqual([2, 1])
  })

  it('is silent unless it stands alone', () => {
    const quiet = render(SeatBadge, { identity: 0 }).container.querySelector('svg')
    expect(quiet?.getAttribute('aria-hidden')).toBe('true')
    const alone = render(SeatBadge, { identity: 0, label: 'Ada' }).container.querySelector('svg')
    expect([alone?.getAttribute('role'), alone?.getAttribute('aria-label')]).toEqual(['img', 'Ada'])
    expect(alone?.hasAttribute('aria-hidden')).toBe(false)
  })
})

it('doors on one page do not share the ids of their glow', () => {
  const ids = (['clue', 'arosa'] as const).map(
    (door) => render(Door, { door }).container.querySelector('radialGradient')?.id,
  )
  expect(new Set(ids).size).toBe(2)
})
