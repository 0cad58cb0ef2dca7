import type { Told } from '../../lib/protocol'
import { play as sound, THEN_S } from '../../lib/sound'
import type { TableState } from '../../table/state.svelte'
import { pathOf, SUSPECTS, type Point } from './places'
import type { AnyEvent, Room, State, Suspect, Trio, Weapon } from './types'

export type Card = Suspect | Weapon | Room
export type Naming = 'Suggest' | 'StayAndSuggest' | 'Accuse'
/** What takes the board's place, if anything does. */
export type Stage = 'board' | 'asked' | 'seen' | Naming

/** Cards that lie open before me alone. */
export interface Seen {
  kind: 'shown' | 'side' | 'envelope'
  /** Who showed it, or whose accusation it was. */
  by: number
  position?: number
  cards: readonly Card[]
}
export interface Walk {
  token: number
  points: readonly Point[]
  seq: number
}

/** What this page keeps of a game of Clue: what is half chosen, what lies open, who is walking. */
export class Play {
  seen = $state.raw<Seen | null>(null)
  walk = $state.raw<Walk | null>(null)
  /** Whether the envelope is still to be opened before my eyes: whoever comes after the end finds it open. */
  sealed = $state(true)
  /** What has been laid open card by card: once is enough. */
  readonly unfolded = new WeakSet<Seen>()
  #opened = $state.raw<{ moment: string; what: Naming | 'board' } | null>(null)
  #picked = $state.raw<{ moment: string; trio: Partial<Trio> }>({ moment: '', trio: {} })
  readonly #table: TableState

  constructor(table: TableState) {
    this.#table = table
    this.sealed = !table.over
  }

  get view(): State {
    return this.#table.view as State
  }
  /** What is half chosen holds until the table moves on. */
  get #moment(): string {
    const { turn, phase } = this.#table.now.view as State
    return `${turn} ${phase.type}`
  }
  get opened(): Naming | 'board' | null {
    return this.#opened?.moment === this.#moment ? this.#opened.what : null
  }
  open(what: Naming | 'board'): void {
    this.#opened = { moment: this.#moment, what }
    this.#picked = { moment: this.#moment, trio: {} }
  }

  readonly stage = $derived.by<Stage>(() => {
    const table = this.#table
    if (table.looked || table.over || table.standsIn) return 'board'
    if (table.kind === 'asked') return 'asked'
    if (this.seen) return 'seen'
    if (table.kind !== 'yours') return 'board'
    const opened = this.opened
    if (opened && opened !== 'board' && table.offer(opened)) return opened
    return opened !== 'board' && table.offer('Suggest') ? 'Suggest' : 'board'
  })

  /** The suspect, weapon and room named so far; what leaves no choice names itself. */
  readonly trio = $derived.by<Partial<Trio>>(() => {
    const action = this.stage
    const named = this.#picked.moment === this.#moment ? this.#picked.trio : {}
    const only = <C extends Card>(field: string) => {
      const of = this.#table.choices<C>(action, field)
      return of.length === 1 ? of[0] : undefined
    }
    return {
      suspect: named.suspect ?? only<Suspect>('suspect'),
      weapon: named.weapon ?? only<Weapon>('weapon'),
      room: named.room ?? only<Room>('room'),
    }
  })
  get named(): boolean {
    return Object.keys(this.#picked.trio).length > 0 && this.#picked.moment === this.#moment
  }
  pick(field: keyof Trio, card: Card): void {
    const trio = this.#picked.moment === this.#moment ? this.#picked.trio : {}
    this.#picked = { moment: this.#moment, trio: { ...trio, [field]: card } }
  }
  /** Take the last choice back; false if there was none. */
  unpick(): boolean {
    if (!this.named) return false
    const fields = Object.entries(this.#picked.trio)
    this.#picked = { moment: this.#moment, trio: Object.fromEntries(fields.slice(0, -1)) }
    return true
  }

  /** Sounds and what opens by itself. Nothing here differs between a forced and a chosen answer. */
  hear(fresh: readonly Told[]): void {
    const me = this.#table.me
    const { phase, on_turn } = this.#table.now.view as State
    /** Who is asked next. */
    const asked = phase.type === 'Answering' ? phase.asked : null
    for (const { event: any, seq, line } of fresh) {
      const event = any as AnyEvent
      switch (event.type) {
        case 'DiceThrown':
          sound('die')
          break
        case 'Moved': {
          const suspect = this.view.tokens[event.seat]
          if (suspect) this.walk = { token: SUSPECTS.indexOf(suspect), points: pathOf(event.path, event.to), seq }
          sound('step')
          break
        }
        case 'PassageTaken':
          sound('step')
          break
        case 'Suggested':
          sound('question')
          if (asked !== null) this.#table.passing = [{ from: event.seat, to: asked, what: 'question' }]
          break
        case 'CardShown':
          sound(event.to === me ? 'shown_to_me' : 'shown_to_others')
          this.#table.passing = [{ from: event.seat, to: event.to, what: 'card' }]
          if (event.to === me && event.card) this.seen = { kind: 'shown', by: event.seat, cards: [event.card] }
          break
        case 'CouldNotShow':
          sound(asked === null && fresh.at(-1)?.seq === seq ? 'nobody_could' : 'answer')
          this.#table.passing = [
            { from: event.seat, to: on_turn, what: 'answer' },
            ...(asked === null ? [] : [{ from: event.seat, to: asked, what: 'question' as const }]),
          ]
          break
        case 'SideCardSeen':
          if (event.seat === me && event.card) {
            this.seen = { kind: 'side', by: event.seat, position: event.position, cards: [event.card] }
          }
          break
        case 'Accused':
          sound('slam')
          sound(event.right ? 'right' : 'wrong', THEN_S)
          // Whoever accused has the envelope before them.
          if (event.seat !== me) this.#table.bang = { icon: 'accuse', title: this.#table.say(line) }
          break
        case 'EnvelopeSeen':
          if (event.seat === me && event.trio) {
            const { suspect, weapon, room } = event.trio
            this.seen = { kind: 'envelope', by: event.seat, cards: [suspect, weapon, room] }
          }
          break
      }
    }
  }
}

export const playOf = (table: TableState) => table.own as Play
export const viewOf = (table: TableState) => table.view as State
