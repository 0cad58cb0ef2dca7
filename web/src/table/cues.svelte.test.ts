import { flushSync } from 'svelte'
import { beforeEach, expect, it, vi } from 'vitest'
import client from '../games/clue'
import { roomFrame, tableFrame, told as happened } from '../lib/frames.testing'
import { i18n } from '../lib/i18n.svelte'
import { live } from '../lib/live.svelte'
import type { Answer, Pace, Table } from '../lib/protocol'
import { socket, TableFeed } from '../lib/socket.svelte'
import { cues } from './cues.svelte'
import { TableState } from './state.svelte'

vi.spyOn(socket, 'ask').mockReturnValue(new Promise(() => undefined))
const of = ['Rope', 'Hall']
const told = (card: string, chosen: boolean, kept: boolean): Answer => ({
  since: 9,
  left_ms: 5000,
  selected: { card, type: 'Show' }, // the server's order of fields
  chosen,
  kept,
})
const said = () => live.polite.map(({ text }) => text)

beforeEach(async () => {
  await i18n.use('en')
  await i18n.loadGame('clue')
  live.clear()
})

it('says once that a choice is noted and once that it is kept, however often it is told', () => {
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ stage: 'playing', me: 0, answer: told('Rope', false, true) }))
  const view = { phase: { type: 'Answering' }, tokens: [], places: [], sizes: [], out: [] }
  feed.take(tableFrame(0, 9, { view, offers: [{ action: 'Show', choices: { card: { type: 'one', of } }, since: 9 }] }))
  const table = new TableState(feed, client)
  const tell = (...answers: Answer[]) => {
    for (const answer of answers) {
      feed.takeAnswer(answer)
      flushSync()
    }
  }
  const stop = $effect.root(() => cues(table))
  flushSync()
  live.clear()

  void table.answer({ type: 'Show', card: 'Hall' })
  flushSync()
  expect(said()).toEqual(['Noted'])
  tell(told('Hall', true, false), told('Hall', true, false), told('Hall', true, true), told('Hall', true, true))
  expect(said()).toEqual(['Noted', 'Kept'])
  tell(told('Rope', true, false))
  expect(said()).toEqual(['Noted', 'Kept', 'Noted'])
  feed.takeAnswer(null)
  flushSync()
  expect(said().length).toBe(3)
  stop()
})

/** A table of Clue at this pace, and what happens at it next, all in one batch or each by itself. */
function playing(pace: Pace) {
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ stage: 'playing', me: 0, pace }))
  const view = { phase: { type: 'Beginning' }, tokens: [], places: [], sizes: [], out: [], on_turn: 0 }
  feed.take(tableFrame(0, 1, { view }))
  const stop = $effect.root(() => cues(new TableState(feed, client)))
  flushSync()
  live.clear()
  const goesOn = (events: readonly { type: string; seat: number }[], batches: number, more: Partial<Table> = {}) => {
    const after = feed.now?.seq ?? 0
    const all = events.map((event, place) => {
      const seq = after + place + 1
      const line = { key: 'turn_began', params: { seat: seq } }
      return { ...happened(seq), event, line, batch: after + Math.floor((place * batches) / events.length) }
    })
    feed.take({ ...tableFrame(after, after + events.length, { view, ...more }), events: all })
    flushSync()
  }
  return { goesOn, stop }
}
const roll = { action: 'Roll', choices: {}, since: 9 }
const walks = (count: number) => Array.from({ length: count }, () => ({ type: 'Moved', seat: 1 }))

it('says all that happened at once, and of what was missed the last', () => {
  const { goesOn, stop } = playing('normal')
  goesOn(walks(12), 1)
  expect(said().length).toBe(12)
  live.clear()
  goesOn(walks(12), 12)
  expect(said().length).toBe(8)
  stop()
})

it.each(['normal', 'brisk', 'at_once'] as const)(
  'calls me at the pace %s: at once only where somebody waits',
  (pace) => {
    const { goesOn, stop } = playing(pace)
    goesOn(
      [
        { type: 'Moved', seat: 1 },
        { type: 'TurnBegan', seat: 0 },
      ],
      2,
      { offers: [roll] },
    )
    const call = 'Your turn: move'
    // Nobody is told twice that it is their turn.
    expect(said()).toEqual(["It is 2's turn.", ...(pace === 'normal' ? [] : [call])])
    expect(live.assertive.map(({ text }) => text)).toEqual(pace === 'normal' ? [call] : [])
    live.clear()
    goesOn([{ type: 'TurnBegan', seat: 1 }], 1)
    expect(said().length).toBe(pace === 'normal' ? 1 : 0)
    stop()
  },
)
