import type { OfferNow, Told } from '../../lib/protocol'
import { settings } from '../../lib/settings.svelte'
import { play as sound, THEN_S } from '../../lib/sound'
import type { Loud, TableState } from '../../table/state.svelte'
import type { AnyEvent, Card, CardShown, Element, State } from './types'

/** A question without a chip: by the Journalist, or the last one. */
export type Free = 'AskFreely' | 'AskLast'
/** What takes the ship's place, if anything does. */
export type Stage = 'ship' | 'faces' | 'asked' | 'seen' | 'mark'
export type TurnPhase = Exclude<State['phase'], { type: 'Correcting' }>

/** A card that lies open before me alone. */
export interface Seen {
  kind: 'shown' | 'captain' | 'drawn' | 'missing'
  card: Card
  /** The number that was said before it, if I heard it. */
  said: number | null
  /** Who showed it, or whose hand it is from. */
  by: number
  to: number
  /** Who else has seen it. */
  captain: number | null
}
/** Somebody has slammed or accused: what has a moment of its own before the band tells it. */
export interface Struck {
  loud: Loud
  right: boolean
  /** The missing alibi, if this was right: then it lies open for everybody. */
  card: Card | null
}
/** What this page keeps of a game of Perfect Alibi: what is half chosen, what lies open. */
export class Play {
  /** Whether the list of answers that may be doubted lies open. */
  doubting = $state(false)
  marked = $state.raw<Card | null>(null)
  struck = $state.raw<Struck | null>(null)
  #slamming = $state(false)
  #seen = $state.raw<readonly Seen[]>([])
  #half = $state.raw<{ moment: string; free: Free | null; place: number | null; answerer: number | null }>({
    moment: '',
    free: null,
    place: null,
    answerer: null,
  })
  #elements = $state.raw<{ turn: number; elements: readonly Element[] }>({ turn: -1, elements: [] })
  readonly #table: TableState

  constructor(table: TableState) {
    this.#table = table
  }

  get view(): State {
    return this.#table.view as State
  }
  /** Where the turn stands, also while an answer is being corrected beside it. */
  phase = $derived.by<TurnPhase>(() => turnPhase(this.#table.now.view as State))

  // --- The question that is being put together; it holds until the table moves on ---

  get #moment(): string {
    return `${(this.#table.now.view as State).turn} ${this.phase.type}`
  }
  get #now() {
    return this.#half.moment === this.#moment
      ? this.#half
      : { moment: this.#moment, free: null, place: null, answerer: null }
  }
  get free(): Free | null {
    const free = this.#now.free
    return free && this.#table.offer(free) ? free : null
  }
  /** The chip that leaves open whom to ask. */
  get place(): number | null {
    return this.#now.place
  }
  get answerer(): number | null {
    return this.phase.type === 'Asking' ? this.phase.answerer : this.#now.answerer
  }
  ask(free: Free | null): void {
    this.#half = { ...this.#now, free, place: null }
  }
  take(place: number | null): void {
    this.#half = { ...this.#now, place, free: null }
  }
  address(answerer: number): void {
    this.#half = { ...this.#now, answerer }
  }

  /** The offers of the question: one for a chip, one for times and one for places without. */
  questions = $derived.by<readonly OfferNow[]>(() => {
    const action = this.free ?? 'Ask'
    return this.#table.offers.filter((offer) => offer.action === action)
  })
  readonly open = $derived(this.questions.flatMap((offer) => (offer.choices.elements?.of ?? []) as Element[]))
  readonly elements = $derived.by<readonly Element[]>(() => {
    const { turn, elements } = this.#elements
    return turn === (this.#table.now.view as State).turn ? elements.filter((one) => this.open.includes(one)) : []
  })
  /** Ask about this too, or no longer; a question is about times or about places, and not about too many. */
  toggle(element: Element): void {
    const offer = this.questions.find(({ choices }) => choices.elements?.of.includes(element))
    const choice = offer?.choices.elements
    if (choice?.type !== 'some') return
    const kept = this.elements.filter((one) => choice.of.includes(one))
    const next = kept.includes(element) ? kept.filter((one) => one !== element) : [...kept, element].slice(-choice.most)
    const order = choice.of as Element[]
    this.#elements = {
      turn: (this.#table.now.view as State).turn,
      elements: order.filter((one) => next.includes(one)),
    }
  }

  // --- Slams and cards that lie open ---

  get slamming(): boolean {
    return this.#slamming && this.#table.offer('Slam') !== undefined
  }
  slam(open: boolean): void {
    this.#slamming = open
    this.marked = null
    if (open) this.#table.tab = 'table'
  }
  get seen(): Seen | null {
    return this.#seen[0] ?? null
  }
  putBack(): void {
    this.#seen = this.#seen.slice(1)
  }

  readonly stage = $derived.by<Stage>(() => {
    const table = this.#table
    if (table.looked || table.over || table.standsIn) return 'ship'
    if (this.slamming) return 'mark'
    if (table.kind === 'asked') return 'asked'
    if (this.seen) return 'seen'
    if (table.kind !== 'yours') return 'ship'
    if (table.offer('Name')) return 'mark'
    return FACES.some((action) => table.offer(action)) ? 'faces' : 'ship'
  })

  /** Sounds and what opens by itself. Nothing here differs between a lie and the truth, a choice and none. */
  hear(fresh: readonly Told[]): void {
    const me = this.#table.me
    for (const { event: any } of fresh) {
      const event = any as AnyEvent
      switch (event.type) {
        case 'ChipTaken':
        case 'AssistantPicked':
        case 'AssistantChanged':
        case 'ReplacementTaken':
          sound('card')
          break
        case 'Asked':
          sound('question')
          this.#table.passing = [{ from: event.seat, to: event.answerer, what: 'question' }]
          break
        case 'Answered':
          sound('answer')
          this.#table.passing = [
            { from: event.seat, to: this.#asker(event.question), what: 'answer', said: event.said },
          ]
          break
        case 'ConfirmationAsked':
          sound('question')
          break
        case 'AnswerConfirmed':
        case 'AnswerCorrected':
          sound('answer')
          break
        case 'TurnHurried':
          sound('low')
          break
        case 'CardShown':
          this.#show(event.seat === me, event.card, {
            kind: event.to === me ? 'shown' : 'captain',
            by: event.seat,
            to: event.to,
            known_to: event.known_to,
            said: this.#said(event.question),
          })
          break
        case 'CardDrawn':
          this.#show(event.answerer === me, event.card, {
            kind: 'drawn',
            by: event.answerer,
            to: event.seat,
            known_to: event.known_to,
            said: this.#said(event.question),
          })
          break
        case 'MissingSeen':
          if (event.card)
            this.#open({ kind: 'missing', card: event.card, said: null, by: event.seat, to: event.seat, captain: null })
          break
        case 'Slammed':
          this.#bang(event.seat, 'slam', event.right, event.right ? event.card : null)
          break
        case 'TreacheryClaimed':
          this.#bang(event.seat, 'treachery', event.right, null)
          break
        case 'TimeRanOut':
          sound('wrong')
          break
      }
    }
  }

  #show(mine: boolean, card: Card | null, how: Omit<Seen, 'card' | 'captain'> & Pick<CardShown, 'known_to'>): void {
    sound(card && !mine ? 'shown_to_me' : 'shown_to_others')
    this.#table.passing = [{ from: how.by, to: how.to, what: 'card' }]
    if (!card || mine) return
    const { known_to, ...seen } = how
    const { by, to } = how
    this.#open({ ...seen, card, captain: known_to.find((seat) => seat !== by && seat !== to) ?? null })
  }
  #said(question: number): number | null {
    return (this.#table.now.view as State).log[question - 1]?.said ?? null
  }
  #asker(question: number): number {
    return (this.#table.now.view as State).log[question - 1]?.asker ?? 0
  }
  #open(seen: Seen): void {
    this.#seen = [...this.#seen, seen]
  }
  #bang(seat: number, kind: 'slam' | 'treachery', right: boolean, card: Card | null): void {
    const table = this.#table
    const whose = seat === table.me ? '.me' : ''
    const name = table.name(seat)
    const loud: Loud = {
      icon: kind === 'slam' ? 'slam' : 'warn',
      title: table.gt(`ui.bang.${kind}${whose}`, { name }),
      text: table.gt(`ui.bang.${right ? 'right' : 'wrong'}${whose}`, { name }),
    }
    // Whoever looks back finds the band when they return, and no moment that is over.
    if (!settings.still && !table.looked) {
      this.struck = { loud, right, card }
      return
    }
    sound('slam')
    sound(right ? 'right' : 'wrong', THEN_S)
    table.bang = loud
  }
  /** The moment of the slam is over: the band stays a while. */
  settle(): void {
    this.#table.bang = this.struck?.loud ?? null
    this.struck = null
  }
}

const FACES = ['PickAssistant', 'ChangeAssistant', 'TakeReplacement']

export const turnPhase = (view: State): TurnPhase => (view.phase.type === 'Correcting' ? view.phase.then : view.phase)
export const playOf = (table: TableState) => table.own as Play
export const viewOf = (table: TableState) => table.view as State
