import type { Told } from '../../lib/protocol'
import { play as sound, THEN_S } from '../../lib/sound'
import type { TableState } from '../../table/state.svelte'
import type { Card, Place } from './hotel'
import { closedOf, type Closed } from './round'
import type { AnyEvent, Department, State } from './types'

/** Cards that lie open before me and one other player alone. */
export interface Seen {
  kind: 'exchanged' | 'looked' | 'looked_at'
  other: number
  /** Given away, or seen. */
  one: readonly Card[]
  /** Got for them. */
  two: readonly Card[]
}

/** What is half chosen. */
export interface Picks {
  card?: Card
  place?: Place
  /** Tapped, and not on offer. */
  closed?: Place
  department?: Department
  origin?: Place
  cards?: readonly Card[]
  partner?: number
  /** On a phone the station takes the hotel's place while a desk is to be chosen, unless I want to see the hotel. */
  hotel?: boolean
}

/** What leaves no choice is chosen. */
const only = <T>(values: readonly T[]): T | undefined => (values.length === 1 ? values[0] : undefined)

/** What this page keeps of a game of Crime Hotel: what is half chosen, and what lies open until I put it away. */
export class Play {
  seen = $state.raw<Seen | null>(null)
  found = $state.raw<Closed | null>(null)
  /** Whether the murderer's window is still to open before my eyes; and how many have begun to. */
  opening = $state(false)
  openings = $state(0)
  #points: readonly number[] = []
  #picked = $state.raw<{ moment: string; picks: Picks }>({ moment: '', picks: {} })
  readonly #table: TableState

  constructor(table: TableState) {
    this.#table = table
  }

