import type { Component } from 'svelte'
import type { GameProps } from '../games'
import type { Told } from '../lib/protocol'
import { capital, columnOf, rowOf, seatOf } from '../plain/words'
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
  /** Whose a column is; nobody's where this says null. */
  seat?(table: TableState, column: string): number | null
  /** How many stand side by side in a group of so many answers, where there is a way in which they belong. */
  across?(count: number): number | null
  /** More of my hand than `hands` of the view has, as rows of the sheet. */
  hand?(table: TableState): readonly string[]
  /** A heading over the answers of one group. */
  group?(table: TableState, entries: readonly Entry[]): string | null
  /** What has been seen by now, as entries that are true. */
  seen?(table: TableState): readonly Entry[]
  /** What lies open, as rows of the sheet. */
  open?(table: TableState): readonly string[]
  /** A picture of the table, where it helps. */
  Board?: Component<GameProps>
  /** What belongs to a line below its words: a drop that can be heard. */
  Evidence?: Component<GameProps & { line: readonly Told[] }>
  /** What can be chosen about how all of it is told. */
  Way?: Component<GameProps>
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
  get Evidence() {
    return this.#own.Evidence
  }
  get Way() {
    return this.#own.Way
  }
  across(count: number): number | null {
    return this.#own.across?.(count) ?? null
  }
  row(table: TableState, row: string): string {
    return this.#own.row?.(table, row) ?? rowOf(table, row)
  }
  column(table: TableState, column: string): string {
    const seat = this.seat(table, column)
    return seat === null ? (this.#own.column?.(table, column) ?? columnOf(table, column)) : table.name(seat)
  }
  /** Whose a column is. */
  seat(table: TableState, column: string): number | null {
    return this.#own.seat ? this.#own.seat(table, column) : seatOf(table, column)
  }
  /** The heading over one group of answers. */
  group(table: TableState, entries: readonly Entry[]): string | null {
    return this.#own.group?.(table, entries) ?? null
  }
  seen(table: TableState): readonly Entry[] {
    return [...this.hand(table).map((row) => [row, String(table.me)] as const), ...(this.#own.seen?.(table) ?? [])]
  }
  hand(table: TableState): readonly string[] {
    return [...handOf(table), ...(this.#own.hand?.(table) ?? [])]
  }
  open(table: TableState): readonly string[] {
    return this.#own.open?.(table) ?? []
  }
  /** "Rope: Basil", "Rope: not Basil" */
  mark(table: TableState, { row, column, held }: Mark): string {
    const said = { row: this.row(table, row), column: this.column(table, column) }
    return capital(c(held ? 'entry.yes' : 'entry.no', said))
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
