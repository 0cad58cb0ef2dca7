import { expect, it } from 'vitest'
import type { Told } from '../../lib/protocol'
import { closedOf, roundOf, tallyOf } from './round'
import type { Options } from './types'

const log = (...events: object[]): Told[] =>
  events.map((event, place) => ({ seq: place + 1, batch: place + 1, at: 0, event, line: { key: '', params: {} } }))
const CARDS = [
  { type: 'RoundBegan', number: 1, seat: 1 },
  { type: 'CardPlayed', seat: 1, card: 23, lacks: null },
  { type: 'CardPlayed', seat: 2, card: 35, lacks: 2 },
  { type: 'CardPlayed', seat: 0, card: 25, lacks: null },
  { type: 'Parked', lots: [2, 0, 1] },
  { type: 'Guessed', seat: 2, place: 'room 27' },
  { type: 'DeskTaken', seat: 0, department: 'BONUS', desk: 1 },
]

it('cards stand in the order of play, and by lots once all are played', () => {
  const seats = (seq: number) => roundOf(log(...CARDS), seq, 3, 0).slots.map(({ seat, card }) => [seat, card])
  expect(seats(1)).toEqual([
    [1, null],
    [2, null],
    [0, null],
  ])
  expect(seats(3)).toEqual([
    [1, 23],
    [2, 35],
    [0, null],
  ])
  expect(seats(5)).toEqual([
    [2, 35],
    [0, 25],
    [1, 23],
  ])
})

it('says what was led, who had none of it, and what came of each lot', () => {
  const { slots, lead, last } = roundOf(log(...CARDS), 7, 3, 0)
  expect([lead, last]).toEqual([23, false])
  expect(slots.map(({ lot, lacks, deed }) => [lot, lacks, deed?.kind])).toEqual([
    [1, 2, 'guess'],
    [2, null, 'desk'],
    [3, null, undefined],
  ])
})

it('the next round begins empty, and the last cards follow the car', () => {
  const next = log(...CARDS, { type: 'RoundBegan', number: 2, seat: 2 })
  expect(roundOf(next, 8, 3, 2).slots.map(({ seat, card, lot }) => [seat, card, lot])).toEqual([
    [2, null, null],
    [0, null, null],
    [1, null, null],
  ])
  const laid = roundOf(log(...CARDS, { type: 'LastCardLaid', seat: 2, card: 11 }), 8, 3, 2)
  expect([laid.last, laid.slots[0]?.seat, laid.slots[0]?.card, laid.slots[1]?.card]).toEqual([true, 2, 11, null])
})

it('tells of an investigation that is over where everybody stood, and names the bonus', () => {
  const [closed, ...more] = closedOf(
    log(
      { type: 'InvestigationBegan', number: 2 },
      ...[0, 1, 2].map((seat) => ({ type: 'HandDealt', seat })),
      { type: 'RoomsLit', cards: [11] },
      ...CARDS,
      { type: 'Relocated', seat: 2, origin: 'room 27', to: 'column 7' },
      { type: 'Guessed', seat: 2, place: 'floor 2' },
      { type: 'LastCardLaid', seat: 0, card: 12 },
      { type: 'MurdererFound', card: 27 },
      { type: 'Scored', points: [0, 0, 13] },
    ),
    99,
  )
  expect(more).toEqual([])
  expect(closed).toEqual({
    number: 2,
    murderer: 27,
    lit: [11, 23, 35, 25, 12],
    guesses: [[], [], ['column 7', 'floor 2']],
    points: [0, 0, 13],
  })
  const options = { floor_points: 2, column_points: 5, room_points: 10 } as Options
  if (!closed) throw new Error('nothing is over')
  expect(tallyOf(closed, 2, options)).toEqual({
    points: 13,
    right: [
      { place: 'column 7', points: 5 },
      { place: 'floor 2', points: 2 },
    ],
    bonus: 6,
  })
  expect(tallyOf(closed, 0, options)).toEqual({ points: 0, right: [], bonus: 0 })
})
