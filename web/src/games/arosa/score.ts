import type { Floor } from './hotel'

/** How the practice has gone so far, mine and the trained listener's on the same drops. */
export interface Score {
  count: number
  right: number
  /** Floors by which I was off, all together. */
  off: number
  /** How many of them the listener named. */
  ear: number
}

export const NOTHING: Score = { count: 0, right: 0, off: 0, ear: 0 }

export const offBy = (guess: Floor, floor: Floor) => Math.abs(guess - floor)

export const added = (score: Score, guess: Floor, { floor, ear }: { floor: Floor; ear: Floor }): Score => ({
  count: score.count + 1,
  right: score.right + Number(guess === floor),
  off: score.off + offBy(guess, floor),
  ear: score.ear + Number(ear === floor),
})
