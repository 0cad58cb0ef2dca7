import { CARDS, SUSPECTS, WEAPONS } from './art/cards'
import { beside, borders, DOORS, roomCells, ROOMS, STARTS, WIDTH } from './art/grid'
import { FURNISHING } from './art/rooms'
import type { Room, Suspect } from './types'

export { CARDS, ROOMS, SUSPECTS, WEAPONS, WIDTH }
export type Place = number | Room
/** In squares from the top left corner of the board. */
export type Point = readonly [x: number, y: number]

export const isRoom = (place: Place): place is Room => typeof place === 'string'
export const rowOf = (square: number) => Math.floor(square / WIDTH)
export const columnOf = (square: number) => square % WIDTH
export const middle = (square: number): Point => [columnOf(square) + 0.5, rowOf(square) + 0.5]

export const doorsOf = (room: Room): number[] =>
  DOORS.filter((door) => door.room === room).map(({ row, col }) => row * WIDTH + col)

/** Where a token in a room is said to be: among the things that stand there. */
export function centre(room: Room): Point {
  const { x, y, width, height } = FURNISHING[room].free
  return [x + width / 2, y + height / 2]
}

/** Where a room's name begins, its middle and where it ends. */
export function nameLine(room: Room): Point[] {
  const { x, y, width } = FURNISHING[room].name
  return [-width / 2, 0, width / 2].map((aside) => [x + aside, y])
}

/** The smallest box round a room, in squares. */
export function box(room: Room): { x: number; y: number; width: number; height: number } {
  const cells = roomCells(room)
  const columns = cells.map(({ col }) => col)
  const rows = cells.map(({ row }) => row)
  const [x, y] = [Math.min(...columns), Math.min(...rows)]
  return { x, y, width: Math.max(...columns) - x + 1, height: Math.max(...rows) - y + 1 }
}

/** The shape of a room within its box, for CSS: what lies in the box and not in the room is not the room's. */
export function shape(room: Room): string {
  const { x, y, width, height } = box(room)
  const points = borders(roomCells(room))[0] ?? []
  return `polygon(${points.map(([px, py]) => `${((px - x) / width) * 100}% ${((py - y) / height) * 100}%`).join(', ')})`
}

export const pointOf = (place: Place): Point => (isRoom(place) ? centre(place) : middle(place))

/** The points that a walk goes through. */
export function pathOf(path: readonly number[], to: Place): Point[] {
  const points = path.map(middle)
  return isRoom(to) ? [...points, centre(to)] : points
}

/** For every square the door that is nearest on foot, and how many squares away it is; as in facts.py. */
const NEAREST: ReadonlyMap<number, { room: Room; steps: number }> = nearest()
function nearest() {
  const found = new Map(ROOMS.flatMap((room) => doorsOf(room).map((door) => [door, { room, steps: 0 }])))
  // What is found on the way is walked from in its turn.
  for (const [square, { room, steps }] of found) {
    for (const { row, col } of beside({ row: rowOf(square), col: columnOf(square) })) {
      const next = row * WIDTH + col
      if (!found.has(next)) found.set(next, { room, steps: steps + 1 })
    }
  }
  return found
}
export const nearestDoor = (square: number) => NEAREST.get(square)

/** A square told as a way from where I stand. */
export interface Way {
  up: number
  right: number
  /** The door it begins at, counted from 1, when I stand in a room with several. */
  door: number | null
}

export function wayTo(square: number, from: Place): Way {
  const doors = isRoom(from) ? doorsOf(from) : [from]
  const distance = (a: number) => Math.abs(rowOf(a) - rowOf(square)) + Math.abs(columnOf(a) - columnOf(square))
  const start = doors.reduce((best, door) => (distance(door) < distance(best) ? door : best), doors[0] ?? square)
  return {
    up: rowOf(start) - rowOf(square),
    right: columnOf(square) - columnOf(start),
    door: isRoom(from) && doors.length > 1 ? doors.indexOf(start) + 1 : null,
  }
}

/** The words of the game, by key. */
export type Words = (key: string, params?: Record<string, string | number>) => string

/** "3 up, 1 right" */
export function wayName(square: number, from: Place, words: Words): string {
  const { up, right, door } = wayTo(square, from)
  const steps = [
    up > 0 ? words('ui.up', { steps: up }) : up < 0 ? words('ui.down', { steps: -up }) : '',
    right > 0 ? words('ui.right', { steps: right }) : right < 0 ? words('ui.left', { steps: -right }) : '',
  ].filter(Boolean)
  const way = steps.length ? steps.join(', ') : words('ui.outside')
  return door === null ? way : words('ui.from_door', { way, door })
}

/** What a square lies by: "2 squares from the door of the Hall". Several squares may share it; a token has its own start. */
export function squareName(square: number, words: Words, token?: Suspect): string {
  const start = SUSPECTS[STARTS.findIndex(({ row, col }) => row * WIDTH + col === square)]
  if (start) return start === token ? words('ui.at_start') : words('ui.on_start', { token: words(`form.of.${start}`) })
  const { room, steps } = NEAREST.get(square) ?? { room: 'Hall', steps: 0 }
  const door = words(`form.of.${room}`)
  return steps ? words('ui.off_door', { count: steps, door }) : words('ui.by_door', { door })
}

/** The place of a list that lies nearest in a direction, for the arrow keys. */
export function towards(places: readonly Place[], from: Place, [dx, dy]: Point): Place | null {
  const [x, y] = pointOf(from)
  let best: Place | null = null
  let least = Infinity
  for (const place of places) {
    const [px, py] = pointOf(place)
    const ahead = (px - x) * dx + (py - y) * dy
    const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx)
    // Sideways counts double: an arrow means its direction first.
    const cost = ahead + aside * 2
    if (place !== from && ahead > 0.1 && cost < least) [best, least] = [place, cost]
  }
  return best
}
