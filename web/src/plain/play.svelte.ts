import { t } from '../lib/i18n.svelte'
import type { OfferNow, Plain } from '../lib/protocol'
import { play as sound } from '../lib/sound'
import type { Deed, TableState } from '../table/state.svelte'
import { actionOf, allSaid, fieldOf, isSeat, said, text, type Value } from './words'

export type Choice = OfferNow['choices'][string]
type Values = Readonly<Record<string, Value | readonly Value[]>>

/** One of the things that I may do now. */
export interface Way {
  /** Which offer it is, until that changes. */
  id: string
  offer: OfferNow
  label: string
  /** It stakes the game on one guess. */
  final: boolean
  /** Nobody waits for it. */
  interrupt: boolean
  answer: boolean
  /** The fields that leave something to choose. */
  open: readonly (readonly [string, Choice])[]
}

const GAP = '…'

/** What a choice comes to if it leaves nothing to choose. */
function only(choice: Choice): Value | readonly Value[] | undefined {
  if (choice.type === 'one') return choice.of.length === 1 ? choice.of[0] : undefined
  if (choice.type === 'some') return choice.least === choice.of.length ? choice.of : undefined
  return choice.of.length === 1 ? choice.of : undefined
}

/** What this page keeps of a game on the plain table: which offer is before me, and what of it is half chosen. */
export class Play {
  readonly described: Plain
  readonly #table: TableState
  #opened = $state.raw('')
  #picked = $state.raw<{ id: string; values: Values }>({ id: '', values: {} })

  constructor(table: TableState, described: Plain) {
    this.#table = table
    this.described = described
  }

