import { certainties, FAULTS, type Decision, type Label, type SeatReview, type Step } from './types'

/** Something worth a look in one viewer's game: a decision, or an event that told something; often both. */
export interface Moment {
  seq: number
  decision?: Decision
  step?: Step
  /** How many bits were missing before it. */
  before: number
  /** How many are missing after it. */
  left: number
}

export type Filter = 'all' | 'decisions' | 'faults' | Label

/** A change of so few bits is nothing to look at. */
export const NOTABLE = 0.05

/** List a viewer's moments as they came: its graded decisions, and whatever told it something. */
export function momentsOf(part: SeatReview): Moment[] {
  const decisions = new Map((part.decisions ?? []).map((decision) => [decision.seq, decision]))
  const moments: Moment[] = []
  const known = certainties(part).map(({ seq }) => seq)
  let before = part.began
  for (const step of part.steps) {
    const decision = decisions.get(step.seq)
    // What was hidden anew has told nobody anything.
    const told = (step.part !== 'new' && Math.abs(before - step.left) >= NOTABLE) || known.includes(step.seq)
    if (decision || told) moments.push({ seq: step.seq, decision, step, before, left: step.left })
    decisions.delete(step.seq)
    before = step.left
  }
  for (const decision of decisions.values()) {
    const left = leftAt(part, decision.seq)
    moments.push({ seq: decision.seq, decision, before: left, left })
  }
  return moments.sort((a, b) => a.seq - b.seq)
}

/** How many bits were missing to a viewer after an event. */
export function leftAt(part: SeatReview, seq: number): number {
  return part.steps.findLast((step) => step.seq <= seq)?.left ?? part.began
}

export const labelOf = ({ decision }: Moment): Label | null => decision?.verdict.label ?? null
export const isFault = (label: Label | null): boolean => label !== null && FAULTS.includes(label)

export function shown(moments: readonly Moment[], filter: Filter): Moment[] {
  return moments.filter((moment) => {
    if (filter === 'all') return true
    if (filter === 'decisions') return moment.decision !== undefined
    return filter === 'faults' ? isFault(labelOf(moment)) : labelOf(moment) === filter
  })
}

/** The moment of this label that comes after the one looked at; after the last one the first. */
export function nextOf(moments: readonly Moment[], label: Label, after: number): Moment | undefined {
  const such = shown(moments, label)
  return such.find(({ seq }) => seq > after) ?? such[0]
}

/** One on or back from what is looked at; undefined at either end. */
export function beside(moments: readonly Moment[], seq: number, by: 1 | -1): Moment | undefined {
  return by > 0 ? moments.find((each) => each.seq > seq) : moments.findLast((each) => each.seq < seq)
}

/** What could be better, the dearest first, by how much of what was on offer was lost: units differ. */
export function faultsOf(part: SeatReview): Decision[] {
  const lost = ({ verdict }: Decision) => verdict.loss / Math.max(NOTABLE, Math.abs(verdict.best[0]?.value ?? 0))
  return (part.decisions ?? [])
    .filter(({ verdict }) => isFault(verdict.label))
    .sort((a, b) => lost(b) - lost(a) || a.seq - b.seq)
}

/** Where a page of the review stands: whose eyes, and which moment. */
export interface Place {
  seat: number | null
  seq: number | null
}
/** Read a place from the address; null if it is none of the review. */
export function readPlace(fragment: string): Place | null {
  const found = /^review(?:\.(-1|\d{1,2})(?:\.(\d{1,6}))?)?$/.exec(fragment)
  if (!found) return null
  const number = (text: string | undefined) => (text === undefined ? null : Number(text))
  return { seat: number(found[1]), seq: number(found[2]) }
}
export const writePlace = (seat: number, seq: number | null): string =>
  seq === null ? `review.${seat}` : `review.${seat}.${seq}`
