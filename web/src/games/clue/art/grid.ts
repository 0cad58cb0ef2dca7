/**
 * The mansion as a picture: the same grid as src/whodunit/games/clue/facts.py (grid.test.ts compares
 * the two files), and outlines computed from it. One unit is one square; nothing here is a rule.
 */
import type { Room } from '../types'

export type { Room }

export interface Cell {
  readonly row: number
  readonly col: number
}

export type Point = readonly [x: number, y: number]

/** The side of a square on which something happens, named by the arrow in the grid. */
export type Side = '^' | 'v' | '<' | '>'

export interface Door extends Cell {
  readonly side: Side
  readonly room: Room
}

export const BOARD: readonly string[] = [
  'SSSSSS#.#HHHHHH#1#LLLLLL',
  'SSSSSSS..HHHHHH..LLLLLLL',
  'SSSSSSS..HHHHHH..LLLLLLL',
  'SSSSSSS..HHHHHH..LLLLLLL',
  '#.....^.>HHHHHH..LLLLLLL',
  '6........HHHHHH..LLLLLLL',
  '#YYYYY...HHHHHH..^.....#',
  'YYYYYYY....^^..........2',
  'YYYYYYY<.XXXXX...v.....#',
  'YYYYYYY..XXXXX..DDDDDDDD',
  '#YYYYY...XXXXX..DDDDDDDD',
  '#v.^.....XXXXX..DDDDDDDD',
  'RRRRRR...XXXXX.>DDDDDDDD',
  'RRRRRR...XXXXX..DDDDDDDD',
  'RRRRRR...XXXXX..DDDDDDDD',
  'RRRRRR<............DDDDD',
  'RRRRRR...v....v........#',
  '#.......BBBBBBBB...v....',
  '5.......BBBBBBBB..KKKKK#',
  '#CCCCv.>BBBBBBBB<.KKKKKK',
  'CCCCCC..BBBBBBBB..KKKKKK',
  'CCCCCC..BBBBBBBB..KKKKKK',
  'CCCCCC..BBBBBBBB..KKKKKK',
  'CCCCCC#...BBBB...#KKKKKK',
  '#########4####3#########',
]

export const WIDTH = 24
export const HEIGHT = 25

const LETTERS: Readonly<Record<Room, string>> = {
  Study: 'S',
  Hall: 'H',
  Lounge: 'L',
  Library: 'Y',
  BilliardRoom: 'R',
  DiningRoom: 'D',
  Conservatory: 'C',
  Ballroom: 'B',
  Kitchen: 'K',
}

export const ROOMS = Object.keys(LETTERS) as readonly Room[]

const ALL: readonly Cell[] = BOARD.flatMap((line, row) => [...line].map((_, col) => ({ row, col })))

/** What stands at a cell; outside the grid is the same as "no part of the board". */
export function mark(row: number, col: number): string {
  return BOARD[row]?.[col] ?? '#'
}

function cellsMarked(marks: string): readonly Cell[] {
  return ALL.filter(({ row, col }) => marks.includes(mark(row, col)))
}

export const roomCells = (room: Room): readonly Cell[] => cellsMarked(LETTERS[room])
export const STAIRS: readonly Cell[] = cellsMarked('X')
export const GARDEN: readonly Cell[] = cellsMarked('#')
const WALKED = '.123456^v<>'
export const CORRIDOR: readonly Cell[] = cellsMarked(WALKED)

const AHEAD: Readonly<Record<Side, Point>> = { '^': [0, -1], v: [0, 1], '<': [-1, 0], '>': [1, 0] }

/** The squares of the corridor that touch a cell: above, left, right, below. */
export const beside = ({ row, col }: Cell): readonly Cell[] =>
  [AHEAD['^'], AHEAD['<'], AHEAD['>'], AHEAD.v]
    .map(([x, y]) => ({ row: row + y, col: col + x }))
    .filter((cell) => WALKED.includes(mark(cell.row, cell.col)))

const isSide = (text: string): text is Side => text in AHEAD

export const DOORS: readonly Door[] = cellsMarked('^v<>').map(({ row, col }) => {
  const side = mark(row, col)
  if (!isSide(side)) throw new Error(`no door at ${String(row)}, ${String(col)}`)
  const [x, y] = AHEAD[side]
  const room = ROOMS.find((name) => LETTERS[name] === mark(row + y, col + x))
  if (room === undefined) throw new Error(`door to nowhere at ${String(row)}, ${String(col)}`)
  return { row, col, side, room }
})

