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
  grouped(log).map(({ seat, number, lines, quiet }) => [
    number ?? (quiet ? 'quiet' : 'loud'),
    seat,
    lines.map(({ line }) => line.key).join(' '),
  ])

it('a question, its answer and its card are one entry; chips and assistants are one quiet line', () => {
  const log = [
    told('Opened'),
    told('RowLaid'),
    told('AssistantPicked', 0),
    told('TurnBegan', 0),
    told('ChipTaken', 0),
    told('AssistantChanged', 0),
    told('Asked', 0, { question: 1 }),
    told('Answered', 1, { question: 1 }),
    told('CardShown', 1, { question: 1 }),
    told('ChipReplaced'),
    told('TurnBegan', 1),
    told('ChipTaken', 1),
    told('Asked', 1, { question: 2 }),
    told('Answered', 2, { question: 2 }),
    told('ChipReplaced'),
    told('TurnBegan', 2),
  ]
  expect(shape(log)).toEqual([
    ['quiet', null, 'Opened RowLaid AssistantPicked'],
    ['quiet', 0, 'ChipTaken AssistantChanged'],
    [1, 0, 'Asked Answered CardShown'],
    ['quiet', 1, 'ChipReplaced ChipTaken'],
    [2, 1, 'Asked Answered'],
    ['quiet', 2, 'ChipReplaced TurnBegan'],
  ])
})

it('a slam between a question and its answer parts neither', () => {
  const log = [
    told('Asked', 0, { question: 1 }),
    told('Slammed', 2),
    told('MissingSeen', 2),
    told('Answered', 1, { question: 1 }),
  ]
  expect(shape(log)).toEqual([
    [1, 0, 'Asked Answered'],
    ['loud', 2, 'Slammed MissingSeen'],
  ])
})

it('a doubt and what comes of it are one entry, and a late card belongs to its question', () => {
  const log = [
    told('Asked', 0, { question: 1 }),
    told('Answered', 1, { question: 1 }),
    told('ConfirmationAsked', 2, { question: 1 }),
    told('AnswerFoundWrong', 1, { question: 1 }),
    told('AnswerCorrected', 1, { question: 1 }),
    told('CardShown', 1, { question: 1 }),
  ]
  expect(shape(log)).toEqual([
    [1, 0, 'Asked Answered CardShown'],
    ['loud', 2, 'ConfirmationAsked AnswerFoundWrong AnswerCorrected'],
  ])
})

it('the end belongs to what brought it about', () => {
  const log = [told('TreacheryClaimed', 0), told('Revealed'), told('GameEnded')]
  expect(shape(log)).toEqual([['loud', 0, 'TreacheryClaimed Revealed GameEnded']])
})
