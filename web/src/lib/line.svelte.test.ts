import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { i18n, t } from './i18n.svelte'
import { line } from './line.svelte'
import { live } from './live.svelte'
import { socket } from './socket.svelte'
import { toasts } from './toasts.svelte'

let stop: () => void

beforeEach(async () => {
  await i18n.use('en')
  vi.useFakeTimers()
  stop = $effect.root(() => {
    $effect(() => line.follow())
  })
  become('open')
})
afterEach(() => {
  become('open')
  stop()
  socket.goodbye = null
  socket.full = false
  vi.useRealTimers()
  toasts.all = []
})

function become(state: typeof socket.state) {
  socket.state = state
  flushSync()
}

describe('a line that breaks', () => {
  test('for a blink is nobody’s business', () => {
    become('offline')
    vi.advanceTimersByTime(500)
    become('open')
    vi.advanceTimersByTime(60_000)

    expect(line.broken).toBe(false)
    expect(toasts.all).toEqual([])
  })

  test('is told, told otherwise when it lasts, and told when it is over', () => {
    const before = live.assertive.length
    become('offline')
    vi.advanceTimersByTime(2_000)
    expect([line.broken, line.reason]).toEqual([true, 'offline'])
    expect(live.assertive.length).toBe(before + 1)

    vi.advanceTimersByTime(30_000)
    expect(line.reason).toBe('long')

    become('open')
    expect(line.broken).toBe(false)
    expect(toasts.all.map(({ text }) => text)).toEqual(['Connected again. Nothing was lost.'])
  })

  test.each(['restarting', 'too_many', 'forgotten'] as const)('because of %s is told with its reason', (reason) => {
    socket.goodbye = reason
    become('offline')
    vi.advanceTimersByTime(2_000)

    expect(line.reason).toBe(reason)
    expect(live.assertive.at(-1)?.text).toBe(t(`connection.${reason}`))
  })

  test('because too many pages are open here is told so for as long as it lasts', () => {
    socket.full = true
    become('offline')
    vi.advanceTimersByTime(30_000)

    expect(line.reason).toBe('full')
    expect(live.assertive.at(-1)?.text).toBe(t('connection.full'))
  })
})
