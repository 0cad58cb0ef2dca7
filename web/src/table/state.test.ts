import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import client from '../games/clue'
import { roomFrame, tableFrame } from '../lib/frames.testing'
import type { Answer, OfferNow } from '../lib/protocol'
import { i18n } from '../lib/i18n.svelte'
import { Refusal, socket, TableFeed } from '../lib/socket.svelte'
import { toasts } from '../lib/toasts.svelte'
import { TableState } from './state.svelte'

/** What was asked and waits for its answer, in the test's hand. */
let asks: { seq: number; answer: () => void; refuse: (reason?: string) => void }[] = []
const ask = vi.spyOn(socket, 'ask').mockImplementation((wish) => {
  const seq = 'seq' in wish ? (wish.seq ?? 0) : 0
  return new Promise((resolve, reject) => {
    asks.push({
      seq,
      answer: () => resolve({ seq, view: `as of ${seq}` } as never),
      refuse: (reason = 'fault') => reject(new Refusal(reason)),
    })
  })
})
const settle = () => vi.advanceTimersByTimeAsync(0)

function sitting(): TableState {
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ stage: 'playing' }))
  feed.take(tableFrame(0, 9))
  return new TableState(feed, client)
}

beforeAll(() => i18n.use('en'))
beforeEach(() => {
  vi.useFakeTimers()
  ask.mockClear()
  asks = []
  toasts.all = []
})
afterEach(() => vi.useRealTimers())

it('looks once at a time, and of what was wished meanwhile only at the last', async () => {
  const table = sitting()
  for (const seq of [1, 2, 3, 4, 5]) void table.look(seq)
  expect(asks.map(({ seq }) => seq)).toEqual([1])

  asks[0]?.answer()
  await settle()
  expect(asks.map(({ seq }) => seq)).toEqual([1, 5])
  expect(table.looked).toBeNull()

  asks[1]?.answer()
  await settle()
  expect(table.looked).toMatchObject({ seq: 5, view: 'as of 5' })
})

it('points to a moment of a closed case through the eyes that were chosen last', async () => {
  const table = sitting()
  const eyes = () => (ask.mock.lastCall?.[0] as { eyes?: unknown }).eyes
  const answered = () => {
    asks.at(-1)?.answer()
    return settle()
  }
  table.point(1)
  await answered()
  expect(eyes()).toBeNull()

  table.feed.take(tableFrame(9, 9, { closed: true }))
  table.backToNow()
  table.point(1)
  await answered()
  expect(eyes()).toBe('all')
  void table.look(2, 1)
  await answered()
  table.point(3)
  await answered()
  expect(eyes()).toBe(1)
})

it('complains of the newest look alone', async () => {
  const table = sitting()
  void table.look(1)
  void table.look(2)
  asks[0]?.refuse()
  await settle()
  expect(toasts.all).toEqual([])

  asks[1]?.refuse()
  await settle()
  expect(toasts.all.length).toBe(1)
})

it('the present overtakes every look, also those that still wait', async () => {
  const table = sitting()
  void table.look(1)
  void table.look(2)
  table.backToNow()
  asks[0]?.answer()
  await settle()
  expect([asks.length, table.looked]).toEqual([1, null])
})

it('follows what is seen late until the page is left', async () => {
  const table = sitting()
  void table.peek()
  asks[0]?.answer()
  await vi.advanceTimersByTimeAsync(11_000)
  expect(asks.length).toBe(2)
  asks[1]?.answer()
  await settle()
  table.leave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asks.length).toBe(2)
})

// --- Answering ---

const show = (card: string) => ({ type: 'Show', card })
const OFFER: OfferNow = { action: 'Show', choices: { card: { type: 'one', of: ['Rope', 'Hall', 'Plum'] } }, since: 9 }
const told = (card: string, more: Partial<Answer> = {}): Answer => ({
  since: 9,
  left_ms: 5000,
  selected: show(card),
  chosen: true,
  kept: false,
  ...more,
})

/** I am asked, and the house would show the Rope. */
function asked(): TableState {
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ stage: 'playing', me: 0, answer: told('Rope', { chosen: false, kept: true }) }))
  feed.take(tableFrame(0, 9, { offers: [OFFER], awaiting: [0] }))
  return new TableState(feed, client)
}
const shown = (table: TableState) => [
  (table.due?.selected as { card: string }).card,
  table.due?.chosen,
  table.due?.kept,
]

it('a choice is noted at once, keeps nothing busy, and is kept when it is told so', async () => {
  const table = asked()
  expect(shown(table)).toEqual(['Rope', false, true])

  const done = table.answer(show('Hall'))
  expect(ask).toHaveBeenLastCalledWith({ type: 'select', table: 'x', since: 9, action: show('Hall') })
  expect([table.busy, ...shown(table)]).toEqual([false, 'Hall', true, false])

  table.feed.takeAnswer(told('Hall'))
  expect(shown(table)).toEqual(['Hall', true, false])
  table.feed.takeAnswer(told('Hall', { kept: true }))
  expect([table.busy, ...shown(table)]).toEqual([false, 'Hall', true, true])
  asks[0]?.answer()
  expect(await done).toBe(true)
  expect(shown(table)).toEqual(['Hall', true, true])
})

it('a mind is changed while the first choice waits, and nobody is told of what it has replaced', async () => {
  const table = asked()
  const first = table.answer(show('Hall'))
  const second = table.answer(show('Plum'))
  expect([asks.length, ...shown(table)]).toEqual([2, 'Plum', true, false])

  asks[0]?.refuse('illegal')
  expect(await first).toBe(false)
  expect(shown(table)).toEqual(['Plum', true, false])
  asks[1]?.answer()
  expect(await second).toBe(true)
  expect(toasts.all).toEqual([])
})

it('what is told goes before what was tapped', () => {
  const table = asked()
  void table.answer(show('Hall'))
  table.feed.takeAnswer(told('Plum', { kept: true })) // on another device of mine
  expect(shown(table)).toEqual(['Plum', true, true])
})

it('the same choice is not sent twice', async () => {
  const table = asked()
  void table.answer(show('Hall'))
  expect(await table.answer(show('Hall'))).toBe(true)
  expect(asks.length).toBe(1)
  void table.answer(show('Rope'))
  expect(asks.length).toBe(2)
})

it('a choice that came too late is taken back from the page, and said once', async () => {
  const table = asked()
  const late = table.answer(show('Hall'))
  asks[0]?.refuse('illegal')
  expect(await late).toBe(false)
  expect(shown(table)).toEqual(['Rope', false, true])
  expect(toasts.all.length).toBe(1)
})

it('nothing that is no answer goes the way of one', () => {
  const table = asked()
  table.feed.takeAnswer(null)
  table.feed.take(tableFrame(9, 9, { offers: [{ action: 'EndTurn', choices: {}, since: 9 }] }))
  void table.answer({ type: 'EndTurn' })
  expect(ask).toHaveBeenLastCalledWith({ type: 'act', table: 'x', since: 9, action: { type: 'EndTurn' } })
  expect(table.busy).toBe(true)
})