/** In the order of the digits, which is the order of the six identities. */
export const STARTS: readonly Cell[] = [...'123456'].map((digit) => {
  const [cell] = cellsMarked(digit)
  if (cell === undefined) throw new Error(`no start ${digit}`)
  return cell
})

/** A number for each point of the grid and of one row and column round it: thousands are compared while a board is drawn. */
const key = ([x, y]: Point): number => y * 100 + x

/** The two ends of a cell's side, clockwise round the cell. */
export function edge({ row, col }: Cell, side: Side): readonly [Point, Point] {
  switch (side) {
    case '^':
      return [
        [col, row],
        [col + 1, row],
      ]
    case '>':
      return [
        [col + 1, row],
        [col + 1, row + 1],
      ]
    case 'v':
      return [
        [col + 1, row + 1],
        [col, row + 1],
      ]
    case '<':
      return [
        [col, row + 1],
        [col, row],
      ]
  }
}

/** The border of a set of cells as closed loops of unit steps, clockwise, cells always to the right. */
export function borders(cells: readonly Cell[]): readonly (readonly Point[])[] {
  const inside = new Set(cells.map(({ row, col }) => key([col, row])))
  const next = new Map<number, Point[]>()
  for (const cell of cells) {
    for (const side of ['^', '>', 'v', '<'] as const) {
      const [x, y] = AHEAD[side]
      if (inside.has(key([cell.col + x, cell.row + y]))) continue
      const [from, to] = edge(cell, side)
      next.set(key(from), [...(next.get(key(from)) ?? []), to])
    }
  }
  const loops: Point[][] = []
  for (const start of [...next.keys()]) {
    // Where two cells touch only by a corner, two edges leave one point: take either, both loops close.
    let to = next.get(start)?.pop()
    if (to === undefined) continue
    const loop: Point[] = []
    while (to !== undefined) {
      loop.push(to)
      to = next.get(key(to))?.pop()
    }
    loops.push(loop)
  }
  return loops
}

/** Drops the points in the middle of straight runs. */
function corners(line: readonly Point[], closed: boolean): readonly Point[] {
  return line.filter((point, at) => {
    const before = line[at - 1] ?? (closed ? line[line.length - 1] : undefined)
    const after = line[at + 1] ?? (closed ? line[0] : undefined)
    if (before === undefined || after === undefined) return true
    return (point[0] - before[0]) * (after[1] - point[1]) !== (point[1] - before[1]) * (after[0] - point[0])
  })
}

const draw = (line: readonly Point[]): string => 'M' + line.map(([x, y]) => `${String(x)} ${String(y)}`).join('L')

/** A filled shape: path data of the whole outline. */
export function outline(cells: readonly Cell[]): string {
  return borders(cells)
    .map((loop) => `${draw(corners(loop, true))}Z`)
    .join('')
}

/** The walls: the outline without the doorways, each piece running from doorway to doorway. */
export function walls(cells: readonly Cell[], doors: readonly Door[]): string {
  const ways = new Set(doors.map((door) => edge(door, door.side).map(key).sort().join(' ')))
  const isWay = (from: Point, to: Point): boolean => ways.has([key(from), key(to)].sort().join(' '))
  return borders(cells)
    .map((loop) => wallsOf(loop, isWay))
    .join('')
}

function wallsOf(loop: readonly Point[], isWay: (from: Point, to: Point) => boolean): string {
  const at = (index: number): Point => loop[index % loop.length] ?? [0, 0]
  const first = loop.findIndex((point, index) => isWay(point, at(index + 1)))
  if (first < 0) return `${draw(corners(loop, true))}Z`
  const pieces: Point[][] = []
  let piece: Point[] = []
  for (let step = first + 1; step <= first + loop.length; step += 1) {
    piece.push(at(step))
    if (!isWay(at(step), at(step + 1))) continue
    if (piece.length > 1) pieces.push(piece)
    piece = []
  }
  return pieces.map((line) => draw(corners(line, false))).join('')
}

/** The middle of a doorway, and where its arrow points, in degrees clockwise from up. */
export function doorway(door: Door): { readonly x: number; readonly y: number; readonly turn: number } {
  const [x, y] = AHEAD[door.side]
  const turn = { '^': 0, '>': 90, v: 180, '<': 270 }[door.side]
  return { x: door.col + 0.5 + x / 2, y: door.row + 0.5 + y / 2, turn }
}
