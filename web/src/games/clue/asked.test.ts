import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import client from '.'
import { chairFrame, roomFrame, tableFrame } from '../../lib/frames.testing'
import { i18n, t } from '../../lib/i18n.svelte'
import type { Answer, OfferNow, Room } from '../../lib/protocol'
import { socket, TableFeed } from '../../lib/socket.svelte'
import { TableState } from '../../table/state.svelte'
import Asked from './Asked.svelte'
import NowAsked from './NowAsked.svelte'

const ask = vi.spyOn(socket, 'ask')
beforeAll(() => i18n.loadGame('clue'))
beforeEach(() => void ask.mockReset().mockReturnValue(new Promise(() => undefined)))
afterEach(cleanup)

const VIEW = {
  tokens: ['Scarlet', 'Mustard'],
  on_turn: 1,
  phase: { type: 'Answering', asked: 0, trio: { suspect: 'Plum', weapon: 'Rope', room: 'Hall' } },
  sizes: [3, 3],
  out: [false, false],
  places: [],
  turn: 1,
}
const chairs = ['Ada', 'Benno'].map((name, seat) => chairFrame(seat, { kind: 'person', name }))
const due = (selected: object, more: Partial<Answer> = {}): Answer => ({
  since: 9,
  left_ms: 5000,
  selected,
  chosen: false,
  kept: true,
  ...more,
})

/** Benno asks me; these are the cards that I may show. */
function asked(cards: readonly string[], more: Partial<Room> = {}): TableState {
  const action = cards.length ? 'Show' : 'CannotShow'
  const choices: OfferNow['choices'] = cards.length ? { card: { type: 'one', of: [...cards] } } : {}
  const answer = due(cards.length ? { type: action, card: cards[0] } : { type: action })
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ stage: 'playing', me: 0, chairs, answer, ...more }))
  feed.take(tableFrame(0, 9, { view: VIEW, offers: [{ action, choices, since: 9 }], awaiting: [0] }))
  return new TableState(feed, client)
}
const bank: Room['allowance'] = { type: 'bank', bank_s: 600, increment_s: 5, answer_s: 60 }
const headline = () => screen.getByRole('heading', { level: 2 }).textContent
const buttons = () => screen.queryAllByRole('button', { name: /^(Show|I have|Zeige|Ich)|zeigen$/ })

test.each([
  ['en', ['Rope'], 'Show Benno a card', 'Show the Rope to Benno'],
  ['en', [], 'Tell Benno that you have none of them', 'I have none of them'],
  ['de', [], 'Sag Benno, dass du keine davon hast', 'Ich habe keine davon'],
] as const)(
  'in %s an unhurried table waits for the answer of whoever shows %o',
  async (language, cards, says, button) => {
    await i18n.use(language)
    const table = asked(cards, { pace: 'unhurried' })
    render(NowAsked, { table })
    expect(headline()).toBe(says)
    screen.getByText(t('asked.unhurried'))
    expect(screen.queryByRole('timer')).toBeNull()

    await fireEvent.click(screen.getByRole('button', { name: button }))
    const action = cards.length ? { type: 'Show', card: 'Rope' } : { type: 'CannotShow' }
    expect(ask).toHaveBeenLastCalledWith({ type: 'select', table: 'x', since: 9, action })
    screen.getByText(t('asked.soon'))
  },
)

test('with an answer clock an unhurried table waits by the clock', async () => {
  await i18n.use('en')
  render(NowAsked, { table: asked(['Rope'], { pace: 'unhurried', allowance: bank }) })
  screen.getByText(t('asked.until'))
  screen.getByRole('timer')
  expect(buttons().length).toBe(1)
})

test.each([
  ['at another pace', { pace: 'normal' }],
  ['by a standing order', { pace: 'unhurried', orders: ['seen'], order: 'seen' }],
] as const)('what leaves no choice is answered by the house %s', async (_, terms) => {
  await i18n.use('en')
  for (const cards of [['Rope'], []]) {
    render(NowAsked, { table: asked(cards, terms as Partial<Room>) })
    expect(headline()).toBe('The house answers in your name')
    screen.getByRole('timer')
    expect(buttons()).toEqual([])
    cleanup()
  }
})

test('a choice is noted, then kept, and may be changed meanwhile', async () => {
  await i18n.use('en')
  const table = asked(['Rope', 'Hall'])
  render(NowAsked, { table })
  const seen = () => ['Noted', 'Kept'].filter((word) => screen.getByText(word).classList.contains('shown'))
  expect(seen()).toEqual([])

  await fireEvent.click(screen.getByRole('button', { name: 'Show the Rope to Benno' }))
  expect(seen()).toEqual(['Noted'])
  table.feed.takeAnswer(due({ type: 'Show', card: 'Rope' }, { chosen: true }))
  flushSync()
  expect(seen()).toEqual(['Kept'])

  void table.answer({ type: 'Show', card: 'Hall' })
  flushSync()
  expect(seen()).toEqual(['Noted'])
  expect(screen.getByRole('button', { name: 'Show the Hall to Benno' }).getAttribute('aria-busy')).toBeNull()
})

test('whoever may take nothing back sees no way to do it', async () => {
  await i18n.use('en')
  const table = asked(['Rope', 'Hall'])
  render(NowAsked, { table })
  expect(screen.queryByRole('button', { name: t('now.undo') })).toBeNull()
  table.feed.take({ ...table.now, may_undo: true })
  flushSync()
  screen.getByRole('button', { name: t('now.undo') })
})

test.each(['brisk', 'at_once', 'unhurried'] as const)(
  'where the table waits for me (%s), a tap picks a card and the button shows it',
  async (pace) => {
    await i18n.use('en')
    const answer = due({ type: 'Show', card: 'Rope' }, { left_ms: null })
    const table = asked(['Rope', 'Hall'], { pace, answer })
    render(Asked, { table })
    render(NowAsked, { table })
    await fireEvent.click(screen.getByRole('button', { name: /^Hall/ }))
    expect(ask).not.toHaveBeenCalled()
    expect(screen.getByRole('button', { name: /^Hall/ }).getAttribute('aria-pressed')).toBe('true')

    await fireEvent.click(screen.getByRole('button', { name: 'Show the Hall to Benno' }))
    const action = { type: 'Show', card: 'Hall' }
    expect(ask).toHaveBeenLastCalledWith({ type: 'select', table: 'x', since: 9, action })
  },
)

test('where a clock runs, what is picked is what is shown when the time is up', async () => {
  await i18n.use('en')
  const table = asked(['Rope', 'Hall'])
  render(Asked, { table })
  await fireEvent.click(screen.getByRole('button', { name: /^Hall/ }))
  expect(ask).toHaveBeenLastCalledWith({ type: 'select', table: 'x', since: 9, action: { type: 'Show', card: 'Hall' } })
})

test('what leaves no choice among bots is one tap away', async () => {
  await i18n.use('en')
  for (const cards of [['Rope'], []]) {
    const selected = cards.length ? { type: 'Show', card: 'Rope' } : { type: 'CannotShow' }
    render(NowAsked, { table: asked(cards, { pace: 'brisk', answer: due(selected, { left_ms: null }) }) })
    screen.getByText(t('asked.alone'))
    await fireEvent.click(buttons()[0] as HTMLElement)
    expect(ask).toHaveBeenLastCalledWith({ type: 'select', table: 'x', since: 9, action: selected })
    cleanup()
  }
})