  /** What is half chosen holds until the table moves on. */
  get #moment(): string {
    const { investigation, turn, phase } = this.#table.now.view as State
    return `${investigation} ${turn} ${phase.type}`
  }
  get picks(): Picks {
    return this.#picked.moment === this.#moment ? this.#picked.picks : {}
  }
  pick(more: Picks): void {
    this.#picked = { moment: this.#moment, picks: { ...this.picks, ...more } }
  }
  /** Begin the choice anew. */
  unpick(): void {
    this.#picked = { moment: '', picks: {} }
  }

  /** What takes the hotel's place, if anything does. */
  readonly stage = $derived.by<'hotel' | 'seen' | 'found'>(() => {
    const table = this.#table
    if (table.looked || table.over || table.standsIn) return 'hotel'
    if (this.seen) return 'seen'
    return this.found ? 'found' : 'hotel'
  })
  /** Which action a tap on a place is for. */
  readonly placing = $derived.by<'Guess' | 'Relocate' | null>(() => {
    const table = this.#table
    if (this.stage !== 'hotel' || table.kind !== 'yours') return null
    if (table.offer('Guess')) return 'Guess'
    return this.department === 'RELOCATE' && table.offer('Relocate') ? 'Relocate' : null
  })
  /** Where my meeple is to go: what I have tapped, or the only place there is. */
  readonly place = $derived.by<Place | undefined>(() => {
    const { placing, picks } = this
    const offered = placing ? this.#table.choices<Place>(placing, placing === 'Guess' ? 'place' : 'to') : []
    return picks.place ?? only(offered)
  })
  /** The department whose desk I am about to take: the one that I have chosen, or the only one. */
  readonly department = $derived.by<Department | undefined>(() => this.picks.department ?? only(this.departments))
  /** With whom I deal at a desk. */
  readonly partner = $derived.by<number | undefined>(() => {
    const table = this.#table
    const seats = this.department === 'LOOK' ? table.choices('Look', 'target') : table.choices('Exchange', 'partner')
    return this.picks.partner ?? only(seats as number[])
  })
  /** The cards that I give for others. */
  readonly given = $derived.by<readonly Card[]>(() => {
    const cards = this.#table.choices<Card>('Exchange', 'cards')
    return this.picks.cards ?? (cards.length === this.exchanged ? cards : [])
  })
  /** Whether a desk is to be chosen. */
  readonly assisting = $derived.by(
    () => this.stage === 'hotel' && this.#table.kind === 'yours' && this.departments.length > 0,
  )
  /** The departments on offer. */
  readonly departments = $derived.by<readonly Department[]>(() => {
    const table = this.#table
    const direct = [
      ['Relocate', 'RELOCATE'],
      ['Exchange', 'EXCHANGE'],
      ['Look', 'LOOK'],
    ] as const
    return [
      ...direct.flatMap(([action, department]) => (table.offer(action) ? [department] : [])),
      ...table.choices<Department>('TakeDesk', 'department'),
    ]
  })
  /** How many cards the next exchange is for. */
  readonly exchanged = $derived.by(() => {
    const choice = this.#table.offer('Exchange')?.choices.cards
    return choice?.type === 'some' ? choice.most : 0
  })

  /** Take a card for the exchange, or leave it; beyond the number of the desk the first one chosen goes back. */
  toggle(card: Card): void {
    const cards = this.given
    if (this.#table.choices('Exchange', 'cards').length === this.exchanged) return // all of them, whatever I tap
    const rest = cards.filter((other) => other !== card)
    this.pick({ cards: rest.length < cards.length ? rest : [...rest, card].slice(-this.exchanged) })
  }

  /** The window opens: nobody hears it who has skipped it. */
  opens(): void {
    sound('lift')
  }
  /** It is open, however it came to that: now the points count. */
  opened(): void {
    if (!this.opening) return
    this.opening = false
    const me = this.#table.me
    sound(me !== null && this.#points[me] === 0 ? 'wrong' : 'right', THEN_S)
  }

  /** Sounds and what opens by itself. Nothing here differs between a forced and a chosen card. */
  hear(fresh: readonly Told[]): void {
    const me = this.#table.me
    for (const { event: any, seq } of fresh) {
      const event = any as AnyEvent
      switch (event.type) {
        case 'CardPlayed':
        case 'LastCardLaid':
          sound('card')
          break
        case 'Guessed':
        case 'Relocated':
        case 'DeskTaken':
          sound('step')
          break
        case 'Exchanged': {
          const { seat, partner, given, drawn } = event
          const mine = seat === me || partner === me
          sound(mine ? 'shown_to_me' : 'shown_to_others')
          this.#table.passing = [
            { from: seat, to: partner, what: 'card' },
            { from: partner, to: seat, what: 'card' },
          ]
          if (!mine || !given || !drawn) break
          const [one, two] = seat === me ? [given, drawn] : [drawn, given]
          this.seen = { kind: 'exchanged', other: seat === me ? partner : seat, one, two }
          break
        }
        case 'Looked': {
          const { seat, target, cards } = event
          const mine = seat === me || target === me
          sound(mine ? 'shown_to_me' : 'shown_to_others')
          this.#table.passing = [{ from: target, to: seat, what: 'card' }]
          if (!mine || !cards) break
          const kind = seat === me ? 'looked' : 'looked_at'
          this.seen = { kind, other: seat === me ? target : seat, one: cards, two: [] }
          break
        }
        case 'LookDeclined':
          sound('answer')
          break
        case 'Scored':
          // The last one stands on the final screen.
          this.found = closedOf(this.#table.log, seq).at(-1) ?? null
          this.#points = event.points
          this.opening = true
          this.openings++
          break
        case 'GameEnded':
          this.found = null
          break
      }
    }
  }
}

export const playOf = (table: TableState) => table.own as Play
export const viewOf = (table: TableState) => table.view as State
/** The table as it stands, whatever is looked at. */
export const presentOf = (table: TableState) => table.now.view as State
/** The event up to which everything is shown. */
export const seqOf = (table: TableState) => table.looked?.seq ?? table.now.seq
export const handOf = (table: TableState): readonly Card[] =>
  table.me === null ? [] : (viewOf(table).hands[table.me] ?? [])
