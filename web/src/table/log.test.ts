import { describe, expect, it } from 'vitest'
import type { Message, Told } from '../lib/protocol'
import { actor, digested, filtered, numberAt, singly, speaksOf, standing } from './log'

const who = (seat: number) => ({ type: 'who' as const, seat })
const term = (word: string) => ({ type: 'term' as const, word })
const told = (seq: number, params: Message['params'] = {}, event: object = { type: 'Some' }): Told => ({
  seq,
  batch: seq,
  at: 0,
  event,
  line: { key: 'line', params },
})

describe('standing', () => {
  it('leaves out what was taken back and keeps the line that says so', () => {
    const log = [told(1), told(2), told(3), told(4, {}, { type: 'Undone', back_to: 1 }), told(5)]
    expect(standing(log).map(({ seq }) => seq)).toEqual([1, 4, 5])
  })
  it('takes back what was taken back before, too', () => {
    const log = [
      told(1),
      told(2),
      told(3, {}, { type: 'Undone', back_to: 1 }),
      told(4),
      told(5, {}, { type: 'Undone', back_to: 1 }),
    ]
    expect(standing(log).map(({ seq }) => seq)).toEqual([1, 5])
  })
})

describe('lines', () => {
  const line: Message = {
    key: 'shown',
    params: { seat: who(1), to: who(2), card: term('Rope'), cards: [term('Hall')], size: 3 },
  }
  it('know whose doing they tell', () => {
    expect(actor(line)).toBe(1)
    expect(actor({ key: 'x', params: {} })).toBeNull()
  })
  it('speak of players and cards, also of cards in a row', () => {
    expect([0, 1, 2].map((seat) => speaksOf(line, { seat }))).toEqual([false, true, true])
    expect(['Rope', 'Hall', 'Study'].map((word) => speaksOf(line, { word }))).toEqual([true, true, false])
  })
})

describe('filtered', () => {
  const groups = [
    { seat: 0, number: 1, lines: [told(1, { seat: who(0), card: term('Rope') }), told(2, { seat: who(1) })] },
    { seat: 2, number: 2, lines: [told(3, { seat: who(2) })] },
  ]
  it('keeps a whole group if one of its lines is meant', () => {
    expect(filtered(groups, { by: 'me' }, 1)).toEqual([groups[0]])
    expect(filtered(groups, { by: 'seat', seat: 2 }, 1)).toEqual([groups[1]])
    expect(filtered(groups, { by: 'word', word: 'Rope' }, 1)).toEqual([groups[0]])
    expect(filtered(groups, { by: 'all' }, 1)).toEqual(groups)
  })
  it('has nothing about me for a spectator', () => {
    expect(filtered(groups, { by: 'me' }, null)).toEqual([])
  })
  it('names the group that was open at an event', () => {
    expect([0, 1, 2, 3, 9].map((seq) => numberAt(groups, seq))).toEqual([null, 1, 1, 2, 2])
  })
})

describe('digested', () => {
  const log = Array.from({ length: 12 }, (_, place) => told(place + 1, { seat: who(place === 3 ? 0 : 1) }))
  it('tells at most six things, in order, and what concerns me first of all', () => {
    expect(digested(singly(log), 0, [5]).flatMap(({ lines }) => lines.map(({ seq }) => seq))).toEqual([
      4, 5, 9, 10, 11, 12,
    ])
  })
  it('leaves the quiet ones out', () => {
    expect(digested([{ seat: 1, lines: log.slice(0, 1), quiet: true }], 0, [])).toEqual([])
  })
  it('keeps the latest when all concern me', () => {
    const mine = log.map(({ seq }) => told(seq, { seat: who(0) }))
    expect(digested(singly(mine), 0, []).map(({ lines }) => lines[0]?.seq)).toEqual([7, 8, 9, 10, 11, 12])
  })
})
