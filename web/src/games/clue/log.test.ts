import { expect, it } from 'vitest'
import type { Told } from '../../lib/protocol'
import { grouped } from './log'

let seq = 0
const told = (type: string, seat: number | null = null, more: object = {}): Told => ({
  seq: ++seq,
  batch: seq,
  at: 0,
  event: { type, ...(seat === null ? {} : { seat }), ...more },
  line: { key: type, params: {} },
})
const shape = (log: Told[]) =>
  grouped(log).map(({ seat, number, lines, quiet, note }) => [
    number ?? (quiet ? 'quiet' : 'loud'),
    seat,
    lines.map(({ line }) => line.key).join(' '),
    ...(note ? [note] : []),
  ])

it('a suggestion and its answers are one numbered entry, the walk before it one quiet line', () => {
  const log = [
    told('Opened', null, { seats: 3 }),
    told('HandDealt', 0),
    told('TurnBegan', 0),
    told('DiceThrown', 0),
    told('Moved', 0),
    told('Suggested', 0),
    told('CouldNotShow', 1),
    told('CardShown', 2),
    told('TurnBegan', 1),
    told('PassageTaken', 1),
    told('Suggested', 1),
    told('CouldNotShow', 2),
    told('CouldNotShow', 0),
    told('TurnBegan', 2),
  ]
  expect(shape(log)).toEqual([
    ['quiet', null, 'Opened HandDealt'],
    ['quiet', 0, 'DiceThrown Moved'],
    [1, 0, 'Suggested CouldNotShow CardShown'],
    ['quiet', 1, 'PassageTaken'],
    [2, 1, 'Suggested CouldNotShow CouldNotShow', 'ui.nobody'],
    ['quiet', 2, 'TurnBegan'],
  ])
})

it('an accusation is loud, with everything that comes of it', () => {
  const log = [
    told('Opened', null, { seats: 2 }),
    told('Accused', 0),
    told('EnvelopeSeen', 0),
    told('TokenStoodAside', 0),
    told('TurnBegan', 1),
    told('Accused', 1),
    told('EnvelopeOpened'),
    told('GameEnded'),
  ]
  expect(shape(log).filter(([kind]) => kind === 'loud')).toEqual([
    ['loud', 0, 'Accused EnvelopeSeen TokenStoodAside'],
    ['loud', 1, 'Accused EnvelopeOpened GameEnded'],
  ])
})
