import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { GameClient } from '../games'
import client from '../games/clue'
import { chairFrame, roomFrame, tableFrame, told } from '../lib/frames.testing'
import { i18n, t } from '../lib/i18n.svelte'
import type { Pace, Room, Table } from '../lib/protocol'
import { settings } from '../lib/settings.svelte'
import { socket, TableFeed } from '../lib/socket.svelte'
import * as sound from '../lib/sound'
import { hurries } from './hurry.svelte'
import Playing from './Playing.svelte'
import { shortcuts } from './shortcuts'
import { TableState } from './state.svelte'

beforeEach(async () => {
  await i18n.use('en')
  await i18n.loadGame('clue')
  vi.spyOn(socket, 'ask').mockReturnValue(new Promise(() => undefined))
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
})
afterEach(cleanup)

const VIEW = {
  options: { dice_count: 1 },
  tokens: ['Scarlet', 'Mustard'],
  on_turn: 1,
  phase: { type: 'Beginning' },
  sizes: [3, 3],
  hands: [[], null],
  side: [],
  looked: [[], []],
  out: [false, false],
  places: [],
  weapons: [],
  turn: 1,
  envelope: null,
}
const chairs = [
  chairFrame(0, { kind: 'person', name: 'Ada' }),
  chairFrame(1, { kind: 'bot', level: 'rookie', name: 'Benno' }),
]
const suggested = (seq: number) => ({
  ...told(seq),
  event: { type: 'Suggested', seat: 1, trio: {} },
  line: { key: 'house', params: { seat: { type: 'who' as const, seat: 1 } } },
})

function sitting(pace: Pace, more: Partial<Room> = {}) {
  const feed = new TableFeed('x')
  feed.takeRoom(roomFrame({ stage: 'playing', me: 0, chairs, pace, ...more }))
  const goesOn = (seq: number, frame: Partial<Table> = {}) => {
    const after = feed.now?.seq ?? 0
    const events = Array.from({ length: seq - after }, (_, place) => suggested(after + place + 1))
    feed.take(tableFrame(after, seq, { view: VIEW, awaiting: [1], events, ...frame }))
    flushSync()
  }
  goesOn(3)
  return { table: new TableState(feed, client), goesOn }
}
const mine: Partial<Table> = { offers: [{ action: 'Roll', choices: {}, since: 9 }], awaiting: [0] }

test.each([
  ['brisk', {}, true],
  ['at_once', {}, true],
  ['normal', {}, false],
  ['brisk', { lesson: true }, true],
  ['brisk', { me: null }, false],
] as const)('at pace %s with %o it is offered: %s', (pace, more, offered) => {
  expect(sitting(pace, more).table.hurry.offered).toBe(offered)
})

const yes = (): boolean => true
const OPEN: readonly [string, Partial<GameClient>, boolean, boolean][] = [
  ['what lies open before me is put away first', { holds: yes }, false, false],
  ['what is only told can be left, but not by a slip', { holds: yes, telling: yes }, true, false],
  ['what I am asked first is answered first', { holds: yes, telling: yes, asksFirst: yes }, false, false],
  ['else a tap is enough', {}, true, true],
]
test.each(OPEN)('%s', (_, game, offered, tapped) => {
  const table = new TableState(sitting('brisk').table.feed, { ...client, holds: () => false, ...game })
  expect(table.hurry.offered).toBe(offered)
  table.hurry.tap()
  expect(table.hurry.on).toBe(tapped)
})

test('on my own turn there is nothing to hurry to', () => {
  const { table, goesOn } = sitting('brisk')
  goesOn(4, mine)
  expect(table.hurry.offered).toBe(false)
  table.hurry.start()
  expect(table.hurry.on).toBe(false)
})

