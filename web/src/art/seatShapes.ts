/** The six seat shapes and their letters on a 32 box; letters are drawn, so no font has to load for them. */
import type { Shape } from '../lib/seats'

interface SeatShape {
  readonly outline: string
  /** Where the letter sits: shapes differ in where they have room. */
  readonly letter: string
}

export const SEAT_SHAPES: Readonly<Record<Shape, SeatShape>> = {
  circle: { outline: 'M16 2.6a13.4 13.4 0 1 1-.01 0z', letter: '' },
  triangle: { outline: 'M16 2.4L30.6 28.4H1.4z', letter: 'translate(2.56 7.2) scale(.84)' },
  square: { outline: 'M4 4h24v24H4z', letter: '' },
  diamond: { outline: 'M16 1.6L30.4 16 16 30.4 1.6 16z', letter: 'translate(.8 .8) scale(.95)' },
  cross: { outline: 'M10 2.5h12V10h7.5v12H22v7.5H10V22H2.5V10H10z', letter: '' },
  star: {
    outline: 'M16 1.8L20.9 10.3L30.5 12.3L23.9 19.6L24.9 29.3L16 25.3L7.1 29.3L8.1 19.6L1.5 12.3L11.1 10.3Z',
    letter: 'translate(2.5 3.3) scale(.84)',
  },
}

/** Strokes of the letters S M W G K P. */
export const SEAT_LETTERS: Readonly<Record<string, string>> = {
  S: 'M19.5 12.7c-.8-1.3-2-2-3.5-2-2.1 0-3.5 1.1-3.5 2.7 0 3.7 7.2 1.5 7.2 5.2 0 1.7-1.5 2.7-3.7 2.7-1.7 0-3-.7-3.8-2',
  M: 'M11 21.3V10.7l5 6.5 5-6.5v10.6',
  W: 'M9.6 10.7l3.1 10.6 3.3-8.8 3.3 8.8 3.1-10.6',
  G: 'M20.2 13c-.9-1.5-2.3-2.3-4-2.3-2.9 0-5 2.2-5 5.3s2.1 5.3 5 5.3c2.7 0 4.3-1.6 4.5-4.5h-3.9',
  K: 'M12 10.7v10.6M20 10.7l-7.5 6.4M15.3 14.9l5 6.4',
  P: 'M12.6 21.3V10.7h4.2c2.3 0 3.8 1.2 3.8 3.2s-1.5 3.2-3.8 3.2h-4.2',
}
