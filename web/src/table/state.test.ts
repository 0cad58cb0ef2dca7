import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import client from '../games/clue'
import { roomFrame, tableFrame } from '../lib/frames.testing'
import { i18n } from '../lib/i18n.svelte'
import { Refusal, socket, TableFeed } from '../lib/socket.svelte'
import { toasts } from '../lib/toasts.svelte'
import { TableState } from './state.svelte'

/** What was asked and waits for its answer, in the test's hand. */
let asks: { seq: number; answer: () => void; refuse: () => void }[] = []
const ask = vi.spyOn(socket, 'ask').mockImplementation((wish) => {
  const seq = 'seq' in wish ? (wish.seq ?? 0) : 0
  return new Promise((resolve, reject) => {
    asks.push({
      seq,
      answer: () => resolve({ seq, view: `as of ${seq}` } as never),
      refuse: () => reject(new Refusal('fault')),
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
