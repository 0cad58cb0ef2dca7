import { has, i18n, t } from '../lib/i18n.svelte'
import { listed } from '../lib/names'
import type { Params } from '../lib/i18n.svelte'
import type { TableState } from '../table/state.svelte'

/** What an offer lets one choose from. */
export type Value = boolean | number | string

/** A name of the program that has no text, as people would write it: "LeadPipe" is "Lead Pipe", "top_card" "Top card". */
export function readable(name: string): string {
  return capital(
    name
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replace(/_+/g, ' ')
      .trim(),
  )
}

/** As a word is written that stands alone: a game may have "the Actress" for its sentences. */
export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** A text that a game may have: nothing where it has none, or one that asks for more than is known. */
export function text(table: TableState, key: string, params: Params = {}): string | undefined {
  const found = i18n.game(table.game.id, key)
  const gaps = [...(found ?? '').matchAll(/\{(\w+)/g)].map(([, name]) => name as string)
  return found !== undefined && gaps.every((name) => name in params) ? table.gt(key, params) : undefined
}

const first = (table: TableState, id: string, ...kinds: readonly string[]) =>
  kinds.map((kind) => text(table, `${kind}.${id}`)).find((found) => found !== undefined) ?? readable(id)

export const wordOf = (table: TableState, word: string) => first(table, word, 'term')
export const fieldOf = (table: TableState, field: string) => first(table, field, 'field')
export const actionOf = (table: TableState, action: string) => first(table, action, 'action')
export const phaseOf = (table: TableState, phase: string) => first(table, phase, 'phase')
export const rowOf = (table: TableState, row: string) => capital(first(table, row, 'row', 'term'))
export const columnOf = (table: TableState, column: string) => {
  const seat = seatOf(table, column)
  return seat === null ? capital(first(table, column, 'column', 'term')) : table.name(seat)
}

/** A column of the sheet that is a seat: by custom of all games those that are numbers. */
export function seatOf(table: TableState, column: string): number | null {
  return /^\d+$/.test(column) && Number(column) < table.room.chairs.length ? Number(column) : null
}

/** What a field is called that holds a seat: over the line it is a number like any other. */
const SEATS =
  /^(seats?|players?|who|whom|to|by|on_turn|asker|asked|answerer|accused|partner|target|winners?|.*_seats?)$/

/** Whether a number in a field of this name is somebody at the table. */
export const isSeat = (table: TableState, field: string, value: unknown): value is number =>
  SEATS.test(field) && typeof value === 'number' && table.room.chairs[value] !== undefined

/** One value in words, as a sentence needs it. */
export function said(table: TableState, field: string, value: Value): string {
  if (typeof value === 'boolean') return t(value ? 'mark.yes' : 'mark.no')
  if (isSeat(table, field, value)) return table.name(value)
  // A number is no word, even where a word looks like it.
  return typeof value === 'number' ? String(value) : wordOf(table, value)
}

/** Several values in words: "the Cook and the Doctor". */
export const allSaid = (table: TableState, field: string, values: readonly Value[]) =>
  listed(
    values.map((value) => said(table, field, value)),
    i18n.language,
  )

/** Whether the game has words for the search in the log. */
export const isTerm = (game: string, word: string) => has(game, `term.${word}`)
