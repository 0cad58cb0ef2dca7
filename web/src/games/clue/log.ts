import type { Group } from '../index'
import type { Told } from '../../lib/protocol'
import type { AnyEvent } from './types'

const ANSWERS = new Set(['CouldNotShow', 'CardShown', 'SideCardSeen'])
const STEPS = new Set(['TurnBegan', 'DiceThrown', 'Moved', 'PassageTaken', 'Stayed', 'NotMoved'])
const LOUD = new Set(['Accused', 'EnvelopeSeen', 'TokenStoodAside', 'EnvelopeOpened', 'GameEnded'])

/** A suggestion with its answers is one entry with a number; the walking before it is one quiet line. */
export function grouped(log: readonly Told[]): Group[] {
  const groups: { seat: number | null; number?: number; lines: Told[]; quiet?: boolean; kind: string }[] = []
  let number = 0
  let seats = 0
  for (const told of log) {
    const event = told.event as AnyEvent
    const last = groups.at(-1)
    const seat = 'seat' in event ? event.seat : null
    if (event.type === 'Opened') seats = event.seats
    if (event.type === 'Suggested') {
      groups.push({ kind: 'suggestion', seat, number: ++number, lines: [told] })
    } else if (ANSWERS.has(event.type) && last?.kind === 'suggestion') {
      last.lines.push(told)
    } else if (event.type === 'Accused') {
      groups.push({ kind: 'accusation', seat, lines: [told] })
    } else if (LOUD.has(event.type) && last?.kind === 'accusation') {
      last.lines.push(told)
    } else if (STEPS.has(event.type)) {
      // A turn's beginning says nothing that the next line does not.
      if (last?.kind === 'walk' && event.type !== 'TurnBegan') last.lines.push(told)
      else groups.push({ kind: 'walk', seat, lines: [told], quiet: true })
    } else if (last?.kind === 'house') {
      last.lines.push(told)
    } else {
      groups.push({ kind: 'house', seat: null, lines: [told], quiet: true })
    }
  }
  return groups.map(({ kind, lines, ...group }) => {
    const began = kind === 'walk' && lines.length > 1 && (lines[0]?.event as AnyEvent).type === 'TurnBegan'
    const passes = lines.filter(({ event }) => (event as AnyEvent).type === 'CouldNotShow').length
    return {
      ...group,
      lines: began ? lines.slice(1) : lines,
      note: kind === 'suggestion' && passes === seats - 1 ? 'ui.nobody' : undefined,
    }
  })
}
