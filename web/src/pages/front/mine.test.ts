import { beforeEach, describe, expect, test } from 'vitest'
import { i18n, t } from '../../lib/i18n.svelte'
import type { Listed } from '../../lib/protocol'
import { ending, inOrder, others, running, when } from './mine'

beforeEach(() => i18n.use('en'))

function table(id: string, more: Partial<Listed> = {}): Listed {
  const chairs = ['Ada', 'Benno', 'Chloe'].map((name) => ({ name, kind: 'person' as const }))
  const nothing = { assistance: 'facts' as const, at: 0, me: 0, my_turn: false, outcome: null, closes_ms: null }
  return { table: id, game: 'clue', stage: 'playing', chairs, ...nothing, ...more }
}

test('what waits for me comes first, then what is played, what gathers, and what is over; the latest of each before', () => {
  const tables = [
    table('over', { stage: 'over', at: 9 }),
    table('gathers', { stage: 'gathering', at: 8 }),
    table('old', { at: 1 }),
    table('new', { at: 7 }),
    table('mine', { my_turn: true }),
  ]
  expect(inOrder(tables).map((each) => each.table)).toEqual(['mine', 'new', 'old', 'gathers', 'over'])
  expect(running(tables).map((each) => each.table)).toEqual(['mine', 'new', 'old', 'gathers'])
})

test('with whom leaves out me and free chairs', () => {
  const chairs = [...table('x').chairs, { name: '', kind: 'open' as const }]
  expect(others(table('x', { chairs }), 'en')).toBe('Benno and Chloe')
  expect(others(table('x', { chairs: chairs.slice(0, 1) }), 'en')).toBe('')
})

describe('how it ended', () => {
  const said = (winners: number[] | null, me: number | null = 0) => {
    const outcome = winners && { winners, how: 'solved', points: null }
    const { key, params } = ending(table('x', { stage: 'over', outcome, me }), 'en')
    return t(`front.ended${key}`, params)
  }
  test.each([
    ['You won', [0]],
    ['You won together with Benno', [0, 1]],
    ['Benno won', [1]],
    ['Benno and Chloe won', [1, 2]],
    ['Nobody won', []],
    ['Nobody finished it', null],
  ])('%s', (words, winners) => {
    expect(said(winners)).toBe(words)
  })
  test('to whoever had no seat', () => {
    expect(said([0], null)).toBe('Ada won')
  })
})

test('when it was is said as people say it', () => {
  const [minute, day] = [60_000, 86_400_000]
  const now = Date.parse('2026-11-18T12:00:00Z')
  expect(when(now + 5 * minute, now, 'en')).toBeNull()
  expect(when(now - 59_000, now, 'en')).toBeNull()
  expect(when(now - 5 * minute, now, 'en')).toBe('5 minutes ago')
  expect(when(now - 120 * minute, now, 'de')).toBe('vor 2 Stunden')
  expect(when(now - day, now, 'en')).toBe('yesterday')
  expect(when(now - 15 * day, now, 'en-GB')).toBe('3 Nov')
})
