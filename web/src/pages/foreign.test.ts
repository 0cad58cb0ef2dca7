import { cleanup, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Words } from '../lesson/words.svelte'
import { doors } from '../lib/games.svelte'
import { gt, i18n, t } from '../lib/i18n.svelte'
import type { Door } from '../lib/protocol'
import { socket } from '../lib/socket.svelte'
import RulesPage from './rules/RulesPage.svelte'
import TableRoute from './TableRoute.svelte'

/** Pages of a game that this page was not built with: what they show comes from the house. */
const FOREIGN: Door = {
  id: 'foreign',
  name: 'Foreign',
  facts: '2 players',
  text: '',
  colour: '#5a2a33',
  seats: [2, 2],
  lesson: false,
  rules: true,
  art: null,
}
const HOUSE: Readonly<Record<string, unknown>> = {
  '/api/games/foreign/texts/en': { name: 'Foreign' },
  '/api/games/foreign/texts/nb': { name: 'Fremmed' },
  '/api/games/foreign/rules/en': {
    second: { title: 'Your turn', text: ['Ask:', '- one', '- two'], actions: ['Ask'] },
    first: { title: 'The aim', text: ['Find out.'] },
  },
  '/api/games/foreign/lesson/en': { 'step.one': 'Look here.' },
}
const asked = vi.fn()
const real = globalThis.fetch

beforeEach(async () => {
  await i18n.use('en')
  asked.mockReset().mockImplementation((url: string) => {
    if (!url.startsWith('/api/games/')) return real(url)
    return Promise.resolve(url in HOUSE ? Response.json(HOUSE[url]) : new Response('', { status: 404 }))
  })
  vi.stubGlobal('fetch', asked)
  doors.all = [...doors.all, FOREIGN]
})
afterEach(() => {
  cleanup()
  doors.all = doors.all.filter(({ id }) => id !== 'foreign')
  vi.unstubAllGlobals()
})

test('words come from the house, in each language', async () => {
  await i18n.loadGame('foreign')
  expect(gt('foreign', 'name')).toBe('Foreign')
  await i18n.use('nb')
  expect(gt('foreign', 'name')).toBe('Fremmed')
  await i18n.use('en')
  expect(gt('foreign', 'name')).toBe('Foreign')
})

describe('rules', () => {
  test('come from the package, in its order', async () => {
    const { container } = render(RulesPage, { game: 'foreign', place: 'Ask' })
    expect(await screen.findByRole('heading', { name: 'The aim' })).toBeTruthy()

    const titles = [...container.querySelectorAll('main h2')].map((each) => each.textContent)
    expect(titles).toEqual(['Your turn', 'The aim'])
    expect(container.querySelectorAll('.items li').length).toBe(2)
    expect(container.querySelector('section.here')?.getAttribute('aria-labelledby')).toBe('second')
    expect(container.querySelector('header')?.style.getPropertyValue('--game')).toBe('#5a2a33')
  })

  test('that do not come are said to be missing for now', async () => {
    asked.mockRejectedValue(new TypeError('no line'))
    render(RulesPage, { game: 'foreign', place: '' })

    expect(await screen.findByText(t('loading.failed'))).toBeTruthy()
  })

  test('of what is no game are nowhere, and nobody asks for them', () => {
    render(RulesPage, { game: 'nonsense', place: '' })

    expect(screen.getByText(t('missing.title'))).toBeTruthy()
    expect(asked).not.toHaveBeenCalled()
  })
})

describe('the guide', () => {
  test('speaks without a first case, too', async () => {
    const words = new Words()
    await words.load('foreign', 'en')

    expect(words.ready).toBe(true)
    expect(asked).not.toHaveBeenCalledWith('/api/games/foreign/lesson/en')
  })

  test('has the words that a package brings', async () => {
    doors.all = doors.all.map((door) => (door.id === 'foreign' ? { ...door, lesson: true } : door))
    const words = new Words()
    await words.load('foreign', 'en')

    expect(words.say('step.one')).toBe('Look here.')
  })
})

test('a table whose game is not installed says that it is kept', async () => {
  render(TableRoute, { table: 'abc' })
  const feed = socket.tables.get('abc')
  if (feed) feed.refused = 'not_installed'

  expect(await screen.findByText('This game is not installed here')).toBeTruthy()
  expect(screen.getByText(/The table is kept as it is/)).toBeTruthy()
  expect(screen.getByRole('link', { name: t('to_front') })).toBeTruthy()
})
