import { expect, it } from 'vitest'
import type { Cell, OfferNow, Told } from '../lib/protocol'
import { beforeMyWord, holds, type Moment } from './lesson'

const offer = (action: string): OfferNow => ({ action, choices: {}, since: 1 })
const told = (seq: number, event: object): Told => ({ seq, batch: seq, at: 0, event, line: { key: 'x', params: {} } })
const yes = (row: string, column: string): Cell => ({ row, column, mark: 'yes', source: 'follows', share: null })
const moment: Moment = {
  offers: [offer('Roll'), offer('Accuse')],
  log: [told(1, { type: 'CardShown', seat: 2, to: 1 }), told(2, { type: 'TurnBegan', seat: 0 })],
  cells: [yes('Rope', 'envelope'), yes('White', 'envelope'), yes('Hall', '1')],
}

it('a step waits for an offer', () => {
  expect(holds({ offer: 'Roll' }, moment)).toBe(true)
  expect(holds({ offer: 'Suggest' }, moment)).toBe(false)
})
it('a step waits for an event, with fields of its own', () => {
  expect(holds({ event: 'CardShown' }, moment)).toBe(true)
  expect(holds({ event: 'CardShown', fields: { seat: [1, 2], to: [1] } }, moment)).toBe(true)
  expect(holds({ event: 'CardShown', fields: { to: [0] } }, moment)).toBe(false)
  expect(holds({ event: 'CardShown', last: true }, moment)).toBe(false)
  expect(holds({ event: 'TurnBegan', last: true }, moment)).toBe(true)
})
it('a step waits until the notes are certain', () => {
  expect(holds({ offer: 'Accuse', certain: ['envelope', 2] }, moment)).toBe(true)
  expect(holds({ offer: 'Accuse', certain: ['envelope', 3] }, moment)).toBe(false)
})
it('all that a step names must hold', () => {
  expect(holds({ offer: 'Suggest', event: 'CardShown' }, moment)).toBe(false)
  expect(holds({ offer: 'Roll', event: 'CouldNotShow' }, moment)).toBe(false)
})
it('what is proved after I said what it is counts as little as what the last lines tell', () => {
  const log = [
    told(1, { type: 'Guessed', seat: 1 }),
    told(2, { type: 'Guessed', seat: 0 }),
    told(3, { type: 'LastCardLaid', seat: 0 }),
    told(4, { type: 'MurdererFound', card: 27 }),
  ]
  const seqs = (claim: string | null, me: number | null) => beforeMyWord(log, claim, me).map(({ seq }) => seq)
  expect(seqs('Guessed', 0)).toEqual([1])
  expect(seqs('Guessed', 2)).toEqual([1, 2, 3])
  expect(seqs(null, 0)).toEqual([1, 2, 3])
  expect(beforeMyWord([], 'Guessed', 0)).toEqual([])
})
