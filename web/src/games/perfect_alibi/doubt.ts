import type { OfferNow, Told } from '../../lib/protocol'
import type { AnyEvent } from './types'

/** The answers of one player that may be doubted, the newest first. */
export interface Doubtful {
  seat: number
  questions: readonly number[]
}

/** What may be called treachery, or asked to be confirmed, by player; `answererOf` says whose answer a question got. */
export function doubtful(offers: readonly OfferNow[], answererOf: (question: number) => number): Doubtful[] {
  const found = new Map<number, number[]>()
  const add = (seat: number, questions: readonly number[]) =>
    found.set(seat, [...(found.get(seat) ?? []), ...questions])
  for (const { action, choices } of offers) {
    if (action === 'Accuse') add(choices.accused?.of[0] as number, (choices.questions?.of ?? []) as number[])
    if (action === 'Confirm')
      for (const question of (choices.question?.of ?? []) as number[]) add(answererOf(question), [question])
  }
  return [...found]
    .map(([seat, questions]) => ({ seat, questions: questions.sort((a, b) => b - a) }))
    .sort((a, b) => a.seat - b.seat)
}

/** The questions whose answers cannot all be right, by the entries of the log that my notes name. */
export function clashing(log: readonly Told[], clash: readonly number[]): number[] {
  return log.flatMap(({ seq, event: any }) => {
    const event = any as AnyEvent
    const answers = event.type === 'Answered' || event.type === 'AnswerCorrected'
    return answers && clash.includes(seq) ? [event.question] : []
  })
}

/** Whose answers one looks at first: of whom something is wrong by my notes, else of who answered last. */
export function suspect(of: readonly Doubtful[], wrong: readonly number[]): Doubtful | undefined {
  const newest = ({ questions }: Doubtful) =>
    Math.max(...questions.filter((each) => !wrong.length || wrong.includes(each)))
  return of.reduce<Doubtful | undefined>(
    (best, each) => (best && newest(best) >= newest(each) ? best : each),
    undefined,
  )
}
