import { SIDES, STOREY, type Floor } from '../hotel'

/** Cubes are drawn larger than life: eight millimetres are few on a phone. */
export const GROWN = 1.7

const UP = Math.cos(Math.PI / 6)
const DOWN = Math.sin(Math.PI / 6)
/** How far a floor's corner sticks out, to the front or to the back, seen from 30 degrees above. */
const corner = (floor: Floor): number => ((SIDES[floor] ?? 0) * DOWN) / Math.SQRT2
const FRONT = corner(0)
const BACK = corner(7)
/** How much is seen behind an open floor's middle, in millimetres on the screen. */
const BEHIND = 20
/** How far a floor and everything above it is lifted, in millimetres: wide ones hide more of what lies below them. */
export const lift = (floor: Floor): number => (corner(floor) + BEHIND) / UP
const WIDE = (SIDES[0] ?? 0) * Math.SQRT2
const HIGH = (8 * STOREY + lift(0)) * UP + BACK + FRONT
const EDGE = 10

/** Where the tower stands and how many pixels a millimetre takes, so that even with a floor lifted all of it is seen. */
export function fit(width: number, height: number, aside: number): { mm: number; x: number; y: number } {
  const free = width - aside
  const mm = Math.max(0.2, Math.min((free - 2 * EDGE) / WIDE, (height - 2 * EDGE) / HIGH))
  // In the middle of everything, unless it would stand behind what is at the left.
  const x = Math.max(width / 2, aside + EDGE + (WIDE * mm) / 2)
  return { mm, x: Math.min(x, width - EDGE - (WIDE * mm) / 2), y: height - EDGE - FRONT * mm }
}

/** How high over the tower's foot a floor stands, in millimetres on the screen. */
export const rise = (floor: Floor): number => floor * STOREY * UP
