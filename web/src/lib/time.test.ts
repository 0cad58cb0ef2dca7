import { beforeAll, describe, expect, it } from 'vitest'
import { i18n } from './i18n.svelte'
import { agreed, asClock, inWords, isLow, LOW_BANK, measured, since } from './time'

beforeAll(() => i18n.start())

it.each([
  [0, 'seconds', 0],
  [59.2, 'seconds', 60],
  [60, 'minutes', 1],
  [61, 'minutes', 2],
  [3600, 'hours', 1],
  [86_399, 'hours', 24],
  [86_400, 'days', 1],
  [86_401, 'days', 2],
])('%d seconds are %s: %d', (seconds, unit, count) => {
  expect(measured(seconds)).toEqual({ unit, count })
})

it.each([
  [400, 'seconds', 1],
  [59_000, 'seconds', 59],
  [60_000, 'minutes', 1],
  [3_600_000, 'hours', 1],
  [23.9 * 3_600_000, 'hours', 23],
  [47 * 3_600_000, 'days', 1],
  [72 * 3_600_000, 'days', 3],
])('%d ms ago is %s: %d', (ms, unit, count) => {
  expect(since(ms)).toEqual({ unit, count })
})

it('shows a bank as a clock does', () => {
  expect([0, 9.1, 60, 599, 3600, 3725].map(asClock)).toEqual(['0:00', '0:10', '1:00', '9:59', '1:00:00', '1:02:05'])
})

describe('in words', () => {
  it('says what was agreed', () => {
    expect(agreed({ type: 'untimed' })).toBe('no clock')
    expect(agreed({ type: 'bank', bank_s: 600, increment_s: 10, answer_s: 60 })).toBe(
      '10 minutes for everybody, 10 seconds more with each move',
    )
    expect(agreed({ type: 'days', days: 1, answer_s: 86_400 })).toBe('1 day for each move')
    expect(inWords(2 * 86_400)).toBe('2 days')
  })
})

it('calls a bank low in its last half minute, and days in their last quarter of a day', () => {
  const bank = { type: 'bank', bank_s: 600, increment_s: 0, answer_s: 60 } as const
  expect([LOW_BANK, LOW_BANK + 1].map((left) => isLow(bank, left))).toEqual([true, false])
  const days = { type: 'days', days: 2, answer_s: 60 } as const
  expect([3600, 86_400].map((left) => isLow(days, left))).toEqual([true, false])
})
