import { describe, expect, it } from 'vitest'
import { CARDS, NEAR, PLACES, roomsOf, targetOf, towards, worthOf } from './hotel'
import type { Options } from './types'

describe('the places of a guess', () => {
  it('are 3 floors, 9 columns and 27 rooms', () => {
    expect(new Set(PLACES).size).toBe(39)
    expect(roomsOf('floor 2')).toEqual(CARDS.slice(9, 18))
    expect(roomsOf('column 7')).toEqual([17, 27, 37])
    expect(roomsOf('room 27')).toEqual([27])
  })

  it('score what the table agreed', () => {
    const options = { floor_points: 1, column_points: 4, room_points: 9 } as Options
    expect(['floor 1', 'column 1', 'room 11'].map((place) => worthOf(place, options))).toEqual([1, 4, 9])
  })

  it('have targets that do not meet, all of them on the small front', () => {
    const boxes = PLACES.map(targetOf)
    for (const [place, one] of boxes.entries()) {
      expect(one.x).toBeGreaterThanOrEqual(NEAR.x)
      expect(one.x + one.width).toBeLessThanOrEqual(NEAR.x + NEAR.width)
      for (const other of boxes.slice(place + 1)) {
        const aside = one.x + one.width <= other.x || other.x + other.width <= one.x
        const apart = one.y + one.height <= other.y || other.y + other.height <= one.y
        expect(aside || apart).toBe(true)
      }
    }
  })

  it('are all reached by arrows', () => {
    const reached = new Set(['room 25'])
    for (const place of reached) {
      for (const step of [
        [0, 1],
        [0, -1],
        [1, 0],
        [-1, 0],
      ] as const) {
        const next = towards(PLACES, place, step)
        if (next) reached.add(next)
      }
    }
    expect(reached.size).toBe(39)
    expect(towards(PLACES, 'room 25', [0, -1])).toBe('room 35')
    expect(towards(PLACES, 'room 31', [-1, 0])).toBe('floor 3')
    expect(towards(PLACES, 'room 35', [0, -1])).toBe('column 5')
    expect(towards(PLACES, 'room 19', [1, 0])).toBe(null)
  })
})
