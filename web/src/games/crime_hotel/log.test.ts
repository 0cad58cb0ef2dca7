import { expect, it } from 'vitest'
import type { Told } from '../../lib/protocol'
import { grouped } from './log'

let seq = 0
const told = (type: string, seat: number | null = null): Told => ({
  seq: ++seq,
  batch: seq,
  at: 0,
  event: { type, ...(seat === null ? {} : { seat }) },
  line: { key: type, params: {} },
})
const shape = (log: Told[]) =>
  grouped(log).map(({ seat, number, lines, quiet }) => [
    number ?? (quiet ? 'quiet' : 'loud'),
    seat,
    lines.map(({ line }) => line.key).join(' '),
  ])

it('the cards of a round are one entry, and so is what each player did from a lot', () => {
  const log = [
    ...['Opened', 'InvestigationBegan', 'HandDealt', 'HandDealt', 'MurdererHidden', 'RoomsLit'].map((type) =>
      told(type),
    ),
    ...[told('RoundBegan', 2), told('CardPlayed', 2), told('CardPlayed', 0), told('Parked')],
    ...[told('Guessed', 0), told('DeskTaken', 1), told('Exchanged', 1), told('DeskTaken', 1), told('LookDeclined', 1)],
    ...[told('RoundBegan', 0), told('CardPlayed', 0)],
  ]
  expect(shape(log)).toEqual([
    ['quiet', null, 'Opened InvestigationBegan HandDealt HandDealt MurdererHidden RoomsLit'],
    [1, 2, 'RoundBegan CardPlayed CardPlayed Parked'],
    [2, 0, 'Guessed'],
    [3, 1, 'DeskTaken Exchanged'],
    [4, 1, 'DeskTaken LookDeclined'],
    [5, 0, 'RoundBegan CardPlayed'],
  ])
})

it('the last cards are one entry, and so is what they show', () => {
  const log = [
    ...[told('LastCardLaid', 1), told('LastCardLaid', 2), told('MurdererFound'), told('Scored')],
    ...[told('InvestigationBegan'), told('HandDealt', 0), told('RoundBegan', 1), told('GameEnded')],
  ]
  expect(shape(log)).toEqual([
    [1, null, 'LastCardLaid LastCardLaid'],
    [2, null, 'MurdererFound Scored'],
    ['quiet', null, 'InvestigationBegan HandDealt'],
    [3, 1, 'RoundBegan'],
    [4, null, 'GameEnded'],
  ])
})
