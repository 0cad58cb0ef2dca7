import { expect, it } from 'vitest'
import type { Told } from '../../lib/protocol'
import { readGuess, standing, tapped, writeGuess } from './guess'
import { dropsOf, grouped, openAt, openings } from './log'
import { moved } from './order'
import { added, NOTHING } from './score'

let seq = 0
const told = (event: { type: string; [field: string]: unknown }): Told => ({
  seq: ++seq,
  batch: seq,
  at: 0,
  event,
  line: { key: event.type, params: {} },
})
const dropped = (colour: string, why = 'back') => told({ type: 'Dropped', seat: 0, colour, why, clip: { id: colour } })

function log(options = { show_drop_log: true }): Told[] {
  seq = 0
  return [
    told({ type: 'Opened', options }), // 1
    dropped('red', 'prologue'), // 2
    dropped('yellow', 'prologue'), // 3
    told({ type: 'TurnBegan', seat: 1, act: 1 }), // 4
    told({ type: 'Exposed', seat: 1, floor: 3, found: [] }), // 5
    told({ type: 'VictimsFound', floor: 3, count: 1 }), // 6
    dropped('yellow'), // 7
    told({ type: 'TurnBegan', seat: 0, act: 2 }), // 8
    told({ type: 'Suspected', seat: 0, suspects: [1], floor: 2 }), // 9
    told({ type: 'Exposed', seat: 0, floor: 2, found: [] }), // 10
    told({ type: 'OrderAwaited', seat: 0 }), // 11
  ]
}
const shape = (groups: ReturnType<typeof grouped>) =>
  groups.map(({ number, lines, quiet }) => `${number ?? (quiet ? '-' : '?')}: ${lines.map(({ seq }) => seq).join(' ')}`)

it('a deed is one entry, and the drops that follow are one quiet line', () => {
  expect(shape(grouped(log()))).toEqual(['-: 1', '-: 2 3', '1: 5 6', '-: 7', '2: 9 10 11'])
})

it('a table without a list of drops has none in its log', () => {
  expect(shape(grouped(log({ show_drop_log: false })))).toEqual(['-: 1', '1: 5 6', '2: 9 10 11'])
})

it('a floor stands open from the look to the first drop', () => {
  const open = Array.from({ length: 11 }, (_, place) => openAt(log(), place + 1)?.floor ?? null)
  expect(open).toEqual([null, null, null, null, 3, 3, null, null, null, 2, 2])
})

it('what my ear noted stands until somebody looks at that floor', () => {
  const drops = dropsOf(log())
  expect(drops.map(({ nth, seq, owner }) => [nth, seq, owner])).toEqual([
    [0, 2, -1],
    [1, 3, 0],
    [2, 7, 0],
  ])
  const guesses = ['3', '52', '23'].map(readGuess)
  const left = standing(drops, openings(log()), ({ nth }) => guesses[nth] ?? readGuess(''))
  expect(left.map(({ drop, floor, sure }) => [drop.nth, floor, sure])).toEqual([
    [1, 5, true],
    [2, 3, false],
  ])
})

it('one tap is sure, a further one perhaps, and a second one takes it back', () => {
  let guess = readGuess('')
  const marks = [3, 4, 2, 3, 4].map((floor) => writeGuess((guess = tapped(guess, floor))))
  expect(marks).toEqual(['3', '34', '324', '-24', '-2'])
  expect(readGuess('-2')).toEqual({ sure: null, perhaps: [2] })
})

it('a cube goes to another place in the order', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
})

it('practice counts what I and the listener got right, and by how much I was off', () => {
  const score = added(added(NOTHING, 4, { floor: 4, ear: 5 }), 1, { floor: 3, ear: 3 })
  expect(score).toEqual({ count: 2, right: 1, off: 2, ear: 1 })
})
