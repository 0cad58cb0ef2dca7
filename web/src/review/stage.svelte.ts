import { TableFeed } from '../lib/feed.svelte'
import type { OfferNow, Room, Told } from '../lib/protocol'
import { socket } from '../lib/socket.svelte'
import { complain } from '../lib/toasts.svelte'
import { TableState, type Deed } from '../table/state.svelte'
import { TABLE } from './types'

/** A moment of a closed case. */
export interface Then {
  seat: number
  seq: number
}

/** The room as somebody sat in it then: nothing of what has been written or agreed since. */
function roomOf(room: Room, seat: number): Room {
  return {
    ...room,
    me: seat === TABLE ? null : seat,
    chairs: room.chairs.map((chair) => ({ ...chair, stand_in: null, lapsed: false, may: [] })),
    assistance: 'probabilities',
    // Nothing is heard or waited for once more.
    pace: 'at_once',
    limit_ms: null,
    closes_ms: null,
    paused: false,
    answer: null,
    orders: [],
    order: null,
    may: [],
    marks: {},
    jotting: '',
    rematch: null,
    lesson: false,
    deal: null,
    duel: null,
  }
}

/**
 * The table of a closed case as one seat had it before it at a moment. A game's own board, notes and NOW show it as they
 * show any table: looking back, or, with what was on offer then, as if it were that seat's turn again.
 */
export class Stage extends TableState {
  override readonly retrospect = true
  readonly #of: TableState
  /** What is shown; null until the first moment is there. */
  then = $state.raw<Then | null>(null)
  /** Whether what was on offer may be tried. */
  trying = $state(false)
  /** What becomes of a try. */
  tried: ((deed: Deed) => Promise<void>) | null = null
  /** Somebody points to another moment, such as a step of a proof. */
  pointed: ((seq: number) => void) | null = null
  #number = 0
  #offers: readonly OfferNow[] = []
  #view: unknown = null
  #log: readonly Told[] = []

  constructor(of: TableState) {
    const feed = new TableFeed(of.id)
    feed.room = roomOf(of.room, of.me ?? TABLE)
    feed.now = { ...of.now, outcome: null, closed: false, offers: [], may_undo: false, informed: [] }
    super(feed, of.game)
    this.#of = of
  }

  /** Show the table after an event with a seat's eyes; the latest wish wins. */
  async show(seat: number, seq: number, trying = false): Promise<void> {
    const number = ++this.#number
    try {
      const { view, offers = [] } = await socket.ask({ type: 'look', table: this.id, seq, eyes: seat })
      if (number !== this.#number) return
      this.#view = view
      this.#offers = offers
      this.#log = this.#of.feed.log.filter((told) => told.seq <= seq)
      this.then = { seat, seq }
      this.#set(trying && offers.length > 0)
    } catch (error) {
      if (number === this.#number) complain(error)
    }
  }
  /** Let the same moment be played again, or be looked at again. */
  again(trying: boolean): void {
    if (this.then) this.#set(trying && this.#offers.length > 0)
  }
  #set(trying: boolean): void {
    const { seat, seq } = this.then as Then
    this.feed.room = roomOf(this.#of.room, seat)
    this.feed.log = this.#log
    this.feed.now = {
      ...this.#of.now,
      seq,
      after: seq,
      events: [],
      view: this.#view,
      offers: trying ? [...this.#offers] : [],
      awaiting: trying ? [seat] : [],
      outcome: null,
      closed: false,
      may_undo: false,
      informed: [],
    }
    this.trying = trying
    this.looked = trying ? null : { seq, view: this.#view, eyes: seat }
  }

  override get noted(): { seq: number; eyes: number } | null {
    return this.then && { seq: this.then.seq, eyes: this.then.seat }
  }
  override async act(deed: Deed): Promise<boolean> {
    if (!this.trying || this.busy || !this.taking(deed)) return false
    this.busy = true
    try {
      await this.tried?.(deed)
    } finally {
      this.busy = false
    }
    return false // nothing has changed on the table
  }
  override answer(deed: Deed): Promise<boolean> {
    return this.act(deed)
  }
  override pick(): void {
    // What is marked is chosen by the button alone.
  }
  override point(seq: number): void {
    this.pointed?.(seq)
  }
  override async look(seq: number): Promise<void> {
    this.pointed?.(seq)
  }
  override backToNow(): void {
    // There is no present here.
  }
  override step(): void {
    // The page goes from moment to moment.
  }
}
