import type { IconName } from '../art/icons'
import type { GameClient, Group } from '../games'
import { gt, has, i18n, say, t } from '../lib/i18n.svelte'
import { live } from '../lib/live.svelte'
import { listed } from '../lib/names'
import type { Answer, Chair, Message, OfferNow, Room, Table } from '../lib/protocol'
import { Refusal, socket, type TableFeed } from '../lib/socket.svelte'
import { complain, refusal, toast } from '../lib/toasts.svelte'
import { Hurry } from './hurry.svelte'
import { singly, standing } from './log'
import { NotesState } from './notes/notes.svelte'
import { nowKind, type NowKind } from './now'
import { admits, isSame, type Deed } from './offers'

export type Eyes = number | 'all'
export type Tab = 'table' | 'notes' | 'log' | 'chat'
export type { Deed }

/** What goes from one seat to another before everybody's eyes. */
export interface Flight {
  from: number
  to: number
  what: 'card' | 'question' | 'answer'
  /** The figure that is answered; null if it is not for these ears, nothing if there is none. */
  said?: number | null
}
/** A slam or an accusation, for everybody to see. */
export interface Loud {
  icon: IconName
  title: string
  text?: string
}
/** A moment of the past, as it was seen. */
export interface Look {
  seq: number
  view: unknown
  eyes: Eyes | null
}

/** How often what is seen late goes on. */
const FOLLOW_MS = 10_000
/** Refusals after which the page merely catches up: somebody was quicker. */
const OVERTAKEN = new Set(['stale', 'illegal', 'conflict'])

/** An answer of mine that is on its way. */
interface Tap {
  deed: Deed
  /** What I was told when I chose it: whatever comes later knows better. */
  told: Answer | null
}

/** One table on one page: what the server said, what is looked at, and the ways to ask for something. */
export class TableState {
  readonly feed: TableFeed
  readonly game: GameClient
  /** What the game's own components share while the page is open. */
  readonly own: unknown
  readonly notes: NotesState
  readonly hurry: Hurry
  /** Whether this is a closed case as somebody had it before them: nothing is written any more. */
  readonly retrospect: boolean = false
  looked = $state.raw<Look | null>(null)
  /** The eyes of a closed case's replay, until something is looked at with others. */
  through = $state.raw<Eyes>('all')
  /** Everything, once the case is closed. */
  truth = $state.raw<unknown>(null)
  tab = $state<Tab>('table')
  /** Whether the chat is open where all panels show at once. */
  talking = $state(false)
  busy = $state(false)
  #tapped = $state.raw<Tap | null>(null)
  #picked = $state.raw<{ since: number | null; deed: Deed } | null>(null)
  /** What is on its way from seat to seat; a game says so when it hears of it. */
  passing = $state.raw<readonly Flight[]>([])
  bang = $state.raw<Loud | null>(null)
  /** Whether everybody was called to a rematch while this page was open. */
  called = $state(false)
  #looking = 0
  /** What is to be looked at as soon as the look before it was answered. */
  #wish: { seq: number; eyes: Eyes | null } | null = null
  #asking = false

  constructor(feed: TableFeed, game: GameClient) {
    this.feed = feed
    this.game = game
    this.notes = this.takeNotes()
    this.hurry = new Hurry(this)
    this.own = game.state?.(this)
  }

  /** The notes that belong to this table. */
  protected takeNotes(): NotesState {
    return new NotesState(this)
  }
  /** Keep a mark of mine, or free words, where they are kept. */
  async keepMark(cell: string, mark: string): Promise<void> {
    await socket.ask({ type: 'mark', table: this.id, cell, mark })
  }
  async keepWords(text: string): Promise<void> {
    await socket.ask({ type: 'jot', table: this.id, text })
  }

