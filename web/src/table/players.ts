import type { Chair } from '../lib/protocol'

/** What a seat is doing, as everybody may know it; a key under `players.` */
export type Doing =
  | 'out'
  | 'lapsed'
  | 'stand_in'
  | 'played'
  | 'away'
  | 'answering'
  | 'asked'
  | 'turn'
  | 'thinking'
  | 'asking'
  | 'waiting'
  | 'free'
  | 'won'

export interface Standing {
  chair: Chair
  me: boolean
  awaited: boolean
  /** Whether what the table waits for is an answer. */
  answering: boolean
  out: boolean
  won: boolean
  over: boolean
}

/** Say what a seat is doing. Bots and people "think" and "answer" alike: nobody may read a hand from this. */
export function doing(at: Standing): Doing {
  if (at.won) return 'won'
  if (at.over) return at.out ? 'out' : 'waiting'
  if (at.chair.kind === 'open') return 'free'
  // Whoever looks on while a bot plays their seat is neither asked nor away.
  const mine = at.me && at.chair.stand_in === null
  if (at.awaited && at.answering) return mine ? 'asked' : 'answering'
  if (at.chair.lapsed) return 'lapsed'
  if (at.awaited && mine) return 'turn'
  if (at.chair.stand_in !== null) return at.me ? 'played' : 'stand_in'
  if (at.chair.away_ms !== null) return 'away'
  if (at.awaited) return 'thinking'
  return at.out ? 'out' : 'waiting'
}
