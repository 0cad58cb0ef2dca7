import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followEyes } from './eyes'

const told: boolean[] = []
let state: DocumentVisibilityState = 'visible'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => state)
  followEyes((looking) => told.push(looking))
})
afterEach(() => vi.useRealTimers())

test('a page is looked at while it is visible and somebody stirs', () => {
  expect(told).toEqual([true])

  vi.advanceTimersByTime(4 * 60_000)
  dispatchEvent(new Event('pointermove'))
  vi.advanceTimersByTime(4 * 60_000)
  expect(told).toEqual([true, true])
  vi.advanceTimersByTime(60_000)
  expect(told.at(-1)).toBe(false)

  dispatchEvent(new Event('keydown'))
  expect(told.at(-1)).toBe(true)
  state = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  expect(told.at(-1)).toBe(false)
  dispatchEvent(new Event('focus'))
  expect(told.at(-1)).toBe(false)
})
