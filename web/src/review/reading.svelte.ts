import { SvelteMap } from 'svelte/reactivity'
import { Refusal, socket } from '../lib/socket.svelte'
import type { TableState } from '../table/state.svelte'
import { TABLE, type SeatReview, type Verdict, type Whole } from './types'
import type { Deed } from '../table/offers'

const AGAIN_MS = 1_000

/** A closed case's review as it comes in: one's own game first, then what all together say, then the others'. */
export class Reading {
  readonly parts = new SvelteMap<number, SeatReview>()
  whole = $state.raw<Whole | null>(null)
  /** Why it cannot be read, as a reason under `refused.`; null while it can. */
  failed = $state.raw<string | null>(null)
  #begun = false
  readonly #table: TableState

  constructor(table: TableState) {
    this.#table = table
  }

  /** Every viewer, the reader first. */
  get viewers(): readonly number[] {
    const seats = this.#table.room.chairs.map(({ seat }) => seat)
    const mine = this.reader
    return [mine, ...[...seats, TABLE].filter((seat) => seat !== mine)]
  }
  /** Who reads. */
  get reader(): number {
    return this.#table.me ?? TABLE
  }
  get all(): number {
    return this.viewers.length + 1
  }
  get done(): number {
    return this.parts.size + (this.whole ? 1 : 0)
  }
  get complete(): boolean {
    return this.done === this.all
  }
  /** The parts of those who played, by seat. */
  get seats(): SeatReview[] {
    return [...this.parts.values()].filter(({ seat }) => seat !== TABLE).sort((a, b) => a.seat - b.seat)
  }

  /** Read whatever is missing. */
  async begin(): Promise<void> {
    if (this.#begun) return
    this.#begun = true
    this.failed = null
    const [mine, ...others] = this.viewers
    try {
      for (const viewer of [mine as number, 'whole' as const, ...others]) await this.#read(viewer)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.failed = error.reason
      this.#begun = false
    }
  }
  async #read(viewer: number | 'whole'): Promise<void> {
    if (viewer === 'whole' ? this.whole : this.parts.has(viewer)) return
    for (;;) {
      try {
        const part = await socket.ask({ type: 'read_review', table: this.#table.id, viewer })
        if (part.type === 'whole') this.whole = part
        else this.parts.set(part.seat, part)
        return
      } catch (error) {
        // A line that broke mends itself; the review goes on meanwhile.
        if (!(error instanceof Refusal) || error.reason !== 'connection') throw error
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      }
    }
  }

  /** How good something else would have been there. */
  retry(seat: number, seq: number, action: Deed): Promise<Verdict | null> {
    return socket.ask({ type: 'retry', table: this.#table.id, seat, seq, action })
  }
}

const READINGS = new WeakMap<TableState, Reading>()

/** The one reading of a table: the end and the whole page share it. */
export function readingOf(table: TableState): Reading {
  const reading = READINGS.get(table) ?? new Reading(table)
  READINGS.set(table, reading)
  return reading
}
