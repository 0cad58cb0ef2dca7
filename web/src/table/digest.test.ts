import { cleanup, render, screen } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import client from '../games/clue'
import { chairFrame, roomFrame, tableFrame, told } from '../lib/frames.testing'
import { i18n, t } from '../lib/i18n.svelte'
import { Refusal, socket, TableFeed } from '../lib/socket.svelte'
import Digest from './Digest.svelte'
import { TableState } from './state.svelte'

const HOUR = 3_600_000
const missed = (ago: number) => ({ ...told(3), at: Date.now() - ago })
const ask = vi.spyOn(socket, 'ask')

beforeEach(async () => {
  await i18n.use('en')
  await i18n.loadGame('clue')
  ask
    .mockReset()
    .mockImplementation(() => Promise.resolve({ after: 2, events: [missed(8 * HOUR)], stood_in: [] } as never))
})
afterEach(cleanup)

function sitting() {
  const feed = new TableFeed('x')
  const chairs = ['Ada', 'Benno'].map((name, seat) => chairFrame(seat, { kind: 'person', name }))
  const tell = (away_from: number | null) => {
    feed.takeRoom(roomFrame({ stage: 'playing', me: 0, chairs, away_from }))
    flushSync()
  }
  tell(2)
  feed.take(tableFrame(0, 3))
  const table = new TableState(feed, { ...client, identity: () => 0, grouped: undefined as never })
  render(Digest, { table })
  flushSync()
  return tell
}

it('says for how long one was away, though little has happened', async () => {
  sitting()
  expect(await screen.findByText(t('digest.for.hours', { count: 8 }))).toBeTruthy()
})

it('is asked for once, and once more after one was away again', () => {
  const tell = sitting()
  tell(2)
  expect(ask).toHaveBeenCalledTimes(1)
  tell(null)
  tell(3)
  expect(ask).toHaveBeenCalledTimes(2)
})

it('is asked for anew where the line broke', async () => {
  ask.mockRejectedValueOnce(new Refusal('connection'))
  const tell = sitting()
  await Promise.resolve()
  await Promise.resolve()
  tell(2)
  expect(ask).toHaveBeenCalledTimes(2)
})
