import type { Component } from 'svelte'
import type { GameProps } from '../games'
import { columnOf, rowOf, seatOf } from '../plain/words'
import type { TableState } from '../table/state.svelte'
import PlainThing from './PlainThing.svelte'
import type { Entry, Mark } from './types'
import { c } from './words.svelte'

/** What a game brings so that its cases look like itself: its folder has it in `case.ts`, and it may leave out anything. */
export interface CaseKit {
  /** A row of the sheet as it lies on a table: a card. Its name stands beside it. */
  Thing?: Component<{ table: TableState; row: string }>
  /** What a row is called. */
  row?(table: TableState, row: string): string
  /** What a column is called that is nobody's. */
  column?(table: TableState, column: string): string
  /** A heading over the answers of one group. */
  group?(table: TableState, entries: readonly Entry[]): string | null
  /** What has been seen by now, as entries that are true. */
  seen?(table: TableState): readonly Entry[]
  /** What lies open, as rows of the sheet. */
  open?(table: TableState): readonly string[]
  /** A picture of the table, where it helps. */
  Board?: Component<GameProps>
}

const KITS = import.meta.glob<{ default: CaseKit }>('../games/*/case.ts')

/** What shows the cases of a game: its own parts, and plain ones for what it does not bring. */
export class Kit {
  readonly #own: CaseKit

  constructor(own: CaseKit) {
    this.#own = own
  }
  get Thing() {
    return this.#own.Thing ?? PlainThing
  }
  get Board() {
    return this.#own.Board
  }
  row(table: TableState, row: string): string {
    return this.#own.row?.(table, row) ?? rowOf(table, row)
  }
  column(table: TableState, column: string): string {
    const seat = seatOf(table, column)
    return seat === null ? (this.#own.column?.(table, column) ?? columnOf(table, column)) : table.name(seat)
  }
  /** The heading over one group of answers. */
  group(table: TableState, entries: readonly Entry[]): string | null {
    return this.#own.group?.(table, entries) ?? null
  }
  seen(table: TableState): readonly Entry[] {
    return [...handOf(table).map((row) => [row, String(table.me)] as const), ...(this.#own.seen?.(table) ?? [])]
  }
  hand(table: TableState): readonly string[] {
    return handOf(table)
  }
  open(table: TableState): readonly string[] {
    return this.#own.open?.(table) ?? []
  }
  /** "Rope: Basil", "Rope: not Basil" */
  mark(table: TableState, { row, column, held }: Mark): string {
    return c(held ? 'entry.yes' : 'entry.no', { row: this.row(table, row), column: this.column(table, column) })
  }
}

/** By custom of all games the field `hands` of the view. */
function handOf(table: TableState): readonly string[] {
  const { hands } = table.now.view as { hands?: readonly (readonly unknown[] | null)[] }
  return (table.me === null ? [] : (hands?.[table.me] ?? [])).map(String)
}

export async function loadKit(game: string): Promise<Kit> {
  const load = KITS[`../games/${game}/case.ts`]
  return new Kit(load ? (await load()).default : {})
}
