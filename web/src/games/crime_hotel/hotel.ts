import type { Department, Options } from './types'

/** A room and its card: the tens are the floor, the units the column. */
export type Card = number
/** Where a guess can stand: "floor 2", "column 7", "room 27". */
export type Place = string
export type Kind = 'floor' | 'column' | 'room'

/** As one sees them, from the roof down. */
export const FLOORS = [3, 2, 1] as const
export const COLUMNS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
export const CARDS: readonly Card[] = [...FLOORS].reverse().flatMap((floor) => COLUMNS.map((each) => 10 * floor + each))
export const DEPARTMENTS: readonly Department[] = ['RELOCATE', 'EXCHANGE', 'LOOK', 'DUPLICATE', 'BONUS']

export const floorOf = (card: Card) => Math.floor(card / 10)
export const columnOf = (card: Card) => card % 10
export const roomOf = (card: Card): Place => `room ${card}`
export const kindOf = (place: Place) => place.split(' ')[0] as Kind
export const numberOf = (place: Place) => Number(place.split(' ')[1])

/** Every place as one sees them: the columns' plates above, then floor by floor, its plate first. */
export const PLACES: readonly Place[] = [
  ...COLUMNS.map((column) => `column ${column}`),
  ...FLOORS.flatMap((floor) => [`floor ${floor}`, ...COLUMNS.map((column) => roomOf(10 * floor + column))]),
]

/** The rooms that a place stands for. */
export function roomsOf(place: Place): Card[] {
  const number = numberOf(place)
  switch (kindOf(place)) {
    case 'floor':
      return CARDS.filter((card) => floorOf(card) === number)
    case 'column':
      return CARDS.filter((card) => columnOf(card) === number)
    case 'room':
      return [number]
  }
}

/** What a right guess there scores at this table. */
export const worthOf = (place: Place, options: Options) => options[`${kindOf(place)}_points`]

/** Who has a meeple there. */
export const standingOn = (guesses: readonly (readonly Place[])[], place: Place): number[] =>
  guesses.flatMap((places, seat) => (places.includes(place) ? [seat] : []))

// --- Where things are drawn, in the units of the front -----------------------------------------------------------

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const PITCH = { x: 66, y: 94 }
const FIRST = { x: 128, y: 165 }
export const WINDOW = { width: 50, height: 76 }
/** How far a column's plate reaches from its middle. */
export const PLATE = 17
/** The whole front, and what of it a small screen shows; a meeple stands on the uppermost plates. */
export const WHOLE: Box = { x: 0, y: 0, width: 716, height: 472 }
export const NEAR: Box = { x: 2, y: 42, width: 706, height: 364 }

const columnX = (column: number) => FIRST.x + (column - 1) * PITCH.x
const floorY = (floor: number) => FIRST.y + (3 - floor) * PITCH.y

/** The middle of a window or of a plate. */
export function middleOf(place: Place): { x: number; y: number } {
  const number = numberOf(place)
  switch (kindOf(place)) {
    case 'floor':
      return { x: 42, y: floorY(number) }
    case 'column':
      return { x: columnX(number), y: 98 }
    case 'room':
      return { x: columnX(columnOf(number)), y: floorY(floorOf(number)) }
  }
}

/** What a finger may press for a place; no two of them meet. */
export function targetOf(place: Place): Box {
  const { x, y } = middleOf(place)
  const [width, height] = { floor: [72, 88], column: [64, 48], room: [62, 86] }[kindOf(place)] as [number, number]
  return { x: x - width / 2, y: y - height / 2, width, height }
}

/** The next place in a direction; the nearest of those that lie more that way than sideways. */
export function towards(places: readonly Place[], from: Place, [dx, dy]: readonly [number, number]): Place | null {
  const here = middleOf(from)
  let best: { place: Place; far: number } | null = null
  for (const place of places) {
    const at = middleOf(place)
    const [x, y] = [at.x - here.x, at.y - here.y]
    const ahead = x * dx + y * dy
    const aside = Math.abs(x * dy) + Math.abs(y * dx)
    if (ahead <= 0 || aside > ahead * 1.5) continue
    const far = ahead + 2 * aside
    if (!best || far < best.far) best = { place, far }
  }
  return best?.place ?? null
}
