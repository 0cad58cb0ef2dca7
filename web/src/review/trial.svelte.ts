import { Refusal } from '../lib/socket.svelte'
import { complain } from '../lib/toasts.svelte'
import type { Deed, TableState } from '../table/state.svelte'
import { choices, isBest, isGood, whyNot } from './quiz'
import type { Reading } from './reading.svelte'
import type { Decision, Option, Verdict } from './types'
import { answerSaid, chanceSaid, measured, r, tell } from './words.svelte'

export type Way = 'choose' | 'find'

/** Trying decisions again: first all of them with a few choices, then all of them on the table itself. */
export class Trial {
  at = $state(0)
  way = $state.raw<Way>('choose')
  /** What came of the last try; null before it. */
  result = $state.raw<{ good: boolean; text: string } | null>(null)
  /** Whether the answer was asked for. */
  shown = $state(false)
  over = $state(false)
  busy = $state(false)
  readonly #table: TableState
  readonly #reading: Reading

  constructor(
    table: TableState,
    reading: Reading,
    readonly seat: number,
    readonly decisions: readonly Decision[],
    /** One alone has its one way; several have both, one after the other. */
    readonly only: Way | null = null,
  ) {
    this.#table = table
    this.#reading = reading
    this.way = only ?? 'choose'
  }

  get decision(): Decision {
    return this.decisions[this.at] as Decision
  }
  get options(): readonly Option[] {
    return choices(this.decision)
  }
  /** Whether it may be told what the judge says. */
  get open(): boolean {
    return this.shown || this.result?.good === true
  }
  get progress(): string {
    if (this.decisions.length === 1) return ''
    return r(`retry.round.${this.way}`, { at: this.at + 1, all: this.decisions.length })
  }

  /** What the judge holds to be best. */
  get best(): string {
    const { best, taken, unit } = this.decision.verdict
    const { line, value } = best[0] ?? taken
    return r('retry.best', { line: tell(this.#table, line), value: measured(value, unit) })
  }

  async choose(option: Option): Promise<void> {
    if (option.action) return this.act(option.action)
    const good = isBest(this.decision, option)
    this.result = { good, text: this.#said(good, { ...this.decision.verdict, taken: option }) }
  }
  /** Try something. */
  async act(deed: Deed): Promise<void> {
    if (this.busy || this.open) return
    this.busy = true
    const { decision } = this
    try {
      const verdict = await this.#reading.retry(this.seat, decision.seq, deed)
      if (decision !== this.decision) return
      const good = verdict !== null && isGood(verdict)
      this.result = { good, text: verdict ? this.#said(good, verdict) : r('retry.ungraded') }
    } catch (error) {
      if (error instanceof Refusal) complain(error)
      else throw error
    } finally {
      this.busy = false
    }
  }
  #said(good: boolean, verdict: Verdict): string {
    const { unit, taken, label } = verdict
    const value = measured(taken.value, unit)
    if (good) return r('retry.good', { label: r(`review.label.${label && isGood(verdict) ? label : 'best'}`), value })
    const why = whyNot(verdict)
    if ('certain' in why)
      return r('retry.certain', { line: answerSaid(this.#table, why.certain), chance: chanceSaid(why.certain.chance) })
    return r('retry.less', { value, best: measured(why.best, unit) })
  }

  next(): void {
    this.result = null
    this.shown = false
    if (this.at + 1 < this.decisions.length) this.at++
    else if (this.only === null && this.way === 'choose') [this.at, this.way] = [0, 'find']
    else this.over = true
  }
}
