import type { Told } from '../../lib/protocol'
import type { Group } from '../index'
import { ownerOf, type Drop, type Floor } from './hotel'
import type { AnyEvent, Exposed } from './types'

/** Every drop so far, in their order. */
export function dropsOf(log: readonly Told[]): Drop[] {
  const drops: Drop[] = []
  for (const { seq, event: any } of log) {
    const event = any as AnyEvent
    if (event.type !== 'Dropped') continue
    const { seat, colour, why, clip } = event
    drops.push({ nth: drops.length, seq, seat, owner: ownerOf(colour), why, clip: clip.id })
  }
  return drops
}

export interface Opening {
  seq: number
  event: Exposed
}

/** Every look into the hotel so far. */
export const openings = (log: readonly Told[], until = Infinity): Opening[] =>
  log.flatMap(({ seq, event }) =>
    seq <= until && (event as AnyEvent).type === 'Exposed' ? [{ seq, event: event as Exposed }] : [],
  )

const CLOSING = new Set(['Dropped', 'TurnBegan', 'Opened'])

/** The floor that stands open after an event, if one does: from the look on until the first cube is dropped. */
export function openAt(log: readonly Told[], seq: number): Exposed | null {
  for (const told of log.toReversed()) {
    if (told.seq > seq) continue
    const event = told.event as AnyEvent
    if (event.type === 'Exposed') return event
    if (CLOSING.has(event.type)) return null
  }
  return null
}

const lastOf = (log: readonly Told[], seq: number, types: readonly AnyEvent['type'][]) =>
  log.findLast((told) => told.seq <= seq && types.includes((told.event as AnyEvent).type))

/** With which event the turn began that was under way at an event; the prologue is one, too. */
export const turnAt = (log: readonly Told[], seq: number): number => lastOf(log, seq, ['TurnBegan', 'Opened'])?.seq ?? 0

/** The floor that has been opened in the turn that was under way at an event, whether or not it still stands open. */
export function openedIn(log: readonly Told[], seq: number): Exposed | null {
  const event = lastOf(log, seq, ['TurnBegan', 'Opened', 'Exposed'])?.event as AnyEvent | undefined
  return event?.type === 'Exposed' ? event : null
}

/** When a floor was last looked at. */
export const lastLook = (log: readonly Told[], floor: Floor, until = Infinity): Opening | undefined =>
  openings(log, until).findLast(({ event }) => event.floor === floor)

/**
 * What somebody did in a turn is one entry with a number; the drops that follow are one quiet line, or none where the
 * table keeps no list of them.
 */
export function grouped(log: readonly Told[]): Group[] {
  const groups: { kind: string; seat: number | null; number?: number; lines: Told[]; quiet?: boolean }[] = []
  const opened = log.find(({ event }) => (event as AnyEvent).type === 'Opened')?.event as
    { options: { show_drop_log: boolean } } | undefined
  const lists = opened?.options.show_drop_log ?? true
  let number = 0
  for (const told of log) {
    const event = told.event as AnyEvent
    const last = groups.at(-1)
    switch (event.type) {
      case 'TurnBegan':
        groups.push({ kind: 'turn', seat: event.seat, lines: [told], quiet: true })
        break
      case 'Suspected':
      case 'CoveringAnnounced':
      case 'Exposed':
        if (last?.kind === 'deed') last.lines.push(told)
        else {
          // That a turn began says nothing that the deed does not.
          if (last?.kind === 'turn') groups.pop()
          groups.push({ kind: 'deed', seat: event.seat, number: ++number, lines: [told] })
        }
        break
      case 'Dropped':
        if (!lists) break
        if (last?.kind === 'drops') last.lines.push(told)
        else groups.push({ kind: 'drops', seat: null, lines: [told], quiet: true })
        break
      case 'GameEnded':
        groups.push({ kind: 'end', seat: null, number: ++number, lines: [told] })
        break
      case 'Opened':
        groups.push({ kind: 'house', seat: null, lines: [told], quiet: true })
        break
      default:
        if (last?.kind === 'deed') last.lines.push(told)
        else groups.push({ kind: 'house', seat: null, lines: [told], quiet: true })
    }
  }
  return groups.map(({ seat, number, lines, quiet }) => ({ seat, number, lines, quiet }))
}
