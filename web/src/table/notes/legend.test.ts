import { cleanup, render } from '@testing-library/svelte'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import client from '../../games/clue'
import { chairFrame, roomFrame, tableFrame } from '../../lib/frames.testing'
import { i18n, t } from '../../lib/i18n.svelte'
import type { Cell } from '../../lib/protocol'
import { socket, TableFeed } from '../../lib/socket.svelte'
import { TableState } from '../state.svelte'
import NoteSheet, { type Column } from './NoteSheet.svelte'

beforeAll(async () => {
  await i18n.use('en')
  await i18n.loadGame('clue')
  vi.spyOn(socket, 'ask').mockReturnValue(new Promise(() => undefined))
})
afterEach(cleanup)

const COLUMNS: Column[] = ['0', '1'].map((id) => ({ id, label: id, kind: 'seat', identity: Number(id) }))
const SECTIONS = [{ title: 'Who?', rows: [{ id: 'Plum', label: 'Plum' }] }]
const cell = (column: string, mark: Cell['mark'], source: Cell['source']): Cell => ({
  row: 'Plum',
  column,
  mark,
  source,
  share: null,
})

/** What the legend says of a sheet with these cells. */
function legend(...cells: Cell[]): string {
  const feed = new TableFeed('x')
  const chairs = ['Ada', 'Benno'].map((name, seat) => chairFrame(seat, { kind: 'person', name }))
  feed.takeRoom(roomFrame({ stage: 'playing', me: 0, chairs }))
  feed.take(tableFrame(0, 1, { view: { tokens: ['Scarlet', 'Mustard'] } }))
  const table = new TableState(feed, { ...client, grouped: () => [] })
  table.notes.sheet = { seq: 1, cells, solutions: null, worlds: null, bits: null, assumes: [], clash: [] }
  render(NoteSheet, { table, columns: COLUMNS, sections: SECTIONS, question: () => '' })
  return document.querySelector('.legend')?.textContent.trim().replace(/\s+/g, ' ') ?? ''
}
const [EYE, LAMP] = ['notes.legend.seen', 'notes.legend.certain'] as const

test.each([
  ['nothing', [], []],
  ['what is ruled out', [cell('0', 'no', 'follows')], []],
  ['what I saw', [cell('0', 'yes', 'seen')], [EYE]],
  ['what follows', [cell('0', 'yes', 'follows')], [LAMP]],
  ['both', [cell('0', 'yes', 'seen'), cell('1', 'yes', 'follows')], [EYE, LAMP]],
] as const)('of a sheet with %s the legend names only signs that are there', (_, cells, signs) => {
  expect(legend(...cells)).toBe([t('notes.private'), ...signs.map((sign) => t(sign))].join(' '))
})
