import { chairFrame, roomFrame, tableFrame } from '../lib/frames.testing'
import type { OfferNow, Plain, Room, Table } from '../lib/protocol'
import { TableFeed } from '../lib/socket.svelte'
import { TableState } from '../table/state.svelte'
import { clientOf } from '.'

export const NAMES = ['Ada', 'Benno', 'Chloé']

/** A game of a test's own, of which this page knows nothing but what is said here. */
export const DESCRIBED: Plain = {
  answers: ['Show', 'ShowNothing'],
  final: ['Accuse'],
  interrupts: ['Slam'],
  by_seat: ['sizes', 'hands', 'tokens', 'ready', 'out'],
  hidden: ['culprit'],
  rows: ['Cook', 'OldMaid'],
  columns: ['glass'],
}
export const VIEW = {
  options: {},
  turn: 3,
  on_turn: 0,
  phase: { type: 'Asking' },
  culprit: null,
  sizes: [2, 2, 1],
  hands: [['Cook', 'Nurse'], null, null],
  tokens: ['RedHat', null, 'Pipe'],
  ready: [false, true, false],
  out: [false, false, true],
}

export const offer = (action: string, choices: OfferNow['choices'] = {}): OfferNow => ({ action, choices, since: 7 })
export const one = (...of: (string | number | boolean)[]): OfferNow['choices'][string] => ({ type: 'one', of })

interface At {
  game?: string
  described?: Plain
  view?: object
  offers?: readonly OfferNow[]
  table?: Partial<Table>
  room?: Partial<Room>
}

/** Sit at a plain table. */
export function sitting({
  game = 'nowhere',
  described = DESCRIBED,
  view = {},
  offers = [],
  table,
  room,
}: At = {}): TableState {
  const feed = new TableFeed('x')
  const chairs = NAMES.map((name, seat) => chairFrame(seat, { kind: 'person', name }))
  feed.takeRoom(roomFrame({ game, stage: 'playing', me: 0, chairs, ...room }))
  const more = { view: { ...VIEW, ...view }, offers: [...offers], awaiting: offers.length ? [0] : [1], ...table }
  feed.take(tableFrame(0, table?.seq ?? 7, more))
  return new TableState(feed, clientOf(game, described))
}
