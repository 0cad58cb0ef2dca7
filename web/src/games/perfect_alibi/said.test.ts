import { cleanup, render, screen } from '@testing-library/svelte'
import { afterEach, beforeAll, expect, test } from 'vitest'
import client from '.'
import { chairFrame, roomFrame, tableFrame } from '../../lib/frames.testing'
import { i18n } from '../../lib/i18n.svelte'
import { TableFeed } from '../../lib/socket.svelte'
import { TableState } from '../../table/state.svelte'
import NowSeen from './NowSeen.svelte'
import type { Seen } from './play.svelte'
import Questions from './Questions.svelte'
import Said from './Said.svelte'

beforeAll(async () => {
  await i18n.use('en')
  await i18n.loadGame('perfect_alibi')
})
afterEach(cleanup)

const HOLDING = ['Cook', 'Priest', 'Captain']
const asked = (asker: number, answerer: number, said: number | null, answered = true) => ({
  ...{ asker, answerer, said, answered },
  elements: ['Bar'],
  holding: HOLDING,
})
const chairs = ['Ada', 'Benno', 'Chloe'].map((name, seat) => chairFrame(seat, { kind: 'person', name }))

/** I am Ada; Chloe is on turn. */
function after(log: object[], phase: object = { type: 'Beginning' }, awaiting = [2]): TableState {
  const view = {
    ...{ phase, log, turn: 3, on_turn: 2, colours: ['yellow', 'blue', 'green'], assistants: HOLDING },
    ...{ hands: [[], null, null], open: [], rivals: [], out: [false, false, false] },
  }
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ game: 'perfect_alibi', stage: 'playing', me: 0, chairs }))
  feed.take(tableFrame(0, 9, { view, offers: [], awaiting }))
  return new TableState(feed, client)
}

test('the answer to my own question stays in sight while others go on', () => {
  render(Said, { table: after([asked(0, 1, 2), asked(1, 2, null, false)]) })
  screen.getByText('Ada asked Benno about the Bar: 2.')
  screen.getByText('Benno asks Chloe about the Bar. No answer yet.')
})

test('my question is there once while it is the last', () => {
  render(Said, { table: after([asked(1, 2, 1), asked(0, 1, 2)]) })
  expect(screen.getAllByText(/asked/)).toHaveLength(1)
})

test('a question whose card is still due does not say that there was none', () => {
  const log = [asked(0, 1, 1), asked(2, 1, 2)]
  render(Questions, { table: after(log, { type: 'Showing', answerer: 1, last: false }, [1]) })
  expect(screen.getAllByText('no card')).toHaveLength(1)
  cleanup()
  render(Questions, { table: after(log) })
  expect(screen.getAllByText('no card')).toHaveLength(2)
})

const SEEN: Seen = { kind: 'shown', card: 'Bar-3', said: 2, by: 1, to: 0, captain: null }
test.each([
  [SEEN, 'Benno says 2 and shows you a card'],
  [{ ...SEEN, kind: 'captain', to: 2 }, 'Benno says 2 and shows Chloe a card'],
  [{ ...SEEN, kind: 'captain', to: 2, said: null }, 'Your Captain sees a card'],
] as [Seen, string][])('a card before me comes with the number, if I heard it', (seen, says) => {
  render(NowSeen, { table: after([asked(0, 1, 2)]), seen })
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(says)
})

test('beside an open card NOW says who goes on, and nobody where the table waits for slams alone', () => {
  render(NowSeen, { table: after([asked(0, 1, 2)]), seen: SEEN })
  screen.getByText('Take your time. Chloe goes on meanwhile.')
  cleanup()
  render(NowSeen, { table: after([asked(0, 1, 2)], { type: 'Pausing' }, [-1]), seen: SEEN })
  screen.getByText('A moment to slam before the next turn')
})