test('it lasts until my decision is there; what was passed over is gathered then, and no more', () => {
  const { table, goesOn } = sitting('brisk')
  table.hurry.start()
  goesOn(5)
  table.hurry.arrive()
  expect([table.hurry.on, table.hurry.passed.length]).toEqual([true, 0])

  goesOn(6, mine)
  expect(table.hurry.on).toBe(false)
  table.hurry.arrive()
  expect(table.hurry.passed.flatMap(({ lines }) => lines.map(({ seq }) => seq))).toEqual([4, 5, 6])
})

test('what I am asked stands before me and is not told twice', () => {
  const { table, goesOn } = sitting('brisk')
  table.hurry.start()
  goesOn(5)
  const asks = { ...VIEW, phase: { type: 'Answering', asked: 0, trio: {} } }
  goesOn(6, { view: asks, offers: [{ action: 'CannotShow', choices: {}, since: 6 }], awaiting: [0] })
  table.hurry.arrive()
  expect(table.hurry.passed.flatMap(({ lines }) => lines.map(({ seq }) => seq))).toEqual([4, 5])
})

test('whoever looks on again passes nothing over', () => {
  const { table, goesOn } = sitting('brisk')
  table.hurry.start()
  table.hurry.stop()
  goesOn(6, mine)
  table.hurry.arrive()
  expect(table.hurry.passed).toEqual([])
})

test('the page says so, is still and silent, and then tells in short', async () => {
  const speak = vi.fn()
  const hush = vi.spyOn(sound, 'hush').mockReturnValue(speak)
  const play = vi.spyOn(sound, 'play')
  const { table, goesOn } = sitting('brisk')
  render(Playing, { table })
  flushSync()
  expect(settings.haste).toBe('brisk')

  await fireEvent.click(screen.getByRole('button', { name: t('hurry') }))
  screen.getByRole('heading', { name: t('hurry.now') })
  expect([settings.haste, hush.mock.calls.length]).toEqual(['at_once', 1])
  screen.getByRole('button', { name: t('hurry.stop') })

  expect(speak).not.toHaveBeenCalled()
  goesOn(6, mine)
  expect(settings.haste).toBe('brisk')
  // What calls me is heard again.
  const call = play.mock.calls.findIndex(([cue]) => cue === 'my_turn')
  expect(speak.mock.invocationCallOrder[0]).toBeLessThan(play.mock.invocationCallOrder[call] ?? 0)
  const dialog = document.querySelector('dialog[open]')
  expect(dialog?.querySelector('h2')?.textContent).toBe(t('digest.passed'))
  expect(dialog?.querySelectorAll('li').length).toBe(3)
  cleanup()
  expect(settings.haste).toBe('none')
})

test('a tap where nothing can be pressed hurries, a drag and a button do not', () => {
  const { table } = sitting('brisk')
  const [node, button] = [document.createElement('div'), document.createElement('button')]
  node.append(button)
  const { destroy } = hurries(node, table.hurry)
  const tap = (target: Element, from: number, to: number) => {
    target.dispatchEvent(new MouseEvent('pointerdown', { clientX: from, bubbles: true }))
    target.dispatchEvent(new MouseEvent('click', { clientX: to, bubbles: true, detail: 1 }))
  }
  tap(button, 5, 5)
  tap(node, 5, 50)
  expect(table.hurry.on).toBe(false)
  tap(node, 5, 6)
  expect(table.hurry.on).toBe(true)
  destroy()
})

test('the space bar hurries, unless something else has it', () => {
  const { table } = sitting('brisk')
  const pressed = shortcuts(table, () => undefined)
  const space = (target: Element) => {
    const event = new KeyboardEvent('keydown', { key: ' ', cancelable: true })
    Object.defineProperty(event, 'target', { value: target })
    pressed(event)
    return event.defaultPrevented
  }
  expect(space(document.createElement('button'))).toBe(false)
  expect(table.hurry.on).toBe(false)
  expect(space(document.body)).toBe(true)
  expect(table.hurry.on).toBe(true)
})
