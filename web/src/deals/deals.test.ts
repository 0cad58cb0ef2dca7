import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { i18n } from '../lib/i18n.svelte'
import type { Challenge, Duel, Result } from '../lib/protocol'
import { router } from '../lib/router.svelte'
import { settings } from '../lib/settings.svelte'
import { Refusal, socket } from '../lib/socket.svelte'
import ChallengeCard from './ChallengeCard.svelte'
import DuelPage from './DuelPage.svelte'
import Ranking from './Ranking.svelte'
import { percent, rivals, signed, words } from './words.svelte'
import english from './texts/en.json'

const ask = vi.spyOn(socket, 'ask')
const ID = 'abcdefghijklmnopqrstuv'

beforeEach(async () => {
  await i18n.use('en')
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve({ ok: true, json: () => Promise.resolve(english) })),
  )
  await words.load('en')
  ask.mockReset()
  settings.name = 'Ada'
  router.go('/')
})
afterEach(cleanup)

const result = (more: Partial<Result> = {}): Result => ({
  place: 1,
  name: 'Ada',
  me: false,
  won: true,
  left: false,
  late: false,
  turns: 9,
  chance: 965,
  points: null,
  luck: 0.84,
  skill: 0.713,
  table: 'x1',
  ...more,
})
const challenge = (more: Partial<Challenge> = {}): Challenge => ({
  day: '2026-11-18',
  left_ms: 3_600_000,
  game: 'clue',
  levels: [null, 'detective', 'detective', 'detective'],
  assistance: 'logic',
  state: 'new',
  table: null,
  results: [],
  ...more,
})
const duel = (more: Partial<Duel> = {}): Duel => ({
  duel: ID,
  game: 'clue',
  levels: [null, 'rookie'],
  assistance: 'logic',
  state: 'new',
  table: null,
  maker: { name: 'Ada', won: true, turns: 9 },
  results: [],
  ...more,
})
const told = (value: unknown) => ask.mockResolvedValue(value as never)
function row(name: string): HTMLElement {
  const found = screen.getByRole('rowheader', { name: new RegExp(name) }).closest('tr')
  if (!found) throw new Error(`no row is ${name}'s`)
  return found
}
const cells = (name: string) =>
  within(row(name))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent.trim())

describe('figures', () => {
  test('are never rounded to a certainty, and luck says which way it went', () => {
    expect([percent(1000), percent(999), percent(0)]).toEqual(['100%', '99.9%', '0%'])
    expect([signed(0.84), signed(-2), signed(0)]).toEqual(['+0.8', '−2.0', '0.0'])
  })

  test('the bots are all that are no person', () => {
    expect(rivals(['rookie', null, 'rookie'])).toEqual({ count: 2, level: 'rookie' })
  })
})

describe('the ranking', () => {
  test('is a table with a head for each column and each row', () => {
    render(Ranking, {
      results: [result(), result({ place: 2, name: 'Bob', won: false, me: true, table: 'x2' })],
      title: 'All',
    })
    expect(screen.getByRole('table', { name: 'All' })).toBeTruthy()
    expect(screen.getAllByRole('columnheader')).toHaveLength(6)
    expect(cells('Ada')).toEqual(['1', '9', '96.5%', '+0.8\u00a0bits', '71.3%'])
    expect(within(row('Bob')).getByRole('link').getAttribute('href')).toBe('/t/x2')
    expect(row('Bob').textContent).toContain('not won')
    expect(row('Bob').textContent).toContain('Bob (you)')
  })

  test('who let a bot play has no place, and what is not known is said', () => {
    render(Ranking, { results: [result({ place: null, left: true, luck: null, skill: null })], title: 'All' })
    expect(row('Ada').textContent).toContain('no place')
    expect(row('Ada').textContent).toContain('let a bot play')
    expect(row('Ada').querySelector('.won')).toBeNull()
    expect(row('Ada').textContent).toContain('not known')
  })

  test('where points decide, they stand where else the truth does', () => {
    render(Ranking, { results: [result({ chance: null, points: 31 })], title: 'All' })
    expect(screen.getByRole('columnheader', { name: 'Points' })).toBeTruthy()
    expect(cells('Ada')[2]).toBe('31')
  })
})

