/* eslint svelte/prefer-svelte-reactivity: off -- the sheet is made anew with every change, never changed */
import type { GameClient, Group } from '../games'
import { TableFeed } from '../lib/feed.svelte'
import type { Chair, Cell, Room, Table, Told } from '../lib/protocol'
import { cellKey, NotesState } from '../table/notes/notes.svelte'
import { TableState } from '../table/state.svelte'
import type { Kit } from './kit'
import { kept, keepOf } from './kept'
import { isHeard, type Case, type Entry, type Mark } from './types'
import { c } from './words.svelte'

/** Whoever sits there was never anybody: the same names as in the reports of the command line, in every language. */
const NAMES = ['Agatha', 'Basil', 'Celeste', 'Dashiell', 'Edgar', 'Fjodor']

function chairOf(seat: number, me: number): Chair {
  const name = NAMES[seat % NAMES.length] as string
  return {
    seat,
    kind: 'person',
    name: seat === me ? c('you.named', { name }) : name,
    level: null,
    away_ms: null,
    stand_in: null,
    lapsed: false,
    time: null,
    wants_pause: false,
    wants_pace: null,
    agrees: false,
    called: false,
    may: [],
  }
}

function roomOf(posed: Case): Room {
  const { marks, words } = kept(posed.case)
  return {
    type: 'room',
    table: posed.case,
    game: posed.game,
    deal: null,
    duel: null,
    options: {},
    public: false,
    assistance: 'facts',
    pace: 'at_once',
    paces: [],
    allowance: { type: 'untimed' },
    stage: 'playing',
    me: posed.seat,
    host: null,
    chairs: Array.from({ length: posed.seats }, (_, seat) => chairOf(seat, posed.seat)),
    may: [],
    code: null,
    seat_key: null,
    commitment: '',
    answer: null,
    orders: [],
    order: null,
    hook: null,
    open_hands: false,
    late_ms: 0,
    limit_ms: null,
    closes_ms: null,
    paused: false,
    marks,
    jotting: words,
    away_from: null,
    rematch: null,
    heard: 0,
    lesson: false,
  }
}

function tableOf(posed: Case, seq: number): Table {
  return {
    type: 'table',
    table: posed.case,
    after: seq,
    seq,
    awaiting: [],
    outcome: null,
    informed: [],
    closed: false,
    clips: [],
    events: [],
    view: posed.view,
    offers: [],
    may_undo: false,
  }
}

/** A line is one entry with its number, whatever a game makes of it at a table. */
function groupsOf(given: readonly Told[], lines: readonly (readonly Told[])[]): Group[] {
  const groups = lines.map((line, place) => ({ seat: null, number: place + 1, lines: line }))
  return given.length ? [{ seat: null, lines: given, quiet: true }, ...groups] : groups
}

/** The sheet of a case: what was seen stands there by itself, and my marks are kept on this device. */
class CaseNotes extends NotesState {
  override get assisted(): boolean {
    return true
  }
  override get proves(): boolean {
    return false
  }
  override refresh(): Promise<void> {
    return Promise.resolve()
  }
}

/**
 * The table of a case to solve, as far as its lines are turned: a game's own sheet and pictures show it as they show any
 * table, and nothing can be done there.
 */
export class CaseStage extends TableState {
  readonly kit: Kit
  /** Somebody points to an event, such as an answer in a game's list of questions. */
  pointed: ((seq: number) => void) | null = null
  #case: Case
  readonly #grouped: { of: Case }

  constructor(posed: Case, game: GameClient, kit: Kit) {
    const grouped = { of: posed }
    const feed = new TableFeed(posed.case)
    feed.room = roomOf(posed)
    feed.now = tableOf(posed, 0)
    super(feed, { ...game, grouped: () => groupsOf(grouped.of.given, linesOf(grouped.of)) })
    this.kit = kit
    this.#case = posed
    this.#grouped = grouped
    this.take(posed)
  }

  /** Show what is known by now. */
  take(posed: Case): void {
    this.#case = posed
    this.#grouped.of = posed
    const log = [...posed.given, ...linesOf(posed).flat()]
    this.feed.log = log
    this.feed.now = tableOf(posed, log.at(-1)?.seq ?? 0)
    this.mark([])
  }
  /** Write on the sheet, beside what was seen, what a proof has settled so far; point to what it settles now. */
  mark(settled: readonly Mark[], now: readonly Mark[] = []): void {
    const { rows, columns } = this.#case
    const cells = new Map<string, Cell>()
    const put = (row: string, column: string, held: boolean, source: Cell['source']) => {
      const key = cellKey(row, column)
      if (!cells.has(key)) cells.set(key, { row, column, mark: held ? 'yes' : 'no', source, share: null })
    }
    // What is only heard proves nothing, and of a colour many cubes lie about.
    const nothing = isHeard(this.#case)
    for (const [row, column] of nothing ? [] : this.kit.seen(this)) put(row, column, true, 'seen')
    const seen = [...cells.values()]
    for (const { row, column } of seen)
      for (const other of columns) if (other !== column) put(row, other, false, 'seen')
    // My own hand is all there: what is not in it is elsewhere.
    if (!nothing) for (const row of rows) put(row, String(this.me), false, 'seen')
    for (const { row, column, held } of settled) put(row, column, held, 'follows')
    this.notes.sheet = {
      seq: this.now.seq,
      cells: [...cells.values()],
      solutions: null,
      worlds: null,
      bits: null,
      assumes: [],
      clash: [],
    }
    this.notes.lit = new Set(now.map(({ row, column }) => cellKey(row, column)))
  }
  /** My mark in a cell as a statement that can be checked; null where there is none. */
  marked(row: string, column: string): Mark | null {
    const mark = this.notes.mark(row, column)
    return mark === 'yes' || mark === 'no' ? { row, column, held: mark === 'yes' } : null
  }

  protected override takeNotes(): NotesState {
    return new CaseNotes(this)
  }
  override keepMark(cell: string, mark: string): Promise<void> {
    const { [cell]: _, ...others } = this.room.marks
    const marks = mark ? { ...others, [cell]: mark } : others
    this.feed.room = { ...this.room, marks }
    keepOf(this.id, { marks, words: this.room.jotting })
    return Promise.resolve()
  }
  override keepWords(text: string): Promise<void> {
    this.feed.room = { ...this.room, jotting: text }
    keepOf(this.id, { marks: this.room.marks, words: text })
    return Promise.resolve()
  }
  override get noted(): null {
    return null
  }
  override act(): Promise<boolean> {
    return Promise.resolve(false)
  }
  override point(seq: number): void {
    this.pointed?.(seq)
  }
  override look(seq: number): Promise<void> {
    this.pointed?.(seq)
    return Promise.resolve()
  }
}

/** The lines that may be seen: those that are turned, and all of them at the end. */
export const linesOf = (posed: Case): readonly (readonly Told[])[] => posed.result?.lines ?? posed.lines

/** Whether two entries are the same. */
export const isEntry = ([row, column]: Entry, [otherRow, otherColumn]: Entry) =>
  row === otherRow && column === otherColumn
