import type { Answer, Decision, Option, Verdict } from './types'

/** So likely an answer tells hardly anything. */
const CERTAIN = 0.9

const keyOf = ({ action, line }: Option) => JSON.stringify(action ?? line)

/** A number from a text, the same on every machine (FNV-1a). */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}

/** The best three and what was done, each once, in an order that tells nothing and is the same each time. */
export function choices({ seq, verdict }: Decision): Option[] {
  const all = new Map([...verdict.best.slice(0, 3), verdict.taken].map((option) => [keyOf(option), option]))
  return [...all.entries()].sort(([a], [b]) => hash(`${seq} ${a}`) - hash(`${seq} ${b}`)).map(([, option]) => option)
}

/** Whether a try is good: the label that any such decision would have. */
export const isGood = (verdict: Verdict): boolean =>
  verdict.label !== null && ['masterstroke', 'best', 'good'].includes(verdict.label)

/** Whether to wait would have been good; nothing can be sent for it, so it is measured by what is known of the others. */
export const isBest = ({ verdict }: Decision, option: Option): boolean => option.value >= (verdict.best[0]?.value ?? 0)

/** Why a try was not good: an answer that was all but certain, or else what it promised beside the best. */
export function whyNot({ answers = [], taken, best }: Verdict): { certain: Answer } | { value: number; best: number } {
  const likeliest = answers.reduce<Answer | null>(
    (most, each) => (most && most.chance >= each.chance ? most : each),
    null,
  )
  if (likeliest && likeliest.chance >= CERTAIN) return { certain: likeliest }
  return { value: taken.value, best: best[0]?.value ?? taken.value }
}
