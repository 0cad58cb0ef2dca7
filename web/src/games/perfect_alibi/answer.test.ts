import { expect, it } from 'vitest'
import type { Told } from '../../lib/protocol'
import { seenOf } from './answer'

const told = (event: object): Told => ({
  seq: 0,
  batch: 0,
  at: 0,
  event: event as Told['event'],
  line: { key: '', params: {} },
})

it('whoever looked on has seen a card, too', () => {
  const log = [
    told({ type: 'CardShown', seat: 0, to: 1, card: 'Bar-3', known_to: [0, 1, 3] }),
    told({ type: 'CardShown', seat: 0, to: 1, card: 'Bar-3', known_to: [0, 1] }),
    told({ type: 'CardDrawn', seat: 2, answerer: 0, card: 'Bar-9', known_to: [0, 2] }),
    told({ type: 'CardShown', seat: 2, to: 0, card: 'Bar-6', known_to: [0, 2] }),
  ]
  expect(seenOf(log, 0, 'Bar-3')).toEqual([1, 3])
  expect(seenOf(log, 0, 'Bar-9')).toEqual([2])
  expect(seenOf(log, 0, 'Bar-6')).toEqual([])
})
