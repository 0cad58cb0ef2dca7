import { cleanup, render } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import client from '../games/clue'
import { chairFrame, roomFrame, tableFrame } from '../lib/frames.testing'
import { i18n, t } from '../lib/i18n.svelte'
import { live } from '../lib/live.svelte'
import type { Chair } from '../lib/protocol'
import { TableFeed } from '../lib/socket.svelte'
import Clock from './Clock.svelte'
import Closing from './Closing.svelte'
import Pauses from './Pauses.svelte'
import { TableState } from './state.svelte'

const chairs = (wants_pause: boolean): Chair[] =>
  ['Ada', 'Benno'].map((name, seat) =>
    chairFrame(seat, { kind: 'person', name, wants_pause: seat === 1 && wants_pause }),
  )

function sitting(): TableState {
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ stage: 'playing', me: 0, chairs: chairs(false) }))
  feed.take(tableFrame(0, 3))
  return new TableState(feed, client)
}
/** Everybody is told of the room: of something new, or of the same. */
function tell(table: TableState, wish: boolean) {
  table.feed.takeRoom(roomFrame({ stage: 'playing', me: 0, chairs: chairs(wish) }))
  flushSync()
}

beforeEach(async () => {
  await i18n.use('en')
  vi.useFakeTimers()
  live.clear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('reads a wish for a pause out once, however often the room is told, and again when it is made again', () => {
  const table = sitting()
  render(Pauses, { table })
  const heard = () => live.polite.filter(({ text }) => text === t('pause.wanted', { names: 'Benno' })).length
  tell(table, true)
  tell(table, true)
  expect(heard()).toBe(1)
  tell(table, false)
  tell(table, true)
  expect(heard()).toBe(2)
})

it('says once a day that the game is going to be closed, and in the end that it stays open', async () => {
  const DAY = 86_400_000
  const room = (closes_ms: number | null) => ({ room: roomFrame({ stage: 'playing', closes_ms }) })
  const { container, rerender } = render(Closing, room(7 * DAY))
  await rerender(room(6.5 * DAY))
  await rerender(room(6 * DAY))
  expect(container.textContent).toBe(t('closing', { count: 6 }))
  await rerender(room(null))
  expect(container.textContent).toBe('')
  const heard = [t('closing', { count: 7 }), t('closing', { count: 6 }), t('closing.kept')]
  expect(live.polite.map(({ text }) => text)).toEqual(heard)
})

it('reads the time out at half and at ten seconds, however often the same end is told', async () => {
  const table = sitting()
  const told = (left: number) => ({ table, left, from: performance.now() })
  const { rerender } = render(Clock, told(40_000))
  for (let left = 38_500; left > 4_000; left -= 1_500) {
    await vi.advanceTimersByTimeAsync(1_500)
    await rerender(told(left))
  }
  expect(live.assertive.map(({ text }) => text)).toEqual([20, 10].map((count) => t('clock.left', { count })))
})

it('begins anew with another end', async () => {
  const table = sitting()
  const { rerender } = render(Clock, { table, left: 40_000, from: performance.now() })
  await vi.advanceTimersByTimeAsync(15_000)
  await rerender({ table, left: 60_000, from: performance.now() })
  await vi.advanceTimersByTimeAsync(31_000)
  expect(live.assertive.map(({ text }) => text)).toEqual([t('clock.left', { count: 30 })])
})

it('takes what was said along when the table is left', () => {
  live.announce('Ada shows you the Rope.')
  sitting().leave()
  expect(live.polite).toEqual([])
})
