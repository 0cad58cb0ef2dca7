import { announce } from '../lib/live.svelte'
import type { Advised, Message } from '../lib/protocol'
import { complain } from '../lib/toasts.svelte'
import { socket } from '../lib/socket.svelte'
import { keep, recall } from '../lib/store'
import { isLit } from '../table/now'
import type { TableState } from '../table/state.svelte'
import { holds, said, type Lesson, type Moment, type Said, type Step } from './lesson'
import type { Words } from './words.svelte'

/** What is said while others play stays for so long, unless one goes on. */
const READING_MS = 7000

/** What is different from a usual game is said behind the first step. */
const DIFFERS: Step = { text: 'guide.differs', when: {}, at: null }

/** How far a guide has come, as this browser keeps it. */
export interface Kept {
  table: string
  shown: readonly { text: string; texts: readonly string[]; about: number | null }[]
  away: boolean
  /** Which of them was read last. */
  read: number
}

export const keptOf = (table: string): Kept | null => {
  const kept = recall<Kept | null>('lesson', null)
  return kept?.table === table ? kept : null
}

/** Goes through a lesson's steps: at each moment the first that was not yet shown and fits. It never holds a move up. */
export class Guide {
  readonly #table: TableState
  readonly #words: Words
  readonly lesson: Lesson
  /** In the order in which they were said. */
  shown = $state.raw<readonly Said[]>([])
  /** Which of them is read. */
  at = $state(0)
  away = $state(false)
  #advised = $state.raw<Advised | null>(null)
  #asked = 0
  /** How far they have been read: whoever turns back is not hurried on. */
  #read = 0
  #since = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(table: TableState, words: Words, lesson: Lesson) {
    this.#table = table
    this.#words = words
    this.lesson = lesson
    const kept = keptOf(table.id)
    if (!kept) return
    const steps = [DIFFERS, ...lesson.steps]
    this.shown = kept.shown.flatMap(({ text, texts, about }) =>
      steps.filter((step) => step.text === text).map((step) => ({ step, texts, about })),
    )
    this.at = this.#read = Math.max(0, Math.min(kept.read, this.shown.length - 1))
    this.away = kept.away
  }

  get now(): Said | undefined {
    return this.shown[this.at]
  }

  get count(): number {
    return this.lesson.steps.length + (this.#words.differs.length ? 1 : 0)
  }

  /** Whether what is read is so at this moment, and not only when it was said. */
  get stands(): boolean {
    const step = this.now?.step
    return step !== undefined && (step.when.offer === undefined || holds(step.when, this.#moment))
  }

  /** What a careful player would do now; null while that is not known, or there is nothing to choose. */
  get advice(): Message | null {
    return this.#advised?.seq === this.#table.now.seq ? this.#advised.line : null
  }

  get #moment(): Moment {
    const table = this.#table
    const offers = table.game.telling?.(table) ? [] : table.offers
    return { offers, log: table.log, cells: table.notes.sheet?.cells ?? [] }
  }

  /** Take in how the table stands. */
  look(): void {
    this.#seekAdvice()
    const moment = this.#moment
    const left = this.lesson.steps.filter((step) => !this.shown.some((one) => one.step === step))
    const fresh = left.filter((step) => holds(step.when, moment)).map((step) => said(step, moment))
    if (!fresh.length) return this.#later()
    const differs = this.#words.differs
    if (!this.shown.length && differs.length) {
      fresh.splice(1, 0, { step: DIFFERS, texts: [DIFFERS.text, ...differs], about: null })
    }
    // What I may do now comes at once; what happens among others waits until the rest has been read.
    const mine = fresh.filter(({ step }) => step.when.offer !== undefined)
    const others = fresh.filter((one) => !mine.includes(one))
    const read = this.shown.length && this.#read + 1
    this.shown = read ? [...this.shown.slice(0, read), ...mine, ...this.shown.slice(read), ...others] : fresh
    this.#keep()
    if (!this.away) for (const { texts } of fresh) announce(texts.map((text) => this.#words.say(text)).join(' '))
    if (mine.length || read === 0) this.go(read)
    else this.#later()
  }

  /** Read another step. */
  go(at: number): void {
    this.at = Math.min(this.shown.length - 1, Math.max(0, at))
    this.#read = Math.max(this.#read, this.at)
    this.#since = Date.now()
    this.#keep()
    this.#later()
  }

  /** Go on to what was said meanwhile, but not away from what I am to do now. */
  #later(): void {
    clearTimeout(this.#timer)
    const now = this.now?.step
    if (!this.shown[this.at + 1] || this.at < this.#read) return
    if (isLit(this.#table.kind) && now?.when.offer !== undefined && this.stands) return
    if (this.#table.game.telling?.(this.#table)) return // and not away from what is being heard
    const reading = this.stands ? READING_MS * (socket.welcome?.haste ?? 1) : 0
    const left = this.#since + reading - Date.now()
    this.#timer = setTimeout(() => this.go(this.at + 1), left)
  }

  /** Ask once for each moment at which I am to do something. */
  #seekAdvice(): void {
    const table = this.#table
    const seq = table.now.seq
    if (!isLit(table.kind) || this.#asked === seq) return
    this.#asked = seq
    socket.ask({ type: 'give_advice', table: table.id }).then((given) => (this.#advised = given), complain)
  }

  toggle(): void {
    this.away = !this.away
    this.#keep()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #keep(): void {
    const shown = this.shown.map(({ step, texts, about }) => ({ text: step.text, texts, about }))
    keep('lesson', { table: this.#table.id, shown, away: this.away, read: this.#read } satisfies Kept)
  }
}
