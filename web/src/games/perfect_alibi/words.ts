import type { TableState } from '../../table/state.svelte'
import { isTime, partsOf } from './things'
import type { Card, Element, State } from './types'

const GAP = '…'

/** "the Bar, the Restaurant or the Library" */
export function either(table: TableState, elements: readonly Element[]): string {
  const words = elements.map((element) => (isTime(element) ? element : table.gt(`form.for.${element}`)))
  if (words.length < 2) return words[0] ?? GAP
  return table.gt('form.or', { most: words.slice(0, -1).join(', '), last: words.at(-1) ?? '' })
}

/** "Benno, how many of your alibis are for 3 or 9 o'clock?", with gaps for what is not chosen yet. */
export function question(table: TableState, answerer: number | null, elements: readonly Element[]): string {
  const key = elements[0] === undefined ? 'now.ask.open' : isTime(elements[0]) ? 'now.ask.times' : 'now.ask.places'
  return table.gt(key, { name: answerer === null ? GAP : table.name(answerer), list: either(table, elements) })
}

/** What a question is about, as a list: "3 or 9 o'clock". */
export function about(table: TableState, elements: readonly Element[]): string {
  const list = either(table, elements)
  return elements[0] !== undefined && isTime(elements[0]) ? table.gt('form.hours', { list }) : list
}

/** A card in a sentence: "the Sun deck at 9". */
export function alibi(table: TableState, card: Card | null): string {
  if (!card) return GAP
  const [location, time] = partsOf(card)
  return table.gt('form.alibi', { location: table.term(location), time })
}

export interface Audience {
  number: string
  card: string
  /** Whether the card is shown as always, without anybody's assistant. */
  plain: boolean
  rival: string
}

/** Who will learn what from this question, before it is asked. */
export function audience(table: TableState, answerer: number): Audience {
  const view = table.now.view as State
  const me = table.me ?? -1
  const mine = view.assistants[me]
  const name = table.name(answerer)
  const captain = view.assistants.indexOf('Captain')
  const third = captain >= 0 && captain !== me && captain !== answerer
  const card =
    view.assistants[answerer] === 'Psychiatrist'
      ? 'ui.lock.card.psychiatrist'
      : mine === 'Cook'
        ? `ui.lock.card.cook${view.options.cook_optional ? '.may' : ''}`
        : third
          ? 'ui.lock.card.captain'
          : 'ui.lock.card'
  return {
    number: table.gt(mine === 'Priest' ? 'ui.lock.number.priest' : 'ui.lock.number', { name }),
    card: table.gt(card, { name, captain: third ? table.name(captain) : '' }),
    plain: card === 'ui.lock.card',
    rival:
      view.options.rival && mine ? table.gt('ui.lock.rival', { name, assistant: table.gt(`form.the.${mine}`) }) : '',
  }
}
