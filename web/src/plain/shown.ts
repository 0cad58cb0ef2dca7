import type { TableState } from '../table/state.svelte'
import { capital, fieldOf, isSeat, phaseOf, said, wordOf, type Value } from './words'

/** A part of the view as people read it. */
export type Shown =
  | { kind: 'unknown' }
  | { kind: 'nothing' }
  | { kind: 'word'; text: string }
  | { kind: 'seat'; seat: number }
  | { kind: 'list'; items: readonly Shown[] }
  | { kind: 'record'; title: string; entries: readonly Entry[] }

export interface Entry {
  name: string
  label: string
  shown: Shown
  /** What it was made of: another one is a change. */
  raw: string
}

type Struct = Readonly<Record<string, unknown>>
const isStruct = (value: unknown): value is Struct =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the board shows: the table as I see it or saw it, and all of it once the case is closed. */
export const viewOf = (table: TableState) =>
  ((table.over && !table.looked ? table.truth : null) ?? table.view) as Readonly<Record<string, unknown>>

/** Say what a value is, by itself and by the name of the field that holds it. */
export function shown(table: TableState, field: string, value: unknown): Shown {
  if (value === null || value === undefined) return { kind: 'unknown' }
  if (isSeat(table, field, value)) return { kind: 'seat', seat: value }
  if (Array.isArray(value)) {
    const items = value.map((item) => shown(table, field, item))
    return items.length ? { kind: 'list', items } : { kind: 'nothing' }
  }
  if (!isStruct(value)) return { kind: 'word', text: capital(said(table, field, value as Value)) }
  const { type, ...fields } = value
  const title = typeof type === 'string' ? capital(wordOf(table, type)) : ''
  return { kind: 'record', title, entries: Object.entries(fields).map(([name, part]) => entry(table, name, part)) }
}

const entry = (table: TableState, name: string, value: unknown, label = fieldOf(table, name)): Entry => ({
  name,
  label,
  shown: shown(table, name, value),
  raw: JSON.stringify(value),
})

/** What stands elsewhere on the page: in the heading, in the list of players, in the hand. */
const ELSEWHERE = ['options', 'turn', 'on_turn', 'phase', 'hands', 'sizes', 'out']

/** Whether there is anything to say: what I do not know, what is not so and what is empty would only fill the page. */
const says = (value: unknown) =>
  value !== null && value !== undefined && value !== false && !(Array.isArray(value) && !value.length)

/** What lies on the table for everybody: the view's fields in their order. */
export function common(table: TableState, bySeat: readonly string[]): Entry[] {
  const view = viewOf(table)
  const fields = Object.entries(view).filter(([name, value]) => !ELSEWHERE.includes(name) && says(value))
  return [
    // How it ended is said above everything.
    ...(table.over && !table.looked ? [] : phase(table, view)),
    ...fields.flatMap(([name, value]) => (bySeat.includes(name) ? [] : [entry(table, name, value)])),
  ]
}

/** What the phase says beyond its name. */
function phase(table: TableState, view: Struct): Entry[] {
  if (!isStruct(view.phase)) return []
  const { type, ...fields } = view.phase
  if (!Object.keys(fields).length) return []
  return [entry(table, 'phase', fields, phaseOf(table, String(type)))]
}

/** What lies before one seat: of every field that has an entry for each, that seat's own. */
export function before(table: TableState, bySeat: readonly string[], seat: number): Entry[] {
  const view = viewOf(table) as Readonly<Record<string, readonly unknown[]>>
  return bySeat
    .filter((name) => !ELSEWHERE.includes(name))
    .filter((name) => view[name]?.some(says))
    .map((name) => entry(table, name, view[name]?.[seat]))
    .filter(({ raw }) => raw !== 'false')
}

/** A seat's hand as this view knows it; null if it does not, or if the game has no hands. */
export function handOf(view: unknown, seat: number | null): readonly unknown[] | null {
  const hands = (view as { hands?: readonly (readonly unknown[] | null)[] } | null)?.hands
  return (seat === null ? null : hands?.[seat]) ?? null
}

/** How many cards a seat holds, if the view says so. */
export function sizeOf(view: unknown, seat: number): number | undefined {
  return (view as { sizes?: readonly number[] } | null)?.sizes?.[seat] ?? handOf(view, seat)?.length
}

/** A card in words, whatever it is made of: a word, a number, or several of them. */
export function nameOf(table: TableState, card: unknown): string {
  const flat = (part: Shown): string[] => {
    if (part.kind === 'word') return [part.text]
    if (part.kind === 'list') return part.items.flatMap(flat)
    if (part.kind === 'record') return [part.title, ...part.entries.flatMap((each) => flat(each.shown))].filter(Boolean)
    return part.kind === 'seat' ? [table.name(part.seat)] : []
  }
  return flat(shown(table, 'card', card)).join(' ')
}
