import { expect, it } from 'vitest'
import { contrast } from '../../../lib/colour.testing'
import { LOCATIONS } from '../things'
import { CLOCKS, INK, LAMP, PALE, ROOMS, SKY } from './ship'

it('the names of the rooms can be read, lit or not', () => {
  for (const { fill } of Object.values(ROOMS)) expect(contrast(INK, fill)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(INK, LAMP)).toBeGreaterThanOrEqual(4.5)
})

it('the hours can be read against the sky, lit or not', () => {
  for (const ink of [PALE, LAMP]) expect(contrast(ink, SKY)).toBeGreaterThanOrEqual(4.5)
})

it('nothing on the ship covers anything else', () => {
  const rooms = LOCATIONS.map((place) => ({ ...ROOMS[place], height: 44 }))
  const clocks = Object.values(CLOCKS).map((at) => ({ ...at, width: 56, height: 80 }))
  const boxes = [...rooms, ...clocks]
  for (const [place, a] of boxes.entries()) {
    for (const b of boxes.slice(place + 1)) {
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
      expect([a, b, apart]).toEqual([a, b, true])
    }
  }
})
