import type { Told } from '../../lib/protocol'
import type { Group } from '../index'
import type { AnyEvent } from './types'

const ANSWERS = new Set(['Answered', 'CardShown', 'CardDrawn', 'CookLeft'])
const STEPS = new Set(['TurnHurried', 'ChipTaken', 'AssistantChanged', 'ReplacementTaken'])
const SLAMS = new Set(['Slammed', 'TreacheryClaimed', 'TimeRanOut'])
const CHECKS = new Set(['ConfirmationAsked', 'AnswerConfirmed', 'AnswerFoundWrong', 'AnswerCorrected'])

type Kind = 'question' | 'steps' | 'slam' | 'check' | 'house'

/** A question with its answer and its card is one entry with its number; chips and assistants are one quiet line. */
export function grouped(log: readonly Told[]): Group[] {
  const groups: { seat: number | null; number?: number; lines: Told[]; quiet?: boolean; kind: Kind }[] = []
  for (const told of log) {
    const event = told.event as AnyEvent
    const last = groups.at(-1)
    const seat = 'seat' in event ? event.seat : null
    if (event.type === 'Asked') {
      groups.push({ kind: 'question', seat, number: event.question, lines: [told] })
    } else if (ANSWERS.has(event.type)) {
      // A slam may come between a question and its answer.
      const asked = 'question' in event ? groups.findLast(({ number }) => number === event.question) : last
      if (asked) asked.lines.push(told)
      else groups.push({ kind: 'house', seat, lines: [told] })
    } else if (SLAMS.has(event.type)) {
      groups.push({ kind: 'slam', seat, lines: [told] })
    } else if (CHECKS.has(event.type)) {
      if (last?.kind === 'check') last.lines.push(told)
      else groups.push({ kind: 'check', seat, lines: [told] })
    } else if (last?.kind === 'slam' && ['MissingSeen', 'Revealed', 'GameEnded'].includes(event.type)) {
      last.lines.push(told)
    } else if (event.type === 'TurnBegan' && last?.kind === 'steps' && last.seat === null) {
      // The new chip of the last turn and the beginning of the next are told in one breath.
      last.seat = seat
      last.lines.push(told)
    } else if (event.type === 'ChipReplaced' || event.type === 'TurnBegan') {
      groups.push({ kind: 'steps', seat, lines: [told], quiet: true })
    } else if (STEPS.has(event.type)) {
      if (last?.kind === 'steps') last.lines.push(told)
      else groups.push({ kind: 'steps', seat, lines: [told], quiet: true })
    } else if (last?.kind === 'house') {
      last.lines.push(told)
    } else {
      groups.push({ kind: 'house', seat: null, lines: [told], quiet: true })
    }
  }
  return groups.map(({ kind, lines, ...group }) => {
    // A turn's beginning says nothing that the next line does not.
    const began = (told: Told) => (told.event as AnyEvent).type === 'TurnBegan'
    return {
      ...group,
      lines: kind === 'steps' && !began(lines.at(-1) as Told) ? lines.filter((told) => !began(told)) : lines,
    }
  })
}
