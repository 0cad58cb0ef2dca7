import { announce } from '../lib/live.svelte'
import { socket } from '../lib/socket.svelte'
import { keep, recall } from '../lib/store'
import { isLit } from '../table/now'
import type { TableState } from '../table/state.svelte'
import { holds, type Lesson, type Step } from './lesson'
import type { Words } from './words.svelte'

/** What is said while others play stays for so long, unless one goes on. */
const READING_MS = 7000

interface Kept {
  table: string
  shown: readonly string[]
  away: boolean
}

/** Goes through a lesson's steps: at each moment the first that was not yet shown and fits. It never holds a move up. */
export class Guide {
  readonly #table: TableState
  readonly #words: Words
  readonly lesson: Lesson
  /** In the order in which they were said. */
  shown = $state.raw<readonly Step[]>([])
  /** Which of them is read. */
  at = $state(0)
  away = $state(false)
  /** How far they have been read: whoever turns back is not hurried on. */
  #read = 0
  #since = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(table: TableState, words: Words, lesson: Lesson) {
    this.#table = table
    this.#words = words
    this.lesson = lesson
    const kept = recall<Kept | null>('lesson', null)
    if (kept?.table !== table.id) return
    this.shown = kept.shown.flatMap((text) => lesson.steps.filter((step) => step.text === text))
    this.at = this.#read = Math.max(0, this.shown.length - 1)
    this.away = kept.away
  }

  get step(): Step | undefined {
    return this.shown[this.at]
  }

  /** Take in how the table stands. */
  look(): void {
    const table = this.#table
    const offers = table.game.telling?.(table) ? [] : table.offers
    const moment = { offers, log: table.log, cells: table.notes.sheet?.cells ?? [] }
    const fresh = this.lesson.steps.filter((step) => !this.shown.includes(step) && holds(step.when, moment))
    if (!fresh.length) return this.#later()
    // What I may do now comes at once; what happens among others waits until the rest has been read.
    const mine = fresh.filter(({ when }) => when.offer !== undefined)
    const others = fresh.filter((step) => !mine.includes(step))
    const read = this.shown.length && this.#read + 1
    this.shown = read ? [...this.shown.slice(0, read), ...mine, ...this.shown.slice(read), ...others] : fresh
    this.#keep()
    if (!this.away) for (const { text } of fresh) announce(this.#words.say(text))
    if (mine.length || read === 0) this.go(read)
    else this.#later()
  }

  /** Read another step. */
  go(at: number): void {
    this.at = Math.min(this.shown.length - 1, Math.max(0, at))
    this.#read = Math.max(this.#read, this.at)
    this.#since = Date.now()
    this.#later()
  }

  /** Go on to what was said meanwhile; while I am to do something, only to what is about that. */
  #later(): void {
    clearTimeout(this.#timer)
    const next = this.shown[this.at + 1]
    if (!next || this.at < this.#read || (isLit(this.#table.kind) && next.when.offer === undefined)) return
    const left = this.#since + READING_MS * (socket.welcome?.haste ?? 1) - Date.now()
    this.#timer = setTimeout(() => this.go(this.at + 1), left)
  }

  toggle(): void {
    this.away = !this.away
    this.#keep()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #keep(): void {
    keep('lesson', { table: this.#table.id, shown: this.shown.map(({ text }) => text), away: this.away })
  }
}
