import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import de from '@games-texts/clue/texts/de.json'
import en from '@games-texts/clue/texts/en.json'
import { CORRIDOR, mark, roomCells } from './art/grid'
import { nearestDoor, squareName, towards, wayName, wayTo, WIDTH, type Words } from './places'

const square = (row: number, column: number) => row * WIDTH + column
const speaking =
  (texts: Record<string, string>): Words =>
  (key, params = {}) =>
    (
      texts[params.count === undefined ? key : `${key}.${params.count === 1 ? 'one' : 'other'}`] ?? `missing ${key}`
    ).replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))

describe('the way to a square', () => {
  it('is told from where I stand', () => {
    expect(wayName(square(4, 8), square(7, 7), speaking(en))).toBe('3 up, 1 right')
    expect(wayName(square(9, 7), square(7, 7), speaking(en))).toBe('2 down')
    expect(wayName(square(7, 4), square(7, 7), speaking(de))).toBe('3 links')
  })
  it('begins at a door when I stand in a room', () => {
    expect(wayTo(square(6, 18), 'Lounge')).toEqual({ up: 0, right: 1, door: null })
    expect(wayName(square(6, 17), 'Lounge', speaking(en))).toBe('just outside')
  })
  it('says which door, where there are several', () => {
    expect(wayName(square(9, 7), 'Library', speaking(en))).toBe('1 down of door 1')
  })
  it('differs for all squares of one throw out of a room with four doors', () => {
    const squares = [square(16, 8), square(16, 10), square(16, 13), square(16, 15), square(18, 7), square(18, 16)]
    expect(new Set(squares.map((one) => wayName(one, 'Ballroom', speaking(en)))).size).toBe(squares.length)
  })
})

describe('the names of squares', () => {
  it('tell what they lie by', () => {
    expect(squareName(square(4, 8), speaking(en))).toBe('by the door of the Hall')
    expect(squareName(square(4, 7), speaking(en))).toBe('one square from the door of the Study')
    expect(squareName(square(15, 11), speaking(de))).toBe('3 Felder vor der Tür zum Ballsaal')
    expect(squareName(square(7, 23), speaking(en))).toBe('on the start square of Col. Mustard')
    expect(squareName(square(7, 23), speaking(en), 'White')).toBe('on the start square of Col. Mustard')
    expect(squareName(square(7, 23), speaking(en), 'Mustard')).toBe('at the start')
  })
  it('are those of the rules, square by square', () => {
    const drawn = readFileSync(resolve('../tests/games/clue/doors.txt'), 'utf8').split('\n')
    const named = CORRIDOR.map(({ row, col }) => {
      const { room, steps } = nearestDoor(square(row, col)) ?? { room: 'Hall', steps: -1 }
      const [inside] = roomCells(room)
      return `${inside ? mark(inside.row, inside.col) : ''}${steps}`
    })
    expect(named).toEqual(CORRIDOR.map(({ row, col }) => drawn[row]?.slice(2 * col, 2 * col + 2)))
  })
})

describe('arrow keys on the board', () => {
  const places = [square(4, 4), square(4, 8), square(9, 4), 'Hall'] as const
  it('go to what lies in their direction', () => {
    expect(towards(places, square(4, 4), [1, 0])).toBe(square(4, 8))
    expect(towards(places, square(4, 4), [0, 1])).toBe(square(9, 4))
    expect(towards(places, square(4, 8), [1, 0])).toBe('Hall')
  })
  it('stay where nothing lies', () => {
    expect(towards(places, square(4, 4), [-1, 0])).toBeNull()
  })
})
