import type { Told } from '../../lib/protocol'
import type { Group } from '../index'
import type { AnyEvent } from './types'

/** What begins an entry of its own, and what kind it is. */
const HEADS: Partial<Record<AnyEvent['type'], string>> = {
  RoundBegan: 'cards',
  Guessed: 'deed',
  DeskTaken: 'deed',
  LotLeft: 'deed',
  LastCardLaid: 'last',
  MurdererFound: 'found',
  GameEnded: 'end',
  InvestigationBegan: 'setup',
  Opened: 'setup',
}
/** What belongs to the entry before it. */
const PARTS: Readonly<Record<string, readonly AnyEvent['type'][]>> = {
  cards: ['CardPlayed', 'Parked'],
  deed: ['Relocated', 'Exchanged', 'Looked', 'LookDeclined'],
  last: ['LastCardLaid'],
  found: ['Scored'],
  setup: ['InvestigationBegan', 'HandDealt', 'MurdererHidden', 'RoomsLit'],
}

/** The cards of a round are one entry, and so is what each player did from a lot; laying the table is one quiet line. */
export function grouped(log: readonly Told[]): Group[] {
  const groups: { kind: string; seat: number | null; number?: number; lines: Told[]; quiet?: boolean }[] = []
  let number = 0
  for (const told of log) {
    const event = told.event as AnyEvent
    const last = groups.at(-1)
    if (last && PARTS[last.kind]?.includes(event.type)) {
      last.lines.push(told)
      continue
    }
    const kind = HEADS[event.type] ?? 'house'
    const quiet = kind === 'setup' || kind === 'house'
    const seat = 'seat' in event && kind !== 'last' ? event.seat : null
    groups.push({ kind, seat, lines: [told], ...(quiet ? { quiet } : { number: ++number }) })
  }
  return groups.map(({ seat, number, lines, quiet }) => ({ seat, number, lines, quiet }))
}
