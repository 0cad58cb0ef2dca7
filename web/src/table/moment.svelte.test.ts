import { cleanup, fireEvent, render } from '@testing-library/svelte'
import { createRawSnippet, flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settings } from '../lib/settings.svelte'
import Moment from './Moment.svelte'

beforeEach(() => {
  vi.useFakeTimers()
  settings.motion = 'full'
})
afterEach(() => {
  cleanup()
  settings.motion = 'system'
  settings.haste = 'none'
  vi.useRealTimers()
})

const shown = createRawSnippet((step: () => number) => ({
  render: () => `<p>${step()}</p>`,
  setup: (node) => {
    $effect(() => void (node.textContent = String(step())))
  },
}))
function moment(steps: readonly number[]) {
  const [onstep, onend] = [vi.fn(), vi.fn()]
  const { container } = render(Moment, { steps, children: shown, onstep, onend })
  flushSync()
  return { onstep, onend, at: () => Number(container.textContent) }
}
function pass(ms: number) {
  vi.advanceTimersByTime(ms)
  flushSync()
}

test('goes from step to step and ends by itself', () => {
  const { onstep, onend, at } = moment([500, 700])
  expect(at()).toBe(0)
  pass(500)
  expect(at()).toBe(1)
  expect(onend).not.toHaveBeenCalled()
  pass(700)
  expect(at()).toBe(2)
  expect(onstep.mock.calls).toEqual([[0], [1]])
  expect(onend).toHaveBeenCalledOnce()
})

test.each([
  ['a tap', () => fireEvent.pointerDown(document.body)],
  ['the space bar', () => fireEvent.keyDown(document.body, { key: ' ' })],
  ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
])('%s brings its end, and nothing more is heard', async (_, skip) => {
  const { onstep, onend, at } = moment([500, 500, 500])
  await skip()
  expect(at()).toBe(3)
  pass(2000)
  expect(onstep).toHaveBeenCalledOnce()
  expect(onend).toHaveBeenCalledOnce()
})

test('a key that ends it presses nothing else, and the next one is nothing to it', async () => {
  moment([500])
  const event = () => new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true })
  const [first, second] = [event(), event()]
  await fireEvent(document.body, first)
  await fireEvent(document.body, second)
  expect([first.defaultPrevented, second.defaultPrevented]).toEqual([true, false])
})

test.each([
  ['whoever wants no movement', () => (settings.motion = 'reduced')],
  ['a table that leaves no time', () => (settings.haste = 'at_once')],
])('%s sees the end at once', (_, set) => {
  set()
  const { onstep, onend, at } = moment([500, 500])
  expect(at()).toBe(2)
  expect(onstep).not.toHaveBeenCalled()
  expect(onend).toHaveBeenCalledOnce()
})

test('nothing lasts three seconds', () => {
  const { at } = moment([3000, 3000])
  pass(1499)
  pass(1499)
  expect(at()).toBe(2)
})
