import { has } from '../lib/i18n.svelte'
import type { TableState } from '../table/state.svelte'
import type { Lesson } from './lesson'

/** The fields of actions that name players by their seats; whom it is about is said even where there is no choice. */
const SEATS = new Set(['partner', 'target', 'suspects', 'answerer'])

/**
 * What could be chosen now, as a list of names, if the game has gone as it was staged and the advice is on offer; what
 * has no name, such as a square of a corridor, is left to the learner.
 */
export function advised(table: TableState, lesson: Lesson): string {
  const deed = lesson.advice[table.now.seq]
  const offer = deed && table.taking(deed)
  if (!deed || !offer) return ''
  const open = Object.entries(offer.choices).filter(([field, choice]) => SEATS.has(field) || choice.of.length > 1)
  const names = open.flatMap(([field]) => [deed[field]].flat().map((value) => named(table, field, value)))
  return names.filter(Boolean).join(', ')
}

function named(table: TableState, field: string, value: unknown): string {
  if (typeof value === 'number' && SEATS.has(field)) return table.name(value)
  const term = field === 'floor' ? `floor ${String(value)}` : String(value)
  // A place in a row is a number too, and its name would be something else's.
  if (typeof value === 'number' && field === 'place') return ''
  return has(table.game.id, `term.${term}`) ? table.term(term) : ''
}
