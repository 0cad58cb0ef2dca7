import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import client from '.'
import { chairFrame, roomFrame, tableFrame } from '../../lib/frames.testing'
import { i18n } from '../../lib/i18n.svelte'
import type { Cell, Told } from '../../lib/protocol'
import { settings } from '../../lib/settings.svelte'
import { TableFeed } from '../../lib/socket.svelte'
import { TableState } from '../../table/state.svelte'
import Mark from './Mark.svelte'
import { playOf } from './play.svelte'
import Slammed from './Slammed.svelte'

beforeAll(async () => {
  await i18n.use('en')
  await i18n.loadGame('perfect_alibi')
})
beforeEach(() => {
  vi.useFakeTimers()
  settings.motion = 'full'
})
afterEach(() => {
  cleanup()
  settings.motion = 'system'
  vi.useRealTimers()
})

const VIEW = {
  phase: { type: 'Beginning' },
  turn: 3,
  on_turn: 1,
  colours: ['yellow', 'blue', 'green'],
  assistants: ['Cook', 'Priest', 'Captain'],
  hands: [['Bar-6'], null, null],
  open: ['Library-12'],
  rivals: [],
  log: [],
  out: [false, false, false],
}
const chairs = ['Ada', 'Benno', 'Chloe'].map((name, seat) => chairFrame(seat, { kind: 'person', name }))

function seated(): TableState {
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ game: 'perfect_alibi', stage: 'playing', me: 0, chairs, assistance: 'probabilities' }))
  const slam = { action: 'Slam', choices: { card: { type: 'one' as const, of: ['Bar-3'] } }, since: 1 }
  feed.take(tableFrame(0, 9, { view: VIEW, offers: [slam], awaiting: [1] }))
  return new TableState(feed, client)
}
const told = (event: object): Told => ({
  seq: 10,
  batch: 10,
  at: 0,
  event: event as Told['event'],
  line: { key: '', params: {} },
})
const slammed = (seat: number, right: boolean, card: string | null) =>
  told({ type: 'Slammed', seat, right, card, known_to: [] })
const moment = () => document.querySelector('.slammed')
function pass(ms: number) {
  vi.advanceTimersByTime(ms)
  flushSync()
}
function watching(event: Told): TableState {
  const table = seated()
  render(Slammed, { table })
  playOf(table).hear([event])
  flushSync()
  return table
}

test('a slam hits the table, then the card turns; what stays is the band', () => {
  const table = watching(slammed(1, false, null))
  expect(moment()?.textContent).toContain('Benno slams!')
  expect(moment()?.querySelector('.back')).not.toBeNull()
  expect(table.bang).toBeNull()
  pass(800)
  expect(moment()?.querySelector('.back')).toBeNull()
  expect(moment()?.querySelector('.verdict:not(.right)')).not.toBeNull()
  pass(2200)
  expect(moment()).toBeNull()
  expect(table.bang).toMatchObject({ title: 'Benno slams!', text: 'Wrong: Benno is out and goes on answering.' })
})

test('a wrong card is nobody’s to see, also not on the page of the one who slammed', () => {
  watching(slammed(0, false, 'Bar-3'))
  expect(moment()?.textContent).toContain('You slam the table')
  pass(800)
  expect(moment()?.querySelector('.verdict')).not.toBeNull()
  expect(moment()?.textContent).not.toContain('Bar')
})

test('a right card is turned up for everybody', () => {
  watching(slammed(1, true, 'Bar-3'))
  expect(moment()?.textContent).not.toContain('Bar')
  pass(800)
  expect(moment()?.textContent).toContain('Bar')
})

test('a tap ends the moment', async () => {
  const table = watching(slammed(1, false, null))
  await fireEvent.pointerDown(document.body)
  flushSync()
  expect(moment()).toBeNull()
  expect(table.bang).not.toBeNull()
})

test('where nothing may move there is the band at once', () => {
  settings.motion = 'reduced'
  const table = watching(slammed(1, true, 'Bar-3'))
  expect(moment()).toBeNull()
  expect(table.bang).not.toBeNull()
})

test('whoever looks back is not called to a moment that is over when they return', () => {
  const table = seated()
  table.looked = { seq: 3, view: VIEW, eyes: null }
  render(Slammed, { table })
  playOf(table).hear([slammed(1, false, null)])
  table.looked = null
  flushSync()
  expect(moment()).toBeNull()
  expect(table.bang).not.toBeNull()
})

test('the slam grid tells what is certain from what is ruled out, in words and in the signs of the notes', () => {
  const table = seated()
  playOf(table).slam(true)
  const cell = (row: string, column: string, of: Partial<Cell>): Cell => ({
    ...{ row, column, mark: null, source: null, share: null },
    ...of,
  })
  table.notes.sheet = {
    seq: 9,
    cells: [
      cell('Bar-3', 'missing', { mark: 'yes', source: 'follows' }),
      cell('Bar-9', 'missing', { mark: 'no', source: 'follows' }),
      cell('Bar-12', '1', { mark: 'yes', source: 'seen' }),
      cell('Library-3', 'missing', { share: 0.25 }),
    ],
    clash: [],
    solutions: null,
    worlds: null,
    bits: null,
    assumes: [],
  }
  render(Mark, { table })
  const shows = (name: RegExp) => screen.getByRole('button', { name }).textContent.trim()
  expect(shows(/^Bar, 3 o'clock: the missing alibi, for certain\.$/)).toBe('certain')
  expect(shows(/^Bar, 9 o'clock: not missing, for certain\.$/)).toBe('ruled out')
  expect(shows(/^Bar, 12 o'clock: Benno, seen by you\.$/)).toContain('seen')
  expect(shows(/^Bar, 6 o'clock: mine\.$/)).toContain('mine')
  expect(shows(/^Library, 12 o'clock: lies open\.$/)).toBe('open')
  expect(shows(/^Library, 3 o'clock: 25/)).toBe('25 %')
  expect(shows(/^Library, 6 o'clock: not known yet\.$/)).toBe('')
  const sign = (name: RegExp) => screen.getByRole('button', { name }).querySelector('path')?.getAttribute('d')
  expect(sign(/^Bar, 3/)).not.toBe(sign(/^Bar, 9/))
})
