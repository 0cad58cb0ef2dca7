import type { Told } from '../../lib/protocol'
import type { TableState } from '../../table/state.svelte'
import type { AnyEvent, Assistant, Card, Element, State } from './types'

export type AnswerAction = 'Answer' | 'Announce' | 'Show' | 'Correct' | 'ShowLate'
const ANSWERS: readonly string[] = ['Correct', 'ShowLate', 'Answer', 'Announce', 'Show'] satisfies AnswerAction[]

/** An answer of mine that is due: to which question, and what may be said or shown. */
export interface Asked {
  action: AnswerAction
  values: readonly (number | Card)[]
  /** Whether it is a card that is asked for, and not a number. */
  shows: boolean
  /** The question's number in the log. */
  number: number
  asker: number
  assistant: Assistant
  /** Who looks on when I show a card, by the Captain: as it was when the question was asked. */
  captain: number | null
  elements: readonly Element[]
  /** What was said to it before, if this corrects it. */
  said: number | null
  /** Whether it was asked earlier and has been doubted since. */
  late: boolean
  /** Whether my rival asked. */
  rival: boolean
}

export function answered(table: TableState): Asked | null {
  const view = table.now.view as State
  const me = table.me
  const since = table.room.answer?.since
  const mine = table.offers.filter(({ action }) => ANSWERS.includes(action))
  const offer = mine.find((each) => each.since === since) ?? mine[0]
  if (!offer || me === null) return null
  const late = offer.action === 'Correct' || offer.action === 'ShowLate'
  const due = view.phase.type === 'Correcting' ? view.phase.due[0] : undefined
  const number = late && due ? due.question : view.log.length
  const asked = view.log[number - 1]
  const assistant = asked?.holding[asked.asker]
  if (!asked || !assistant) return null
  const captain = asked.holding.indexOf('Captain')
  return {
    action: offer.action as AnswerAction,
    values: (offer.choices.number ?? offer.choices.card)?.of as (number | Card)[],
    shows: offer.choices.card !== undefined,
    number,
    asker: asked.asker,
    assistant,
    captain: captain === -1 || captain === asked.asker || captain === me ? null : captain,
    elements: asked.elements,
    said: asked.said,
    late,
    rival: view.rivals[me] === assistant,
  }
}

/** Who else has seen a card of mine: every time that it was shown or drawn stands in my log, with everybody who looked. */
export function seenOf(log: readonly Told[], me: number | null, card: Card): number[] {
  const seats = log.flatMap(({ event: any }) => {
    const event = any as AnyEvent
    const mine =
      (event.type === 'CardShown' && event.seat === me) || (event.type === 'CardDrawn' && event.answerer === me)
    return mine && event.card === card ? event.known_to.filter((seat) => seat !== me) : []
  })
  return [...new Set(seats)]
}
