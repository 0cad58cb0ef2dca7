import type { Told } from '../lib/protocol'

/** A row and a column of the sheet: that this thing is with this holder. */
export type Entry = readonly [row: string, column: string]
export type State = 'new' | 'begun' | 'solved' | 'missed'

/** A case of a day, as it lies on the desk. */
export interface DayCard {
  case: string
  game: string
  weekday: number
  seats: number
  state: State
  turned: number
  total: number
  guesses: number
  hints: number
  /** Told when it has ended. */
  par: number | null
  solved_here: number
}
export interface Today {
  day: string
  /** The house's time, in ms. */
  now: number
  /** When the next day begins, by the same clock. */
  next_at: number
  cards: readonly DayCard[]
  streak: number
  best_streak: number
  /** Whether a game's case could not be made. */
  fault: boolean
}
export interface Archive {
  days: readonly { day: string; cards: readonly DayCard[] }[]
  fault: boolean
}

export interface Hand {
  column: string
  cards: readonly string[]
}
export type Ruling =
  | { kind: 'proved' }
  | { kind: 'unproved'; deal: readonly Hand[] }
  | { kind: 'impossible'; lines: readonly number[] }
  | { kind: 'heard'; chance: number; listener: Entry; listener_chance: number }

export interface Question {
  /** The game asks it under `case.ask.<kind>`. */
  kind: string
  /** Of each of these groups exactly one entry is true. */
  form: readonly (readonly Entry[])[]
  subject: string | null
}
/** An answer that was claimed, and what was said of it. */
export interface Try {
  turned: number
  claim: readonly Entry[]
  ruling: Ruling
}
/** A mark of the sheet that was checked. */
export interface CheckedMark {
  turned: number
  row: string
  column: string
  held: boolean
  ruling: Ruling
}
export interface Mark {
  row: string
  column: string
  held: boolean
}
/** One inference of the proof. */
export interface Step {
  kind: string
  lines: readonly number[]
  rests: readonly Mark[]
  settles: readonly Mark[]
  cases: boolean
}
export interface Result {
  solved: boolean
  /** After how many lines it ended. */
  at: number
  par: number
  guesses: number
  hints: number
  answer: readonly Entry[]
  steps: readonly Step[]
  /** All of them, whether they were turned or not. */
  lines: readonly (readonly Told[])[]
  solved_here: number
}
/** A case to solve as far as its lines are turned. */
export interface Case {
  case: string
  game: string
  question: Question
  seats: number
  seat: number
  weekday: number
  state: State
  turned: number
  total: number
  given: readonly Told[]
  lines: readonly (readonly Told[])[]
  rows: readonly string[]
  columns: readonly string[]
  groups: readonly (readonly string[])[]
  view: unknown
  tries: readonly Try[]
  hints: readonly CheckedMark[]
  started_at: number
  ended_at: number | null
  result: Result | null
}

/** The day that a case is of, as in its name: "2026-11-18.clue". */
export const dayOf = (id: string) => id.slice(0, 10)
