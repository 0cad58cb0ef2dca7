import type { Colour, Dropped, Exposed, Resting } from './types'

/** A storey, from 0, the ground floor, to 7 under the roof. */
export type Floor = number

/** From the roof down, as one looks at the hotel. */
export const FLOORS: readonly Floor[] = [7, 6, 5, 4, 3, 2, 1, 0]
/** The players' by seat, then the victims'. */
const COLOURS: readonly Colour[] = ['yellow', 'blue', 'brown', 'gray', 'black', 'white', 'red']
/** Who owns a victim: nobody who sits here. */
export const VICTIM = -1

export const ownerOf = (colour: Colour): number => (colour === 'red' ? VICTIM : COLOURS.indexOf(colour))
export const colourOf = (owner: number): Colour => COLOURS.at(owner) as Colour

/** Which of the six identities a seat wears: the one whose colour comes nearest its cubes' in the box. */
const WORN = [1, 4, 0, 3, 5, 2]
export const wornBy = (seat: number): number => WORN[seat] ?? 0

/** How many of each owner there are, owners in the order of their seats and victims last. */
export function counted(colours: readonly Colour[]): { owner: number; count: number }[] {
  const owners = colours.map(ownerOf)
  return [...new Set(owners)]
    .sort((a, b) => (a < 0 ? 99 : a) - (b < 0 ? 99 : b))
    .map((owner) => ({ owner, count: owners.filter((other) => other === owner).length }))
}

// --- The measures of the tower, in millimetres (whodunit/tower/facts.py) -----------------------------------------

export const STOREY = 31
export const CUBE = 8
export const HOLE = 23
/** The outer side of each box, from the ground up. */
export const SIDES = Array.from({ length: 8 }, (_, box) => 124 - 9 * box + 8)

/** Where a cube lies: its centre, and its turn as a quaternion, w first. */
export interface Lying {
  owner: number
  at: readonly [number, number, number]
  turn: readonly [number, number, number, number]
}

const FLAT = [1, 0, 0, 0] as const

/** Where the cubes of an open floor lie; a tower without physics has no places, so they stand in rows. */
export function lyingOn(floor: Floor, found: Exposed['found']): Lying[] {
  return found.map(({ colour, at }, nth) => {
    const owner = ownerOf(colour)
    const [x, y, z, ...turn] = at
    if (x === undefined || y === undefined || z === undefined) return { owner, at: row(floor, nth), turn: FLAT }
    return { owner, at: [x, y, z], turn: turn.length === 4 ? (turn as unknown as Lying['turn']) : FLAT }
  })
}

/** Places round the hole, the front corner first, for cubes that have none of their own. */
function row(floor: Floor, nth: number): [number, number, number] {
  const step = 13
  const places = [
    [2, -2],
    [1, -2],
    [2, -1],
    [0, -2],
    [2, 0],
    [-1, -2],
    [2, 1],
    [-2, -2],
    [2, 2],
    [-2, -1],
    [1, 2],
    [-2, 0],
    [0, 2],
    [-2, 1],
    [-1, 2],
    [-2, 2],
  ] as const
  const [x, y] = places[nth % places.length] as readonly [number, number]
  const storey = Math.floor(nth / places.length)
  return [x * step, y * step, STOREY * floor + CUBE / 2 + CUBE * storey]
}

const KINDS = 8

/** Whose a cube of the closed case is, where it lies and how: all of it stands in the tower's record. */
export function restingOn(floor: Floor, resting: readonly Resting[]): Lying[] {
  return resting
    .filter(([, on]) => on === floor)
    .map(([cube, , pose], nth) => {
      const owner = (cube % KINDS) - 1
      const numbers = unpacked(pose)
      if (!numbers) return { owner, at: row(floor, nth), turn: FLAT }
      const [x, y, z, ...turn] = numbers as [number, number, number, number, number, number, number]
      return { owner, at: [x * 1000, y * 1000, z * 1000], turn }
    })
}

function unpacked(pose: string): number[] | null {
  if (!pose) return null
  const bytes = Uint8Array.from(atob(pose), (letter) => letter.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  return Array.from({ length: 7 }, (_, place) => view.getFloat32(4 * place, true))
}

/**
 * A cube's place and turn as CSS wants it, in units of `mm` pixels. CSS counts y downwards, so what the tower calls y is
 * mirrored, and with it the turn. `grown` draws it larger than life, still standing on its floor.
 */
export function matrixOf({ at: [x, y, z], turn: [w, i, j, k] }: Lying, mm: number, floor: Floor, grown: number) {
  const base = STOREY * floor
  const centre = [x * mm, -y * mm, (base + (z - base) * grown) * mm]
  const columns = [
    [1 - 2 * (j * j + k * k), -2 * (i * j + k * w), 2 * (i * k - j * w)],
    [-2 * (i * j - k * w), 1 - 2 * (i * i + k * k), -2 * (j * k + i * w)],
    [2 * (i * k + j * w), -2 * (j * k - i * w), 1 - 2 * (i * i + j * j)],
  ]
  const numbers = [...columns.flatMap((column) => [...column, 0]), ...centre, 1]
  return `matrix3d(${numbers.map((number) => Number(number.toFixed(4))).join(',')})`
}

/** A drop with its place in the log, and how many came before it. */
export interface Drop {
  nth: number
  seq: number
  seat: number
  owner: number
  why: Dropped['why']
  clip: string
}