  get id(): string {
    return this.feed.id
  }
  get room(): Room {
    return this.feed.room as Room
  }
  get now(): Table {
    return this.feed.now as Table
  }
  get me(): number | null {
    return this.room.me
  }
  /** The table as it is shown: as it stands, or as it stood. */
  view = $derived.by(() => (this.looked ? this.looked.view : this.now.view))
  offers = $derived<readonly OfferNow[]>(this.looked || this.standsIn || this.room.paused ? [] : this.now.offers)
  /** What the game goes on with, without what may be done at any time. */
  moves = $derived<readonly OfferNow[]>(this.now.offers.filter(({ action }) => !this.#interrupts(action)))
  names = $derived(this.room.chairs.map(({ name }, seat) => name || t('table.seat', { number: seat + 1 })))
  log = $derived.by(() => standing(this.feed.log))
  groups = $derived.by<readonly Group[]>(() => this.game.grouped?.(this.log) ?? singly(this.log))
  kind = $derived.by<NowKind>(() =>
    nowKind({
      online: socket.state !== 'offline',
      looking: this.looked !== null,
      over: this.over,
      paused: this.room.paused,
      me: this.me,
      standIn: this.standsIn,
      asked: this.asked,
      offers: this.moves.length,
      out: this.me !== null && this.about(this.me).out === true,
    }),
  )

  /** The table of the rematch at which my chair is kept. */
  get rematch(): string | null {
    const { rematch } = this.room
    return this.me !== null && rematch !== this.id ? rematch : null
  }
  get over(): boolean {
    return this.now.outcome !== null || this.now.closed
  }
  /** The seats that the table waits for; none where it waits for time alone. */
  get awaited(): readonly number[] {
    return this.now.awaiting.filter((seat) => seat >= 0)
  }
  /** Whether a bot plays my seat. */
  get standsIn(): boolean {
    return this.me !== null && this.chair(this.me)?.stand_in != null
  }
  /** Whether I am out and know what the others still look for. */
  get informed(): boolean {
    return this.me !== null && this.now.informed.includes(this.me)
  }
  /** Whether an answer of mine is due. */
  get asked(): boolean {
    if (this.me === null || !this.moves.length) return false
    if (this.room.answer !== null) return true
    return this.now.awaiting.includes(this.me) && this.game.answering?.(this) === true
  }
  /** The answer that I owe: as it was told, or as I have chosen since. */
  due = $derived.by<Answer | null>(() => {
    const [told, tap] = [this.room.answer, this.#tapped]
    return told && tap?.told === told ? { ...told, selected: tap.deed, chosen: true, kept: false } : told
  })
  /** The answer that the button would give: what I picked for this question, or else what would be given anyway. */
  get picked(): Deed | null {
    const pick = this.#picked
    if (pick && pick.since === (this.room.answer?.since ?? null)) return pick.deed
    return this.due?.selected as Deed | null
  }
  /** Whether the table waits for my answer, whatever I hold: an order answers for whoever has given one. */
  get awaitsMe(): boolean {
    return this.due?.left_ms === null || ((this.room.pace === 'unhurried' || this.alone) && this.room.order === null)
  }
  /** Whether it does so without a clock. */
  get unclocked(): boolean {
    return this.awaitsMe && this.room.allowance.type === 'untimed'
  }
  /** Whether I play among bots at a pace of my own: what I answer is answered at once, and nobody else is hurried past. */
  get alone(): boolean {
    return this.me !== null && (this.room.pace === 'brisk' || this.room.pace === 'at_once')
  }
  /** As of which event the notes are asked for, and whose; null where nobody has any. */
  get noted(): { seq: number | null; eyes?: number } | null {
    return this.me === null ? null : { seq: this.looked?.seq ?? null }
  }
  /** Whose eyes the shown view is: mine, or those of a closed case's replay. */
  get eyes(): Eyes | null {
    return this.looked?.eyes ?? this.me
  }

  chair(seat: number): Chair | undefined {
    return this.room.chairs[seat]
  }
  name(seat: number): string {
    return this.names[seat] ?? t('table.seat', { number: seat + 1 })
  }
  /** "Ada and Benno" */
  listed(seats: readonly number[]): string {
    return listed(
      seats.map((seat) => this.name(seat)),
      i18n.language,
    )
  }
  identity(seat: number): number {
    return this.game.identity(this.now.view, seat)
  }
  about(seat: number) {
    return this.game.about?.(this, seat) ?? {}
  }
  offer(action: string): OfferNow | undefined {
    return this.offers.find((offer) => offer.action === action)
  }
  /** The offer that this deed takes up: one action may be on offer several times, with other choices. */
  taking(deed: Deed): OfferNow | undefined {
    return this.offers.find((offer) => offer.action === deed.type && admits(offer, deed))
  }
  #interrupts(action: string): boolean {
    return this.game.interrupts?.includes(action) ?? false
  }
  /** The values on offer for a field of an action. */
  choices<V extends string | number>(action: string, field: string): V[] {
    return (this.offer(action)?.choices[field]?.of ?? []) as V[]
  }

  /** A log line or a reason in words. */
  say(message: Message): string {
    // What the house itself tells, such as a move taken back, stands in the table's own texts.
    if (!has(this.game.id, message.key)) return this.#house(message)
    return say(message, this.game.id, this.names)
  }
  #house(message: Message): string {
    const said = Object.entries(message.params).map(([name, param]) => [
      name,
      typeof param === 'object' && !Array.isArray(param) && param.type === 'who'
        ? this.name(param.seat)
        : String(param),
    ])
    return t(`house.${message.key}`, Object.fromEntries(said) as Record<string, string>, 'house.other')
  }
  /** Words of the game, by key. */
  gt(key: string, params: Record<string, string | number> = {}): string {
    return gt(this.game.id, key, params)
  }
  term(word: string): string {
    return gt(this.game.id, `term.${word}`)
  }

  /** Do what is on offer. */
  async act(deed: Deed): Promise<boolean> {
    const offer = this.taking(deed)
    if (!offer || this.busy) return false
    return this.#ask(() => socket.ask({ type: 'act', table: this.id, since: offer.since, action: deed }))
  }
  /**
   * Answer what I am asked: noted now, given when its moment comes. The reply comes when it is stored, which may take a
   * while; until it is given I may choose anew, so nothing is busy meanwhile.
   */
  async answer(deed: Deed): Promise<boolean> {
    if (!this.asked || this.#interrupts(deed.type)) return this.act(deed)
    const since = this.room.answer?.since ?? this.taking(deed)?.since
    if (since === undefined) return false
    if (this.due?.chosen && isSame(this.due.selected, deed)) return true
    const tap = (this.#tapped = { deed, told: this.room.answer })
    try {
      await socket.ask({ type: 'select', table: this.id, since, action: deed })
      return true
    } catch (error) {
      // What I have chosen instead speaks for itself.
      if (this.#tapped === tap) this.#overtaken(error)
      return false
    } finally {
      if (this.#tapped === tap) this.#tapped = null
    }
  }
  /**
   * Pick an answer: a tap picks, the button gives. Where a clock runs it is noted as well, so that what is marked is what
   * is given when the time is up; where the table waits for me nothing is said before the button.
   */
  pick(deed: Deed): void {
    this.#picked = { since: this.room.answer?.since ?? null, deed }
    if (this.room.answer !== null && !this.awaitsMe) void this.answer(deed)
  }
  undo(): Promise<boolean> {
    return this.#ask(() => socket.ask({ type: 'undo', table: this.id }))
  }
  handOver(): Promise<boolean> {
    return this.#ask(() => socket.ask({ type: 'hand_over', table: this.id }))
  }
  takeBack(): Promise<boolean> {
    return this.#ask(() => socket.ask({ type: 'take_back', table: this.id }))
  }
  pause(wish: boolean): Promise<boolean> {
    return this.#ask(() => socket.ask({ type: 'pause', table: this.id, wish }))
  }
  resume(): Promise<boolean> {
    return this.#ask(() => socket.ask({ type: 'resume', table: this.id }))
  }
  callStandIn(seat: number): Promise<boolean> {
    return this.#ask(() => socket.ask({ type: 'call_stand_in', table: this.id, seat }))
  }

  /** See the table as it stood after an event; while one ask is under way only the latest wish is kept. */
  async look(seq: number, eyes: Eyes | null = null): Promise<void> {
    this.#turn()
    this.#wish = { seq, eyes }
    if (this.#asking) return
    this.#asking = true
    try {
      while (this.#wish) await this.#see(this.#wish)
    } finally {
      this.#asking = false
    }
  }
  /**
   * Point to a moment: see it where the board is, whatever else lies over it on a small page; of a closed case through
   * the eyes that were chosen last, or all.
   */
  point(seq: number, eyes: Eyes | null = this.over ? (this.looked?.eyes ?? this.through) : null): void {
    void this.look(seq, eyes)
    this.tab = 'table'
  }
  async #see({ seq, eyes }: { seq: number; eyes: Eyes | null }): Promise<void> {
    const number = this.#looking
    this.#wish = null
    try {
      const { view } = await socket.ask({ type: 'look', table: this.id, seq, eyes })
      if (number === this.#looking) this.looked = { seq, view, eyes }
    } catch (error) {
      if (number === this.#looking) complain(error)
    }
  }
  /** Turn to something else: whatever was still to be seen is not wanted any more. */
  #turn(): number {
    this.#wish = null
    return ++this.#looking
  }
  /** See all hands as they were a while ago, where all who play have agreed; follows until something else is looked at. */
  async peek(): Promise<void> {
    const number = this.#turn()
    const { seq, view } = await socket.ask({ type: 'peek', table: this.id })
    if (number !== this.#looking) return
    this.looked = { seq, view, eyes: 'all' }
    this.truth = view
    setTimeout(() => {
      if (number === this.#looking && !this.over) this.peek().catch(() => this.backToNow())
    }, FOLLOW_MS)
  }
  /** Lay everything open; only a closed case can be. */
  async reveal(): Promise<void> {
    try {
      this.truth = (await socket.ask({ type: 'look', table: this.id, seq: this.now.seq, eyes: 'all' })).view
    } catch (error) {
      complain(error)
    }
  }
  backToNow(): void {
    this.#turn()
    this.looked = null
    if (!this.over) this.truth = null
  }
  /** The page is left: nothing goes on, nothing sounds, and nothing that was said stays. */
  leave(): void {
    this.#turn()
    this.game.leave?.(this)
    live.clear()
  }
  /** One event on or back from what is looked at; past the last one the present begins. */
  step(by: 1 | -1): void {
    const events = this.log
    const from = this.looked?.seq ?? events.at(-1)?.seq ?? 0
    const to = by > 0 ? events.find(({ seq }) => seq > from) : events.findLast(({ seq }) => seq < from)
    if (to && (by < 0 || to !== events.at(-1))) void this.look(to.seq, this.looked?.eyes)
    else if (by > 0) this.backToNow()
  }

  async #ask(ask: () => Promise<unknown>): Promise<boolean> {
    this.busy = true
    try {
      await ask()
      return true
    } catch (error) {
      this.#overtaken(error)
      return false
    } finally {
      this.busy = false
    }
  }
  /** Catch up if somebody was quicker, else say what went wrong. */
  #overtaken(error: unknown): void {
    if (!(error instanceof Refusal) || !OVERTAKEN.has(error.reason)) return complain(error)
    socket.refresh(this.id)
    toast(refusal('overtaken'))
  }
}
