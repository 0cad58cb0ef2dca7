import { PARTS, type Account, type Part, type SeatReview } from './types'

export interface Point {
  seq: number
  value: number
}
export interface Series {
  seat: number
  points: readonly Point[]
}
/** The area in which lines are drawn. */
export interface Frame {
  width: number
  height: number
  from: number
  to: number
  most: number
}

/** How what a viewer did not know shrank: from the deal to the last event, which says the same as the one before it. */
export function lineOf(part: SeatReview, last: number): Series {
  const steps = part.steps.map(({ seq, left }) => ({ seq, value: left }))
  const points = [{ seq: part.since, value: part.began }, ...steps]
  const end = points.at(-1) as Point
  return { seat: part.seat, points: end.seq < last ? [...points, { seq: last, value: end.value }] : points }
}

/** Each seat's chance to win, as lines. */
export function chanceLines(chances: readonly (readonly [number, readonly number[]])[]): Series[] {
  const seats = chances[0]?.[1].length ?? 0
  return Array.from({ length: seats }, (_, seat) => ({
    seat,
    points: chances.map(([seq, each]) => ({ seq, value: each[seat] ?? 0 })),
  }))
}

/** Whether there is anything to draw: a game without a solution has nothing to be known. */
export const hasCurve = (parts: readonly SeatReview[]): boolean =>
  parts.some(({ began, steps }) => began > 0 || steps.some(({ left }) => left > 0))

export const valueAt = ({ points }: Series, seq: number): number =>
  (points.findLast((point) => point.seq <= seq) ?? points[0])?.value ?? 0

const rounded = (value: number) => Math.round(value * 10) / 10

export const xOf = ({ width, from, to }: Frame, seq: number): number =>
  rounded(to > from ? (width * (Math.min(to, Math.max(from, seq)) - from)) / (to - from) : 0)
export const yOf = ({ height, most }: Frame, value: number): number =>
  rounded(height * (1 - Math.min(1, Math.max(0, most > 0 ? value / most : 0))))

/** The line as steps: nothing changes between two events. */
export function pathOf({ points }: Series, frame: Frame): string {
  return points
    .map(({ seq, value }, place) => {
      const [x, y] = [xOf(frame, seq), yOf(frame, value)]
      return place ? `H${x}V${y}` : `M${x} ${y}`
    })
    .join('')
}

/** Whole figures for the axis, few enough to be read. */
export function ticks(most: number, at_most = 5): number[] {
  const step = [1, 2, 5, 10, 20, 50].find((each) => most / each <= at_most) ?? 100
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step)
}

export interface Bar {
  part: Part
  value: number
  from: number
  width: number
}
/** The parts of an account side by side: what was gained to the right of zero, what was missed to the left. */
export function barsOf(account: Account): Bar[] {
  let [right, left] = [0, 0]
  return PARTS.flatMap((part) => {
    const value = account[part]
    if (Math.abs(value) < 0.005) return []
    if (value > 0) {
      right += value
      return [{ part, value, from: right - value, width: value }]
    }
    left += value
    return [{ part, value, from: left, width: -value }]
  })
}
/** How far bars reach to the left and to the right. */
export function reach(accounts: readonly Account[]): [number, number] {
  const bars = accounts.flatMap(barsOf)
  return [Math.min(0, ...bars.map(({ from }) => from)), Math.max(0, ...bars.map(({ from, width }) => from + width))]
}
export const learned = (account: Account): number => PARTS.reduce((sum, part) => sum + account[part], 0)
