import type { Told } from '../../lib/protocol'
import { roomsOf, worthOf, type Card, type Place } from './hotel'
import type { AnyEvent, Department, Options } from './types'

/** What somebody did from a lot. */
export type Deed =
  { kind: 'guess'; place: Place } | { kind: 'desk'; department: Department; desk: number } | { kind: 'back' | 'out' }

/** One player's part of a round. */
export interface Slot {
  seat: number
  card: Card | null
  /** The floor that was led and that this player had no card of. */
  lacks: number | null
  /** Counted from 1, once all cards are played. */
  lot: number | null
  deed: Deed | null
}

export interface Round {
  slots: readonly Slot[]
  /** The first card. */
  lead: Card | null
  /** Whether the last cards are being laid. */
  last: boolean
}

const eventsOf = (log: readonly Told[], seq: number) =>
  log.filter((told) => told.seq <= seq).map(({ event }) => event as AnyEvent)

/** The round that was under way at an event: cards in the order of play, then by lots, and what came of each. */
export function roundOf(log: readonly Told[], seq: number, seats: number, leader: number): Round {
  const events = eventsOf(log, seq)
  const last = events.findLast(({ type }) => type === 'RoundBegan' || type === 'LastCardLaid')?.type === 'LastCardLaid'
  const start = last
    ? events.findIndex(({ type }, place) => type === 'LastCardLaid' && !events.slice(place).some(isRound))
    : events.findLastIndex(isRound)
  const since = start < 0 ? [] : events.slice(start)
  const first = since[0]?.type === 'RoundBegan' ? since[0].seat : leader
  const slots: Slot[] = Array.from({ length: seats }, (_, place) => ({
    seat: (first + place) % seats,
    card: null,
    lacks: null,
    lot: null,
    deed: null,
  }))
  const of = (seat: number) => slots.find((slot) => slot.seat === seat) as Slot
  let lead: Card | null = null
  for (const event of since) {
    switch (event.type) {
      case 'CardPlayed':
        lead ??= event.card
        Object.assign(of(event.seat), { card: event.card, lacks: event.lacks })
        break
      case 'LastCardLaid':
        of(event.seat).card = event.card
        break
      case 'Parked':
        event.lots.forEach((seat, place) => (of(seat).lot = place + 1))
        break
      case 'Guessed':
        of(event.seat).deed = { kind: 'guess', place: event.place }
        break
      case 'DeskTaken':
        of(event.seat).deed = { kind: 'desk', department: event.department, desk: event.desk }
        break
      case 'LotLeft':
        of(event.seat).deed = { kind: event.back ? 'back' : 'out' }
        break
    }
  }
  return { slots: slots.sort((a, b) => (a.lot ?? 0) - (b.lot ?? 0)), lead, last }
}

const isRound = ({ type }: AnyEvent) => type === 'RoundBegan'

/** An investigation that is over: where the meeples stood, and what they brought. */
export interface Closed {
  number: number
  murderer: Card
  lit: readonly Card[]
  guesses: readonly (readonly Place[])[]
  points: readonly number[]
}

/** Every investigation that is over, in their order. */
export function closedOf(log: readonly Told[], seq: number): Closed[] {
  const closed: Closed[] = []
  let number = 0
  let murderer = 0
  let lit: Card[] = []
  let guesses: Place[][] = []
  for (const event of eventsOf(log, seq)) {
    switch (event.type) {
      case 'InvestigationBegan':
        number = event.number
        guesses = []
        break
      case 'HandDealt':
        guesses[event.seat] = []
        break
      case 'RoomsLit':
        lit = event.cards
        break
      case 'CardPlayed':
      case 'LastCardLaid':
        lit = [...lit, event.card]
        break
      case 'Guessed':
        guesses[event.seat] = [...(guesses[event.seat] ?? []), event.place]
        break
      case 'Relocated':
        guesses[event.seat] = [...(guesses[event.seat] ?? []).filter((place) => place !== event.origin), event.to]
        break
      case 'MurdererFound':
        murderer = event.card
        break
      case 'Scored':
        closed.push({ number, murderer, lit, guesses, points: event.points })
        break
    }
  }
  return closed
}

/** How a player's points came about: the guesses that were right, and what is left over is the bonus. */
export function tallyOf(closed: Closed, seat: number, options: Options) {
  const right = (closed.guesses[seat] ?? [])
    .filter((place) => roomsOf(place).includes(closed.murderer))
    .map((place) => ({ place, points: worthOf(place, options) }))
  const points = closed.points[seat] ?? 0
  return { points, right, bonus: points - right.reduce((sum, each) => sum + each.points, 0) }
}
