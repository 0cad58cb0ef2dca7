import { describe, expect, test } from 'vitest'
import { listenerHits, ownHits } from './ear'
import { barsOf, chanceLines, hasCurve, learned, lineOf, pathOf, reach, ticks, valueAt, xOf, yOf } from './graph'
import { beside, faultsOf, leftAt, momentsOf, nextOf, readPlace, shown, writePlace } from './moments'
import { choices, isBest, isGood, whyNot } from './quiz'
import { decision, seatReview, step, verdict } from './review.testing'
import { LABELS, type Label } from './types'

const PART = seatReview(0, {
  decisions: [decision(4, 'best'), decision(9, 'blunder', { loss: 0.9 }), decision(12, null), decision(20, 'mistake')],
  steps: [step(4, 2.5, { expected: 0.7 }), step(6, 2.49), step(10, 1, { part: 'gift' }), step(21, 0)],
  certain: { seq: 21, cells: [['Cook', 'glass']], proofs: [], turns: 1, named: null },
})
const seqs = (moments: readonly { seq: number }[]) => moments.map(({ seq }) => seq)

describe('moments', () => {
  const moments = momentsOf(PART)

  test('are decisions and what told something, in the order of the game, each event once', () => {
    expect(seqs(moments)).toEqual([4, 9, 10, 12, 20, 21])
    expect(moments[0]).toMatchObject({ before: 3, left: 2.5, decision: { seq: 4 }, step: { seq: 4 } })
    expect(moments[1]).toMatchObject({ before: 2.49, left: 2.49 })
  })
  test('are none where another case was dealt, and nothing was lost by it', () => {
    const again = seatReview(0, { steps: [step(4, 0), step(5, 3, { part: 'new' }), step(8, 1)] })
    expect(momentsOf(again).map(({ seq, before, left }) => [seq, before, left])).toEqual([
      [4, 3, 0],
      [8, 3, 1],
    ])
  })
  test('know what was missing', () => {
    expect([1, 5, 9, 30].map((seq) => leftAt(PART, seq))).toEqual([3, 2.5, 2.49, 0])
  })
  test.each([
    ['all', [4, 9, 10, 12, 20, 21]],
    ['decisions', [4, 9, 12, 20]],
    ['faults', [9, 20]],
    ['mistake', [20]],
    ['good', []],
  ] as const)('are filtered: %s', (filter, left) => {
    expect(seqs(shown(moments, filter))).toEqual(left)
  })
  test('of a label come one after the other, and begin again after the last', () => {
    expect(nextOf(moments, 'blunder', 0)?.seq).toBe(9)
    expect(nextOf(moments, 'blunder', 9)?.seq).toBe(9)
    expect(nextOf(moments, 'masterstroke', 0)).toBeUndefined()
  })
  test('have neighbours, and ends', () => {
    expect([beside(moments, 9, 1)?.seq, beside(moments, 9, -1)?.seq]).toEqual([10, 4])
    expect([beside(moments, 21, 1), beside(moments, 4, -1)]).toEqual([undefined, undefined])
  })
  test('that could be better: the dearest first, measured by what was on offer', () => {
    expect(seqs(faultsOf(PART))).toEqual([20, 9])
    const points = decision(30, 'inaccuracy', { unit: 'points', loss: 5, best: [{ ...verdict().taken, value: 50 }] })
    expect(seqs(faultsOf({ ...PART, decisions: [...(PART.decisions ?? []), points] }))).toEqual([20, 9, 30])
  })
})

describe('places', () => {
  test.each([
    ['review', { seat: null, seq: null }],
    ['review.2', { seat: 2, seq: null }],
    ['review.-1.17', { seat: -1, seq: 17 }],
    ['review.x', null],
    ['reviewed', null],
    ['', null],
  ])('%s', (fragment, place) => expect(readPlace(fragment)).toEqual(place))
  test('are read as they are written', () => {
    expect(readPlace(writePlace(3, 40))).toEqual({ seat: 3, seq: 40 })
    expect(readPlace(writePlace(-1, null))).toEqual({ seat: -1, seq: null })
  })
})

