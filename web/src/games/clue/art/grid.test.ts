import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  BOARD,
  borders,
  CORRIDOR,
  DOORS,
  doorway,
  GARDEN,
  HEIGHT,
  outline,
  roomCells,
  ROOMS,
  STAIRS,
  STARTS,
  walls,
  WIDTH,
} from './grid'

describe('the grid', () => {
  it('is the one of the rules', () => {
    const facts = readFileSync(resolve('../src/whodunit/games/clue/facts.py'), 'utf8')
    const rows = /^BOARD: Final = \(\n([\s\S]*?)^\)/m.exec(facts)?.[1] ?? ''
    expect([...rows.matchAll(/"(.*)"/g)].map(([, row]) => row)).toEqual(BOARD)
  })

  it('has every cell in exactly one kind', () => {
    const rooms = ROOMS.flatMap(roomCells)
    expect(BOARD.map((row) => row.length)).toEqual(Array<number>(HEIGHT).fill(WIDTH))
    expect(rooms.length + STAIRS.length + GARDEN.length + CORRIDOR.length).toBe(WIDTH * HEIGHT)
    expect(CORRIDOR.length).toBe(188)
  })

  it('has 17 doors, those of each room', () => {
    expect(DOORS.length).toBe(17)
    expect(ROOMS.map((room) => DOORS.filter((door) => door.room === room).length)).toEqual([1, 3, 1, 2, 2, 2, 1, 4, 1])
  })

  it('has the starts in the order of the identities', () => {
    expect(STARTS.map(({ row, col }) => [row, col])).toEqual([
      [0, 16],
      [7, 23],
      [24, 14],
      [24, 9],
      [18, 0],
      [5, 0],
    ])
  })
})

describe('outlines', () => {
  it('go clockwise round one cell', () => {
    expect(outline([{ row: 2, col: 3 }])).toBe('M4 2L4 3L3 3L3 2Z')
  })

  it('keep only corners', () => {
    expect(
      outline([
        { row: 0, col: 0 },
        { row: 0, col: 1 },
        { row: 1, col: 0 },
      ]),
    ).toBe('M2 0L2 1L1 1L1 2L0 2L0 0Z')
  })

  it('close round cells that touch by a corner', () => {
    const loops = borders([
      { row: 0, col: 0 },
      { row: 1, col: 1 },
    ])
    expect(loops.reduce((sum, loop) => sum + loop.length, 0)).toBe(8)
  })

  it('are one loop for every room', () => {
    for (const room of ROOMS) expect(borders(roomCells(room)).length, room).toBe(1)
  })

  it('give each room its corners', () => {
    const corners = ROOMS.map((room) => outline(roomCells(room)).split('L').length)
    expect(corners).toEqual([6, 4, 6, 12, 4, 6, 8, 8, 6])
  })
})

describe('walls', () => {
  it('leave the doorways open: their length is the border less one for each door', () => {
    for (const room of ROOMS) {
      const doors = DOORS.filter((door) => door.room === room)
      const border = borders(roomCells(room)).reduce((sum, loop) => sum + loop.length, 0)
      expect(length(walls(roomCells(room), doors)), room).toBe(border - doors.length)
    }
  })

  it('stand closed without doors', () => {
    expect(walls(STAIRS, [])).toBe(outline(STAIRS))
  })

  it('have the doorway on the side of the arrow', () => {
    const hall = DOORS.find((door) => door.row === 4 && door.col === 8)
    expect(hall && doorway(hall)).toEqual({ x: 9, y: 4.5, turn: 90 })
  })
})

function length(path: string): number {
  let total = 0
  for (const line of path.split('M').filter(Boolean)) {
    const points = line
      .replace('Z', '')
      .split('L')
      .map((point) => point.split(' ').map(Number))
    for (let at = 1; at < points.length; at += 1) {
      const [x = 0, y = 0] = points[at] ?? []
      const [fromX = 0, fromY = 0] = points[at - 1] ?? []
      total += Math.abs(x - fromX) + Math.abs(y - fromY)
    }
  }
  return total
}