  /** Everything on offer, in the game's order. */
  readonly ways = $derived.by<readonly Way[]>(() => {
    const { offers } = this.#table
    const { final, interrupts, answers } = this.described
    return offers.map((offer, place) => {
      const { action, since } = offer
      const fields = Object.entries(offer.choices)
      return {
        id: `${action} ${place} ${since}`,
        offer,
        label: this.#label(offer),
        final: final.includes(action),
        interrupt: interrupts.includes(action),
        answer: answers.includes(action),
        open: this.#inOrder(fields.filter(([, choice]) => only(choice) === undefined)),
      }
    })
  })
  /** Whom before what: the line sorts fields by their letters. */
  #inOrder(fields: readonly (readonly [string, Choice])[]) {
    const isWhom = ([field, { of }]: readonly [string, Choice]) =>
      of.every((value) => isSeat(this.#table, field, value))
    return [...fields.filter(isWhom), ...fields.filter((each) => !isWhom(each))]
  }
  /** What an offer is called. One action may be on offer several times: what is fixed in each tells them apart, or a number. */
  #label({ action, choices, since }: OfferNow): string {
    const name = actionOf(this.#table, action)
    const twins = this.#table.offers.filter((other) => other.action === action)
    if (twins.length === 1) return name
    const fixed = (each: OfferNow['choices']) => Object.entries(each).flatMap((entry) => this.#fixed(...entry))
    const [mine, all] = [fixed(choices).join(' · '), twins.map((twin) => fixed(twin.choices).join(' · '))]
    const alone = all.filter((other) => other === mine).length === 1
    const place = twins.findIndex((twin) => twin.choices === choices && twin.since === since) + 1
    return [name, mine, alone ? '' : String(place)].filter(Boolean).join(' · ')
  }
  #fixed(field: string, choice: Choice): string[] {
    const value = only(choice)
    return value === undefined ? [] : [this.#said(field, value)]
  }
  #said(field: string, value: Value | readonly Value[]): string {
    return typeof value === 'object' ? allSaid(this.#table, field, value) : said(this.#table, field, value)
  }

  /** Where asked, whether there is more than one answer. */
  readonly free = $derived.by(() => {
    const answers = this.ways.filter(({ answer }) => answer)
    return answers.length > 1 || answers.some(({ open }) => open.length > 0)
  })
  /** Whether I have anything to do: without a choice the house answers for me, unless the table waits for everybody. */
  readonly mine = $derived.by(() => this.#table.kind !== 'asked' || this.free || this.#table.awaitsMe)

  /** What I compose unless I open something else: the first thing to choose in that is no guess and that is waited for. */
  readonly #first = $derived.by<Way | undefined>(() => {
    const waited = this.ways.filter(({ interrupt }) => !interrupt)
    const composed = waited.filter(({ open }) => open.length > 0)
    return composed.find(({ final }) => !final) ?? (waited.length === 1 ? composed[0] : undefined)
  })
  /** What is being composed, if anything is. */
  readonly current = $derived.by<Way | undefined>(() => {
    if (!this.mine) return undefined
    return this.ways.find(({ id }) => id === this.#opened) ?? this.#first
  })
  /** Whether I opened something, and nothing else would take its place. */
  get turned(): boolean {
    return this.current !== undefined && this.#first === undefined
  }
  open(way: Way): void {
    this.#opened = way.id
  }
  close(): void {
    this.#opened = ''
  }

  /** What is chosen in a field so far. */
  chosen(way: Way, field: string): Value | readonly Value[] | undefined {
    const choice = way.offer.choices[field]
    if (!choice) return undefined
    const picked = this.#picked.id === way.id ? this.#picked.values[field] : undefined
    const value = picked ?? only(choice) ?? this.#due(way, field)
    if (choice.type === 'one') return value
    if (choice.type === 'order') return value ?? choice.of
    const some = (value ?? []) as readonly Value[]
    return choice.of.filter((each) => some.includes(each)) // as the offer writes them
  }
  /** What will be answered if I choose nothing. */
  #due(way: Way, field: string): Value | readonly Value[] | undefined {
    const due = this.#table.due?.selected as Deed | undefined
    return due?.type === way.offer.action ? (due[field] as Value | readonly Value[] | undefined) : undefined
  }
  pick(way: Way, field: string, value: Value | readonly Value[]): void {
    const values = this.#picked.id === way.id ? this.#picked.values : {}
    this.#picked = { id: way.id, values: { ...values, [field]: value } }
  }
  /** Whether a field needs nothing more. */
  filled(way: Way, field: string): boolean {
    const [choice, value] = [way.offer.choices[field], this.chosen(way, field)]
    if (choice?.type !== 'some') return value !== undefined
    const { length } = value as readonly Value[]
    return length >= choice.least && length <= choice.most
  }
  complete(way: Way): boolean {
    return Object.keys(way.offer.choices).every((field) => this.filled(way, field))
  }

  /** What it comes to as a sentence: the game's own, or the action with what was chosen, or with what is still open. */
  sentence(way: Way): string {
    const own = this.#own(way)
    if (own !== undefined) return own
    const fields = this.#fields(way)
    const missing = fields.filter((field) => !this.filled(way, field)).map((field) => fieldOf(this.#table, field))
    if (missing.length) return t('plain.missing', { fields: missing.join(', ') })
    return [way.label, fields.map((field) => this.#word(way, field)).join(' · ')].filter(Boolean).join(': ')
  }
  /** What its button says: what it does, as soon as that is known. */
  button(way: Way): string {
    return (this.complete(way) ? this.#own(way) : undefined) ?? way.label
  }
  /** What the button says that turns to it: what opens something says so. */
  opener(way: Way): string {
    if (!way.open.length && !way.final) return way.label
    const { action } = way.offer
    const alone = this.ways.filter(({ offer }) => offer.action === action).length === 1
    return (alone ? text(this.#table, `action.${action}.open`) : undefined) ?? `${way.label}…`
  }
  /** The game's own sentence, with gaps for what is not chosen yet. */
  #own(way: Way): string | undefined {
    const words = this.#fields(way).map((field) => [field, this.#word(way, field)] as const)
    return text(this.#table, `action.${way.offer.action}.said`, Object.fromEntries(words))
  }
  #word(way: Way, field: string): string {
    const value = this.chosen(way, field)
    return value === undefined || (typeof value === 'object' && !value.length) ? GAP : this.#said(field, value)
  }
  #fields(way: Way): string[] {
    return this.#inOrder(Object.entries(way.offer.choices)).map(([field]) => field)
  }

  async send(way: Way): Promise<void> {
    const values = Object.keys(way.offer.choices).map((field) => [field, this.chosen(way, field)])
    const deed: Deed = { ...Object.fromEntries(values), type: way.offer.action }
    if (way.answer) await this.#table.answer(deed)
    else if (await this.#table.act(deed)) this.close()
  }

  /** Something happened: how it sounds is all that a plain table knows of it. */
  hear(): void {
    if (!this.#table.over) sound('card')
  }
}

export const playOf = (table: TableState) => table.own as Play