describe('the challenge', () => {
  test('says what it is and that it is staged, and begins under my name', async () => {
    told(challenge())
    render(ChallengeCard)
    await screen.findByRole('heading', { name: 'Challenge of the day' })
    expect(screen.getByText(/against 3 bots \(detective\)/)).toBeTruthy()
    expect(screen.getByText(/The deal is staged/)).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    told({ table: 'mine' })
    await fireEvent.click(screen.getByRole('button', { name: 'Play the challenge' }))
    await vi.waitFor(() => expect(router.route).toEqual({ page: 'table', table: 'mine', place: '' }))
    expect(ask).toHaveBeenLastCalledWith({ type: 'begin_challenge', day: '2026-11-18', name: 'Ada' })
  })

  test('is not begun without a name', async () => {
    told(challenge())
    render(ChallengeCard)
    await fireEvent.input(await screen.findByLabelText('Your name in the list'), { target: { value: ' ' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Play the challenge' }))
    expect(screen.getByText('Tell the others what to call you.')).toBeTruthy()
    expect(ask).toHaveBeenCalledTimes(1)
  })

  test('leads back to where it was begun', async () => {
    told(challenge({ state: 'begun', table: 'mine' }))
    render(ChallengeCard)
    expect((await screen.findByRole('link', { name: 'Go on playing' })).getAttribute('href')).toBe('/t/mine')
    expect(screen.queryByRole('button', { name: 'Play the challenge' })).toBeNull()
  })

  test('when it is done, the review and everybody are there', async () => {
    told(challenge({ state: 'done', table: 'mine', results: [result({ me: true, table: 'mine' })] }))
    render(ChallengeCard)
    expect((await screen.findByRole('link', { name: 'Your review' })).getAttribute('href')).toBe('/t/mine#review')
    expect(screen.getByRole('table', { name: 'Who has finished' })).toBeTruthy()
  })

  test('of a day that is over nothing is begun', async () => {
    told(challenge({ left_ms: null }))
    render(ChallengeCard, { day: '2026-11-18' })
    await screen.findByText(/This day is over/)
    expect(screen.queryByRole('button')).toBeNull()
    expect(ask).toHaveBeenCalledWith({ type: 'read_challenge', day: '2026-11-18' })
  })

  test('what could not be read is asked for again', async () => {
    ask.mockRejectedValueOnce(new Refusal('connection'))
    render(ChallengeCard)
    const again = await screen.findByRole('button', { name: 'Try again' })
    told(challenge())
    await fireEvent.click(again)
    await screen.findByRole('button', { name: 'Play the challenge' })
  })
})

describe('a duel', () => {
  test('says what its maker made of it, and is played under my name', async () => {
    told(duel())
    render(DuelPage, { duel: ID })
    await screen.findByRole('heading', { name: 'Ada won in 9 turns. Can you beat that?' })
    expect(screen.getByText(/Nobody sees another’s moves/)).toBeTruthy()
    told({ table: 'mine' })
    await fireEvent.click(screen.getByRole('button', { name: 'Play' }))
    await vi.waitFor(() => expect(router.route).toEqual({ page: 'table', table: 'mine', place: '' }))
    expect(ask).toHaveBeenLastCalledWith({ type: 'begin_duel', duel: ID, name: 'Ada' })
  })

  test('afterwards both stand side by side', async () => {
    told(
      duel({
        state: 'done',
        table: 'mine',
        results: [result(), result({ place: 2, name: 'Bob', me: true, table: 'mine', turns: 11 })],
      }),
    )
    render(DuelPage, { duel: ID })
    await screen.findByRole('table')
    expect(within(row('Ada')).getByRole('link').getAttribute('href')).toBe('/t/x1')
    expect(cells('Bob')[1]).toBe('11')
  })

  test('of my own I get the link and whoever has played', async () => {
    told(duel({ state: 'mine', results: [result({ me: true })] }))
    render(DuelPage, { duel: ID })
    await screen.findByText(/\/duel#abcdefghijklmnopqrstuv/)
    expect(screen.getByRole('button', { name: 'Copy the duel’s link' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Play' })).toBeNull()
  })

  test('that nobody can begin any more says why', async () => {
    told(duel({ state: 'outdated', maker: null }))
    render(DuelPage, { duel: ID })
    await screen.findByText(/Results would not be comparable/)
    expect(screen.getByRole('heading', { name: /Somebody has played this deal/ })).toBeTruthy()
  })

  test('a link that is none asks the house nothing', async () => {
    render(DuelPage, { duel: 'oops' })
    await screen.findByText('This link leads to no duel.')
    expect(ask).not.toHaveBeenCalled()
  })
})
