import type { Cell, Proof, Sheet } from '../../lib/protocol'
import { Refusal, socket } from '../../lib/socket.svelte'
import { complain } from '../../lib/toasts.svelte'
import type { TableState } from '../state.svelte'
import { keptAs, ofDeal } from './deals'
import { nextMark } from './share'

/** What a cell is called. */
export const cellKey = (row: string, column: string) => `${row}/${column}`

const CONFIRM_MS = 1000

/** A seat's notes: what writes itself at the table's level of assistance, and my own marks beside it. */
export class NotesState {
  sheet = $state.raw<Sheet | null>(null)
  /** The cell that the mark bar writes to. */
  chosen = $state.raw<{ row: string; column: string } | null>(null)
  /** Cells that somebody points to, by key: what a step of a proof settles. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- made anew, never changed
  lit = $state.raw<ReadonlySet<string>>(new Set())
  /** My marks that the server has not confirmed yet, by the name under which they are kept. */
  #pending = $state.raw<Readonly<Record<string, string>>>({})
  #before = $state.raw<readonly { deal: number; cell: string; mark: string }[]>([])
  #asking = false
  #again = false
  readonly #table: TableState

  constructor(table: TableState) {
    this.#table = table
  }

  /** Made anew with every sheet, never changed. */
  readonly cells = $derived<ReadonlyMap<string, Cell>>(
    // eslint-disable-next-line svelte/prefer-svelte-reactivity
    new Map<string, Cell>((this.sheet?.cells ?? []).map((cell) => [cellKey(cell.row, cell.column), cell])),
  )
  /** Which deal the sheet is about. */
  readonly #deal = $derived.by(() => this.#table.game.deal?.(this.#table) ?? 1)
  /** My marks of this deal, by cell. */
  readonly marks = $derived.by(() => ofDeal({ ...this.#table.room.marks, ...this.#pending }, this.#deal))
  readonly mayUndo = $derived.by(() => this.#before.some(({ deal }) => deal === this.#deal))

  /** Whether anything writes itself here: spectators and paper tables get nothing. */
  get assisted(): boolean {
    return this.#table.noted !== null && this.#table.room.assistance !== 'paper'
  }
  /** Whether the table's level proves what it says. */
  get proves(): boolean {
    return this.assisted && this.#table.room.assistance !== 'facts'
  }

  /** Whether somebody points to this cell, or to the row in any column. */
  isLit(row: string, column?: string): boolean {
    if (column !== undefined) return this.lit.has(cellKey(row, column))
    return [...this.lit].some((key) => key.startsWith(cellKey(row, '')))
  }

  cell(row: string, column: string): Cell | undefined {
    return this.cells.get(cellKey(row, column))
  }
  mark(row: string, column: string): string {
    return this.marks[cellKey(row, column)] ?? ''
  }

  /** Ask for the sheet as of what is looked at; while one ask is under way only the latest wish is kept. */
  async refresh(): Promise<void> {
    const noted = this.#table.noted
    if (!this.assisted || !noted) return
    if (this.#asking) {
      this.#again = true
      return
    }
    this.#asking = true
    try {
      this.sheet = await socket.ask({ type: 'notes', table: this.#table.id, ...noted })
    } catch (error) {
      // The sheet that is there stays; the next event asks anew.
      if (!(error instanceof Refusal)) throw error
    } finally {
      this.#asking = false
      if (this.#again) {
        this.#again = false
        void this.refresh()
      }
    }
  }

  /** Write my own mark into a cell; an empty one removes it. */
  async write(row: string, column: string, mark: string): Promise<void> {
    if (this.#table.retrospect) return
    const [deal, cell] = [this.#deal, cellKey(row, column)]
    this.#before = [...this.#before, { deal, cell, mark: this.marks[cell] ?? '' }].slice(-100)
    await this.#put(keptAs(cell, deal), mark)
  }
  cycle(row: string, column: string): Promise<void> {
    return this.write(row, column, nextMark(this.mark(row, column)))
  }
  async undo(): Promise<void> {
    const last = this.#before.findLast(({ deal }) => deal === this.#deal)
    if (!last) return
    this.#before = this.#before.filter((each) => each !== last)
    await this.#put(keptAs(last.cell, last.deal), last.mark)
  }

  async #put(key: string, mark: string): Promise<void> {
    this.#pending = { ...this.#pending, [key]: mark }
    try {
      await this.#table.keepMark(key, mark)
      // From now on the room says what stands there; another device of mine may change it.
      setTimeout(() => this.#drop(key, mark), CONFIRM_MS)
    } catch (error) {
      this.#drop(key, mark)
      complain(error)
    }
  }
  #drop(key: string, mark: string): void {
    if (this.#pending[key] !== mark) return
    const { [key]: _, ...rest } = this.#pending
    this.#pending = rest
  }

  async why(row: string, column: string): Promise<Proof | null> {
    try {
      return await socket.ask({ type: 'why', table: this.#table.id, row, column, ...this.#table.noted })
    } catch (error) {
      complain(error)
      return null
    }
  }
}
