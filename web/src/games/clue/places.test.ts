import { describe, expect, it } from 'vitest'
import de from '@games-texts/clue/texts/de.json'
import en from '@games-texts/clue/texts/en.json'
import { squareName, towards, wayTo, WIDTH, type Words } from './places'

const square = (row: number, column: number) => row * WIDTH + column
const speaking =
  (texts: Record<string, string>): Words =>
  (key, params = {}) =>
    (texts[key] ?? `missing ${key}`).replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))

describe('the names of squares', () => {
  it('tell the way from where I stand', () => {
    expect(squareName(square(4, 8), square(7, 7), speaking(en))).toBe('3 up, 1 right, by the door of the Hall')
    expect(squareName(square(9, 7), square(7, 7), speaking(en))).toBe('2 down')
    expect(squareName(square(7, 4), square(7, 7), speaking(de))).toBe('3 links')
  })
  it('begin at a door when I stand in a room', () => {
    expect(wayTo(square(6, 18), 'Lounge')).toEqual({ up: 0, right: 1, door: null, at: null })
    expect(squareName(square(6, 17), 'Lounge', speaking(en))).toBe('just outside, by the door of the Lounge')
  })
  it('say which door, where there are several', () => {
    expect(squareName(square(9, 7), 'Library', speaking(en))).toBe('1 down of door 1')
  })
  it('are all different for one throw out of a room with four doors', () => {
    const squares = [square(16, 8), square(16, 10), square(16, 13), square(16, 15), square(18, 7), square(18, 16)]
    expect(new Set(squares.map((one) => squareName(one, 'Ballroom', speaking(en)))).size).toBe(squares.length)
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
