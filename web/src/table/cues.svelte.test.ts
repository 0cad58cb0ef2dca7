import { flushSync } from 'svelte'
import { beforeEach, expect, it, vi } from 'vitest'
import client from '../games/clue'
import { roomFrame, tableFrame } from '../lib/frames.testing'
import { i18n } from '../lib/i18n.svelte'
import { live } from '../lib/live.svelte'
import type { Answer } from '../lib/protocol'
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
