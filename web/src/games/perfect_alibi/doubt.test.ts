import { expect, it } from 'vitest'
import type { OfferNow, Told } from '../../lib/protocol'
import { clashing, doubtful, suspect } from './doubt'

const accuse = (seat: number, questions: number[]): OfferNow => ({
  action: 'Accuse',
  choices: {
    accused: { type: 'one', of: [seat] },
    questions: { type: 'some', of: questions, least: 1, most: questions.length },
  },
  since: 1,
})
const confirm = (question: number): OfferNow => ({
  action: 'Confirm',
  choices: { question: { type: 'one', of: [question] } },
  since: 1,
})
const slam: OfferNow = { action: 'Slam', choices: { card: { type: 'one', of: ['Bar-3'] } }, since: 1 }
const told = (seq: number, type: string, question: number): Told => ({
  seq,
  batch: seq,
  at: 0,
  event: { type, question, seat: 1, known_to: [] } as unknown as Told['event'],
  line: { key: '', params: {} },
})

it('lists the answers that can be called treachery by player, the newest first', () => {
  const offers = [slam, accuse(1, [1, 4, 7]), accuse(3, [2])]
  expect(doubtful(offers, () => 0)).toEqual([
    { seat: 1, questions: [7, 4, 1] },
    { seat: 3, questions: [2] },
  ])
})

it('lists the answers that can be confirmed in the same way', () => {
  const answerers = [2, 1, 2]
  const found = doubtful([confirm(1), confirm(2), confirm(3)], (question) => answerers[question - 1] ?? 0)
  expect(found).toEqual([
    { seat: 1, questions: [2] },
    { seat: 2, questions: [3, 1] },
  ])
})

it('opens at whoever answered last, or by the notes at whoever answered wrongly', () => {
  const offers = doubtful([accuse(1, [1, 4]), accuse(2, [2, 5])], () => 0)
  expect(suspect(offers, [])?.seat).toBe(2)
  expect(suspect(offers, [1, 4])?.seat).toBe(1)
  expect(suspect([], [])).toBeUndefined()
})

it('knows the questions of a clash, also of an answer that was corrected', () => {
  const log = [told(5, 'Asked', 1), told(6, 'Answered', 1), told(9, 'Answered', 2), told(12, 'AnswerCorrected', 3)]
  expect(clashing(log, [5, 6, 12])).toEqual([1, 3])
})
