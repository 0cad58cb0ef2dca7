import { render } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import { contrast } from '../../../lib/colour.testing'
import { IDENTITIES } from '../../../lib/seats'
import Front from './Front.svelte'
import MeepleIcon from './MeepleIcon.svelte'
import { CREAM, DARK, FLOOR_FILLS, FLOOR_INKS, INK, LIT } from './palette'

const front = (more: object = {}) =>
  render(Front, {
    lit: [11, 27],
    guesses: [['room 37'], ['room 37', 'floor 2']],
    identities: [0, 1],
    unit: 1,
    sign: 'HOTEL',
    points: '2 pts',
    hidden: ['he', 'face down'],
    ...more,
  }).container

describe('the front of the hotel', () => {
  it('has a window for every room, and tells the lit ones from the dark', () => {
    const root = front()
    expect(
      [...root.querySelectorAll('text')].filter(({ textContent }) => /^[123][1-9]$/.test(textContent)),
    ).toHaveLength(27)
    expect(root.querySelectorAll('g.lit')).toHaveLength(2)
    expect(root.querySelectorAll('g.found')).toHaveLength(0)
    expect(front({ found: 37 }).querySelectorAll('g.found')).toHaveLength(1)
  })

  it('shows every meeple, also where two share a place', () => {
    expect(front().querySelectorAll('g.meeple')).toHaveLength(3)
  })

  it.each([0.35, 0.54, 1, 1.3])('lets the number of a column be read below whoever stands there, at %d', (unit) => {
    const root = front({ unit, guesses: [['column 1', 'column 9'], ['column 1'], ['column 1']] })
    for (const meeple of root.querySelectorAll('g.meeple')) {
      const [, top = NaN, scale = NaN] = [...(meeple.getAttribute('transform') ?? '').matchAll(/-?[\d.]+/g)].map(Number)
      const plate = root.querySelector('circle[cy="98"]')
      expect(top + 36 * scale).toBeLessThanOrEqual(98 - Number(plate?.getAttribute('r')) + 0.01)
    }
    expect(root.querySelectorAll('g.meeple')).toHaveLength(4)
  })

  it('never writes smaller than 12 px', () => {
    for (const unit of [0.35, 0.5, 0.65, 0.8, 1]) {
      for (const text of front({ unit, near: unit < 0.8 }).querySelectorAll('text')) {
        expect(Number(text.getAttribute('font-size')) * unit).toBeGreaterThanOrEqual(12)
      }
    }
  })

  it('can be read: letters on their ground', () => {
    for (const floor of [1, 2, 3]) {
      expect(contrast(FLOOR_INKS[floor] ?? '', FLOOR_FILLS[floor] ?? '')).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(INK, LIT)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(CREAM, DARK)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(LIT, DARK)).toBeGreaterThanOrEqual(3)
  })
})

it('a meeple has the shape of its seat, and its letter where there is room', () => {
  const paths = (identity: number, size: number) =>
    [...render(MeepleIcon, { identity, size }).container.querySelectorAll('path')].map((path) => path.getAttribute('d'))
  expect(new Set(IDENTITIES.map((_, seat) => paths(seat, 26)[1])).size).toBe(IDENTITIES.length)
  expect([paths(0, 26).length, paths(0, 17).length]).toEqual([3, 2])
})