describe('curves', () => {
  const frame = { width: 100, height: 50, from: 2, to: 22, most: 3 }

  test('begin with the deal, change with events, and go on to the last one', () => {
    const line = lineOf(PART, 22)
    expect(line.points.map(({ seq }) => seq)).toEqual([2, 4, 6, 10, 21, 22])
    expect(pathOf(line, frame)).toBe('M0 0H10V8.3H20V8.5H40V33.3H95V50H100V50')
    expect([0, 4, 11, 99].map((seq) => valueAt(line, seq))).toEqual([3, 2.5, 1, 0])
  })
  test('stay in their frame', () => {
    expect([xOf(frame, 0), xOf(frame, 99), yOf(frame, 9), yOf(frame, -1)]).toEqual([0, 100, 0, 50])
    expect(xOf({ ...frame, to: 2 }, 2)).toBe(0)
  })
  test('of chances to win are one for each seat', () => {
    const lines = chanceLines([
      [3, [0.5, 0.5]],
      [9, [0.8, 0.2]],
    ])
    expect(lines.map((line) => valueAt(line, 9))).toEqual([0.8, 0.2])
    expect(chanceLines([])).toEqual([])
  })
  test('are left out where there was nothing to know', () => {
    expect(hasCurve([PART])).toBe(true)
    expect(hasCurve([seatReview(0, { began: 0 })])).toBe(false)
  })
  test('have few whole figures beside them', () => {
    expect(ticks(3.4)).toEqual([0, 1, 2, 3])
    expect(ticks(9.4)).toEqual([0, 2, 4, 6, 8])
    expect(ticks(0)).toEqual([0])
  })
})

describe('bars', () => {
  test('stand right of zero, or left where something was missed, and sum up', () => {
    const { account } = PART
    expect(barsOf(account).map(({ part, from, width }) => [part, from, width])).toEqual([
      ['asked', 0, 1.5],
      ['answer_luck', -0.4, 0.4],
      ['gifts', 1.5, 0.9],
    ])
    expect(reach([account])).toEqual([-0.4, 2.4])
    expect(learned(account)).toBeCloseTo(2)
    expect(barsOf({ ...account, new: -2 })).toEqual(barsOf(account))
  })
})

describe('second tries', () => {
  const at = decision(9, 'blunder')

  test('offer the best three and what was done, in the same order each time', () => {
    const cards = choices(at).map(({ value }) => value)
    expect(new Set(cards)).toEqual(new Set([1.3, 1.2, 0.9, 0.1]))
    expect(choices({ ...at }).map(({ value }) => value)).toEqual(cards)
  })
  test('put the best in no place of its own', () => {
    const places = Array.from({ length: 40 }, (_, seq) =>
      choices(decision(seq, 'blunder')).findIndex(({ value }) => value === 1.3),
    )
    expect(new Set(places)).toEqual(new Set([0, 1, 2, 3]))
  })
  test('offer nothing twice', () => {
    const [best] = at.verdict.best
    expect(choices(decision(9, 'best', { taken: best }))).toHaveLength(3)
  })
  test('are good by their label alone', () => {
    const good = (label: Label | null) => isGood(verdict({ label }))
    expect(LABELS.filter(good)).toEqual(['masterstroke', 'best', 'good'])
    expect(good(null)).toBe(false)
    expect(isBest(at, { ...verdict().taken, action: null, value: 1.3 })).toBe(true)
    expect(isBest(at, verdict().taken)).toBe(false)
  })
  test('that are not say why in a figure', () => {
    const line = { key: 'tested', params: {} }
    expect(whyNot(verdict())).toEqual({ value: 0.1, best: 1.3 })
    const answers = [
      { line, chance: 0.07, left: 1 },
      { line, chance: 0.93, left: 2 },
    ]
    expect(whyNot(verdict({ answers }))).toEqual({ certain: answers[1] })
    expect(whyNot(verdict({ answers: [{ line, chance: 0.5, left: 1 }] }))).toEqual({ value: 0.1, best: 1.3 })
  })
})

test('an ear is measured by what was noted', () => {
  const heard = [
    { seq: 3, truth: 'floor 2', guess: 'floor 2', chance: 0.8 },
    { seq: 5, truth: 'floor 4', guess: 'floor 3', chance: 0.4 },
    { seq: 7, truth: 'floor 1', guess: 'floor 1', chance: 0.6 },
    { seq: 9, truth: 'floor 1', guess: null, chance: 0 },
  ]
  expect(listenerHits(heard)).toEqual({ hits: 2, all: 3 })
  expect(ownHits(heard, (seq) => ({ 3: 'floor 2', 5: 'floor 0' })[seq] ?? null)).toEqual({ hits: 1, all: 2 })
})
