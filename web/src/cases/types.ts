import type { Case, Claim } from '../lib/protocol'

export type {
  Archive,
  Case,
  CaseCard as DayCard,
  CaseResult as Result,
  CheckedMark,
  Hand,
  ProofStep as Step,
  StepMark as Mark,
  Today,
} from '../lib/protocol'
export type { Claim as Try }
export type Ruling = Claim['ruling']

/** A row and a column of the sheet: that this thing is with this holder. */
export type Entry = readonly [row: string, column: string]

/** The day that a case is of, as in its name: "2026-11-18." and the game. */
export const dayOf = (id: string) => id.slice(0, 10)

/** Of a case nobody can prove anything: it is heard. */
export const isHeard = ({ question }: Case) => question.kind === 'ear'
