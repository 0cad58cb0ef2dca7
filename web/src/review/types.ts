/** The review of a case as it goes over the line: `whodunit/review/verdict.py` by hand. What has a default may be missing. */
import type { Message, Proof } from '../lib/protocol'
import type { Deed } from '../table/offers'

/** Somebody who watched. */
export const TABLE = -1

export type Unit = 'bits' | 'points' | 'chance'
export type Label = 'masterstroke' | 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder'
export const LABELS: readonly Label[] = ['masterstroke', 'best', 'good', 'inaccuracy', 'mistake', 'blunder']
export const FAULTS: readonly Label[] = ['inaccuracy', 'mistake', 'blunder']

/** Something that could be done, and what it promised; without an action, to wait. */
export interface Option {
  action: Deed | null
  line: Message
  value: number
  gain?: number
  error?: number
}
/** One way in which it might have been answered. */
export interface Answer {
  line: Message
  chance: number
  /** How many bits are then missing. */
  left: number
  /** How many lines come before this one: those who have passed the question on. */
  passes?: number
}
/** How good a decision was, from what its seat could know when it was made. */
export interface Verdict {
  kind: string
  unit: Unit
  /** None: there was nothing to decide. */
  label: Label | null
  loss: number
  share: number
  taken: Option
  best: readonly Option[]
  weight: number
  offered?: number
  answers?: readonly Answer[]
  assumes?: readonly Message[]
  /** The standard error of the loss; missing or 0: it is exact. */
  error?: number
}
export interface Decision {
  /** The first event that came of it: it was made on what stood before. */
  seq: number
  turn: number
  verdict: Verdict
}
/** What one event changed for a viewer. */
export interface Step {
  seq: number
  left: number
  logic: number
  part: 'asked' | 'gift' | 'new' | 'rest'
  expected?: number
  read?: number
  by?: number | null
}
export const PARTS = ['asked', 'answer_luck', 'gifts', 'gift_luck', 'reading', 'rest'] as const
export type Part = (typeof PARTS)[number]
/** Where a seat's knowledge came from, in bits; what was hidden anew (`new`) is no knowledge. */
export type Account = Readonly<Record<Part, number> & { new?: number }>

/** From when on a seat could have known the solution, and why. */
export interface Certain {
  seq: number
  cells: readonly (readonly [string, string])[]
  proofs: readonly Proof[]
  turns: number
  named: number | null
}
/** One viewer's game. */
export interface SeatReview {
  type: 'seat'
  seat: number
  began: number
  since: number
  steps: readonly Step[]
  account: Account
  decisions?: readonly Decision[]
  certain?: Certain | null
  /** The same of the cases that were dealt after that one. */
  later?: readonly Certain[]
  asked?: number
  offered?: number
  counts?: Readonly<Partial<Record<Label, number>>>
  assumes?: readonly Message[]
  findings?: readonly Message[]
}
/** What the trained listener made of something that fell. */
export interface Heard {
  seq: number
  /** As a word of the game. */
  truth: string
  /** None: nobody can hear it any more. */
  guess: string | null
  chance: number
}
/** What only all seats together say. */
export interface Whole {
  type: 'whole'
  /** By who reads it, as text. */
  findings: Readonly<Record<string, readonly Message[]>>
  chances?: readonly (readonly [number, readonly number[]])[]
  /** By seat and by viewer, those who watched last. */
  told?: readonly (readonly number[])[]
  heard?: readonly Heard[]
}

/** Every solution that could have been known, case by case. */
export const certainties = ({ certain, later = [] }: SeatReview): readonly Certain[] =>
  certain ? [certain, ...later] : later
