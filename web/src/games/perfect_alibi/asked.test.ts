import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
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
beforeAll(async () => {
  await i18n.use('en')
  await i18n.loadGame('perfect_alibi')
})
beforeEach(() => void ask.mockReset().mockReturnValue(new Promise(() => undefined)))
afterEach(cleanup)

const QUESTION = { asker: 1, answerer: 0, elements: ['Bar'], holding: ['Cook', 'Priest'], said: null }
const VIEW = {
  phase: { type: 'Answering' },
  colours: ['yellow', 'blue'],
  assistants: ['Cook', 'Priest'],
  rivals: [null, null],
  log: [QUESTION],
  out: [false, false],
  hands: [['Bar-3', 'Bar-9'], null],
}
const chairs = ['Ada', 'Benno'].map((name, seat) => chairFrame(seat, { kind: 'person', name }))

/** Benno asks me about the bar; these numbers I may say, or these cards I may show. */
function asked(
  action: 'Answer' | 'Show',
  of: (number | string)[],
  pace: Room['pace'],
  rival = false,
  clock: Answer['left_ms'] = 5000,
): TableState {
  const field = action === 'Show' ? 'card' : 'number'
  const offer: OfferNow = { action, choices: { [field]: { type: 'one', of } }, since: 9 }
  const answer = { since: 9, left_ms: clock, selected: { type: action, [field]: of[0] }, chosen: false, kept: true }
  const view = { ...VIEW, rivals: [rival ? 'Priest' : null, null] }
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ game: 'perfect_alibi', stage: 'playing', me: 0, chairs, answer, pace }))
  feed.take(tableFrame(0, 9, { view, offers: [offer], awaiting: [0] }))
  return new TableState(feed, client)
}
const headline = () => screen.getByRole('heading', { level: 2 }).textContent

test.each([
  ['Answer', 2, 'Answer Benno', 'Say 2'],
  ['Show', 'Bar-3', 'Benno is to see one of your cards', "Show Benno: Bar, 3 o'clock"],
] as const)('an unhurried table waits for the only %s', async (action, only, says, button) => {
  render(NowAsked, { table: asked(action, [only], 'unhurried') })
  expect(headline()).toBe(says)
  screen.getByText(t('asked.unhurried'))
  expect(screen.queryByRole('timer')).toBeNull()

  await fireEvent.click(screen.getByRole('button', { name: button }))
  const deed = action === 'Show' ? { type: action, card: only } : { type: action, number: only }
  expect(ask).toHaveBeenLastCalledWith({ type: 'select', table: 'x', since: 9, action: deed })
  screen.getByText(t('asked.soon'))
})

test('at another pace the house answers what leaves no choice', () => {
  render(NowAsked, { table: asked('Answer', [2], 'normal') })
  expect(headline()).toBe('The house answers for you')
  screen.getByRole('timer')
  expect(screen.queryByRole('button', { name: 'Say 2' })).toBeNull()
})

test('a lie that leaves no choice is waited for as one that does', async () => {
  for (const numbers of [[1], [1, 3]]) {
    render(NowAsked, { table: asked('Answer', numbers, 'unhurried', true) })
    expect(headline()).toBe('You must lie to Benno: by one')
    screen.getByText((text) => text.endsWith(t('asked.unhurried')))
    await fireEvent.click(screen.getByRole('button', { name: 'Say 1' }))
    expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ action: { type: 'Answer', number: 1 } }))
    cleanup()
  }
})

test.each(['brisk', 'at_once', 'unhurried'] as const)(
  'where the table waits for me (%s), a tap picks a card and the button shows it',
  async (pace) => {
    const table = asked('Show', ['Bar-3', 'Bar-9'], pace, false, null)
    render(Asked, { table })
    render(NowAsked, { table })
    expect(screen.queryByRole('timer')).toBeNull()
    await fireEvent.click(screen.getByRole('button', { name: /^Bar, 9/ }))
    expect(ask).not.toHaveBeenCalled()
    expect(screen.getByRole('button', { name: /^Bar, 9/ }).getAttribute('aria-pressed')).toBe('true')

    await fireEvent.click(screen.getByRole('button', { name: "Show Benno: Bar, 9 o'clock" }))
    const action = { type: 'Show', card: 'Bar-9' }
    expect(ask).toHaveBeenLastCalledWith({ type: 'select', table: 'x', since: 9, action })
  },
)

test('where a clock runs, the card that is picked is noted: it is shown when the time is up', async () => {
  const table = asked('Show', ['Bar-3', 'Bar-9'], 'normal')
  render(Asked, { table })
  await fireEvent.click(screen.getByRole('button', { name: /^Bar, 9/ }))
  expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ action: { type: 'Show', card: 'Bar-9' } }))
})

test.each(['brisk', 'at_once'] as const)('among bots alone (%s) the only number is one tap away', async (pace) => {
  render(NowAsked, { table: asked('Answer', [2], pace, false, null) })
  expect(headline()).toBe('Answer Benno')
  screen.getByText(t('asked.alone'))
  expect(screen.queryByRole('timer')).toBeNull()
  await fireEvent.click(screen.getByRole('button', { name: 'Say 2' }))
  expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ action: { type: 'Answer', number: 2 } }))
})

test.each([
  ['Answering', 0, 'Benno is answering you'],
  ['Answering', 2, 'Benno is answering Chloe'],
  ['Showing', 0, 'Benno shows you a card'],
  ['Showing', 2, 'Benno shows Chloe a card'],
  ['Beginning', 1, 'Waiting for Benno to take a chip'],
] as const)('while others are awaited, NOW says who is asked by whom: %s, %i', (type, on_turn, says) => {
  const three = ['Ada', 'Benno', 'Chloe'].map((name, seat) => chairFrame(seat, { kind: 'person', name }))
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ game: 'perfect_alibi', stage: 'playing', me: 0, chairs: three }))
  feed.take(tableFrame(0, 9, { view: { ...VIEW, phase: { type }, on_turn }, offers: [], awaiting: [1] }))
  expect(client.waiting?.(new TableState(feed, client))?.headline).toBe(says)
})
