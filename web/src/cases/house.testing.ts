import type { Case, Challenge, Claim, ProofStep, Question, Today, Told } from '../lib/protocol'
import type { Wish } from '../lib/socket.svelte'

type Ruled = Pick<Claim, 'turned' | 'claim' | 'ruling'>

/** A case with everything that may be told of it, as `python -m tests.browser.case_frames` writes it down. */
export interface Recorded {
  game: string
  seat: number
  seats: number
  question: Question
  rows: string[]
  columns: string[]
  given: Told[]
  lines: Told[][]
  /** After so many lines. */
  views: unknown[]
  answer: [string, string][]
  par: number
  steps: ProofStep[]
  unproved: Ruled
  impossible: Ruled
}

/** The challenge of the day beside the cases: nobody has played it. */
const CHALLENGE: Challenge = {
  day: '2026-11-18',
  left_ms: 3_600_000,
  game: 'clue',
  levels: [null, 'detective', 'detective', 'detective'],
  assistance: 'facts',
  state: 'new',
  table: null,
  results: [],
}

/** A house that knows recorded cases by heart: it judges the claims that were recorded, and the right one from par on. */
export class House {
  readonly cases: Record<string, Case> = {}
  /** How many lines another page of mine has turned meanwhile. */
  ahead = 0
  readonly asked: Wish[] = []
  readonly #recorded: Record<string, Recorded>
  streak = 2
  fault = false
  making = false

  constructor(recorded: Record<string, Recorded>) {
    this.#recorded = recorded
  }

  /** The reply to an ask; throws what a refusal would say. */
  answer(wish: Wish): unknown {
    this.asked.push(wish)
    switch (wish.type) {
      case 'read_today':
        return this.#today()
      case 'read_archive':
        return { days: wish.before ? [] : [{ day: '2026-11-17', cards: this.#today().cards }], fault: false }
      case 'open_case':
        return this.#of(wish.case)
      case 'turn_line':
        return this.#done(wish.case, wish.turned, (now) => ({ turned: now.turned + 1 }))
      case 'claim_case':
        return this.#done(wish.case, wish.turned, (now) => this.#claimed(now, wish.claim))
      case 'check_mark':
        return this.#done(wish.case, wish.turned, (now) => {
          const { row, column, held } = wish
          const ruling = this.#at(now.case).unproved.ruling as never
          return { hints: [...now.hints, { turned: now.turned, row, column, held, ruling }] }
        })
      case 'give_up':
        return this.#done(wish.case, wish.turned, (now) => this.#over(now, false))
      case 'read_challenge':
        return CHALLENGE
      default:
        return null
    }
  }

  #today(): Today {
    const cards = Object.entries(this.#recorded).map(([id, { game, seats, lines }]) => {
      const now = this.cases[`2026-11-18.${id}`]
      return {
        case: `2026-11-18.${id}`,
        game,
        weekday: 3,
        heard: false,
        seats,
        state: now?.state ?? ('new' as const),
        turned: now?.turned ?? 0,
        total: lines.length,
        guesses: now?.tries.filter(({ ruling }) => ruling.kind !== 'proved').length ?? 0,
        hints: now?.hints.length ?? 0,
        par: now?.result?.par ?? null,
        solved_here: 12,
      }
    })
    const now = Date.UTC(2026, 10, 18, 18, 30)
    const next_at = Date.UTC(2026, 10, 19)
    return {
      day: '2026-11-18',
      now,
      next_at,
      cards,
      streak: this.streak,
      best_streak: 9,
      fault: this.fault,
      making: this.making,
    }
  }
  #at(id: string): Recorded {
    return this.#recorded[id.slice('2026-11-18.'.length)] as Recorded
  }
  #of(id: string): Case {
    const { game, question, seats, seat, lines, given, rows, columns, views } = this.#at(id)
    return (this.cases[id] ??= {
      case: id,
      game,
      weekday: 3,
      question,
      seats,
      seat,
      state: 'begun',
      turned: 1,
      total: lines.length,
      given,
      lines: lines.slice(0, 1),
      rows,
      columns,
      groups: [],
      view: views[1],
      tries: [],
      hints: [],
      started_at: 0,
      ended_at: null,
      result: null,
    })
  }
  #done(id: string, turned: number, change: (now: Case) => Partial<Case>): Case {
    const { lines, views } = this.#at(id)
    const set = (more: Partial<Case>) => {
      const now = { ...this.#of(id), ...more }
      return (this.cases[id] = { ...now, lines: lines.slice(0, now.turned), view: views[now.turned] })
    }
    if (this.ahead) {
      set({ turned: this.#of(id).turned + this.ahead })
      this.ahead = 0
    }
    if (turned !== this.#of(id).turned) throw new Error('stale')
    return set(change(this.#of(id)))
  }
  #claimed(now: Case, claim: [string, string][]): Partial<Case> {
    const { answer, par, unproved, impossible } = this.#at(now.case)
    const right = JSON.stringify(claim) === JSON.stringify(answer)
    const ruling: Claim['ruling'] =
      right && now.turned >= par ? { kind: 'proved' } : now.turned >= par ? impossible.ruling : unproved.ruling
    const tries = [...now.tries, { turned: now.turned, claim, ruling }]
    if (ruling.kind === 'proved') return { tries, ...this.#over({ ...now, tries }, true) }
    return now.turned === now.total ? { tries, ...this.#over({ ...now, tries }, false) } : { tries }
  }
  #over(now: Case, solved: boolean): Partial<Case> {
    const { answer, par, steps, lines } = this.#at(now.case)
    const guesses = now.tries.filter(({ ruling }) => ruling.kind !== 'proved').length
    const hints = now.hints.length
    const result = { solved, at: now.turned, par, guesses, hints, answer, steps, lines, solved_here: 13 }
    return { state: solved ? 'solved' : 'missed', ended_at: 1, result }
  }
}
