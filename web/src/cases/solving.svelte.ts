import { tick } from 'svelte'
import type { GameClient } from '../games'
import { announce } from '../lib/live.svelte'
import { Refusal, socket, type Wish } from '../lib/socket.svelte'
import { complain, refusal, toast } from '../lib/toasts.svelte'
import { capital } from '../plain/words'
import type { Kit } from './kit'
import { CaseStage, linesOf } from './stage.svelte'
import type { Case, Entry, Mark, Ruling, Step } from './types'
import { c, linesSaid } from './words.svelte'

/** What was said of something last, and of what. */
export interface Said {
  of: 'claim' | 'mark'
  marks: readonly Mark[]
  turned: number
  ruling: Ruling
  /** Whether it was said just now, before these eyes. */
  fresh: boolean
}

/** What can be done with a case. */
type Deed = Extract<Wish, { type: 'turn_line' | 'claim_case' | 'check_mark' | 'give_up' }>

/** One case on one page: what the house said of it, what is looked at, and the ways to go on. */
export class Solving {
  readonly stage: CaseStage
  readonly kit: Kit
  posed = $state.raw<Case>() as Case
  /** What was said last; null until something was, and once it was put away. */
  said = $state.raw<Said | null>(null)
  /** The step of the proof that is shown, from 1 on; null while none is. */
  step = $state.raw<number | null>(null)
  busy = $state(false)

  constructor(posed: Case, game: GameClient, kit: Kit) {
    this.posed = posed
    this.kit = kit
    this.stage = new CaseStage(posed, game, kit)
    this.said = this.#lastSaid(false)
  }

  /** The lines that may be seen. */
  readonly lines = $derived.by(() => linesOf(this.posed))
  /** The lines that something points to: a clash, or a step of the proof. */
  readonly lit = $derived.by<readonly number[]>(() => {
    if (this.step !== null) return this.posed.result?.steps[this.step - 1]?.lines ?? []
    return this.said?.ruling.kind === 'impossible' ? this.said.ruling.lines : []
  })
  get over(): boolean {
    return this.posed.result !== null
  }
  get left(): number {
    return this.posed.total - this.posed.turned
  }

  /** Turn the next line. */
  async turn(): Promise<void> {
    const { turned, total } = this.posed
    if (!(await this.#ask({ type: 'turn_line', case: this.posed.case, turned }))) return
    this.said = null
    const line = this.posed.lines.at(-1)
    if (line) announce([c('line.of', { number: turned + 1, total }), ...this.sentences(line)].join(' '))
  }
  /** Claim an answer. */
  async claim(claim: readonly Entry[]): Promise<void> {
    const { turned } = this.posed
    const entries = claim.map(([row, column]): [string, string] => [row, column])
    if (!(await this.#ask({ type: 'claim_case', case: this.posed.case, turned, claim: entries }))) return
    this.said = this.#lastSaid(true)
  }
  /** Have a mark of the sheet checked. */
  async check({ row, column, held }: Mark): Promise<void> {
    const { turned } = this.posed
    if (!(await this.#ask({ type: 'check_mark', case: this.posed.case, turned, row, column, held }))) return
    const hint = this.posed.hints.at(-1)
    if (hint) this.said = { of: 'mark', marks: [hint], turned: hint.turned, ruling: hint.ruling, fresh: true }
  }
  async giveUp(): Promise<void> {
    const { turned } = this.posed
    if (await this.#ask({ type: 'give_up', case: this.posed.case, turned })) this.said = null
  }

  /** Show a step of the proof, or none. */
  show(step: number | null): void {
    const steps = this.posed.result?.steps ?? []
    const wanted = step === null ? null : Math.min(steps.length, Math.max(1, step))
    if (wanted === this.step) return
    this.step = wanted
    const before = steps.slice(0, (this.step ?? 1) - 1).flatMap(({ settles }) => settles)
    const now = this.step === null ? [] : (steps[this.step - 1]?.settles ?? [])
    this.stage.mark(this.step === null ? [] : [...before, ...now], now)
    const shown = this.step === null ? undefined : steps[this.step - 1]
    if (!shown) return
    const which = c('proof.step', { step: this.step ?? 0, of: steps.length })
    const words = [`${which}.`, this.stepSaid(shown), this.restsSaid(shown)].join(' ').trim()
    // After what takes the focus for it.
    void tick().then(() => announce(words))
  }

  /** "Rope: Basil; Knife: not Basil" */
  marksSaid(marks: readonly Mark[]): string {
    return marks.map((mark) => this.kit.mark(this.stage, mark)).join('; ')
  }
  /** What was claimed: by its things, or by the holder of the one thing that was asked for. */
  claimSaid(marks: readonly Mark[]): string {
    const { form } = this.posed.question
    const said = marks.map((mark, place) => {
      const group = form[place] ?? []
      return group.every(([row]) => row === mark.row)
        ? this.kit.mark(this.stage, mark)
        : capital(this.kit.row(this.stage, mark.row))
    })
    return said.join(', ')
  }
  /** A step of the proof in one or two sentences. */
  stepSaid({ kind, lines, settles, cases }: Step): string {
    const params = { lines: linesSaid(lines.length ? lines : [0]), marks: this.marksSaid(settles) }
    const said = c(`case.step.${kind}`, params, 'case.step.together')
    return capital(cases ? `${said} ${c('case.step.cases')}` : said)
  }

  /** What a step takes from those before it. */
  restsSaid({ rests }: Step): string {
    return rests.length ? c('proof.rests', { marks: this.marksSaid(rests) }) : ''
  }

  /** A line in the words of the game's log. */
  sentences(line: Case['lines'][number]): string[] {
    return line.map((told) => this.stage.say(told.line)).filter(Boolean)
  }
  /** What was ruled, in one sentence. */
  sentence({ of, ruling, turned }: Said): string {
    if (ruling.kind === 'heard') return c('heard.short')
    if (ruling.kind === 'impossible') {
      const turnedOnes = ruling.lines.some((line) => line > 0)
      if (!turnedOnes) return c('impossible.given')
      return c('impossible.text', { lines: linesSaid(ruling.lines), count: ruling.lines.length })
    }
    if (ruling.kind === 'unproved') return c('unproved.text')
    if (of === 'mark') return c('proved.mark')
    const { result } = this.posed
    return c('solved.at', { at: result?.at ?? turned, par: result?.par ?? turned })
  }

  #lastSaid(fresh: boolean): Said | null {
    const last = this.posed.tries.at(-1)
    if (!last) return null
    const marks = last.claim.map(([row, column]) => ({ row, column, held: true }))
    // What was said before more lines were turned is history.
    if (!fresh && last.turned !== this.posed.turned) return null
    return { of: 'claim', marks, turned: last.turned, ruling: last.ruling, fresh }
  }

  async #ask(wish: Deed): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    try {
      this.#take(await socket.ask(wish))
      return true
    } catch (error) {
      await this.#refused(error)
      return false
    } finally {
      this.busy = false
    }
  }
  /** Another page of mine was quicker: see what it has done. */
  async #refused(error: unknown): Promise<void> {
    if (!(error instanceof Refusal) || error.reason !== 'stale') return complain(error)
    try {
      this.#take(await socket.ask({ type: 'open_case', case: this.posed.case }))
      this.said = this.#lastSaid(false)
      toast(refusal('stale'))
    } catch (again) {
      complain(again)
    }
  }
  #take(posed: Case): void {
    this.posed = posed
    this.step = null
    this.stage.take(posed)
  }
}
