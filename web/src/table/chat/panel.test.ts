import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { roomFrame } from '../../lib/frames.testing'
import { i18n } from '../../lib/i18n.svelte'
import { live } from '../../lib/live.svelte'
import type { Line } from '../../lib/protocol'
import { settings } from '../../lib/settings.svelte'
import { Refusal, socket, TableFeed } from '../../lib/socket.svelte'
import { toasts } from '../../lib/toasts.svelte'
import ChatPanel from './ChatPanel.svelte'

const ask = vi.spyOn(socket, 'ask')
const line = (speaker: number, name: string, text: string): Line => ({
  at: 0,
  speaker,
  seat: speaker,
  name,
  text,
  phrase: null,
  apart: false,
})

beforeEach(async () => {
  await i18n.use('en')
  ask.mockReset().mockResolvedValue(null as never)
})
afterEach(cleanup)

function panel(more: Partial<{ me: number | null; informed: boolean; shown: boolean }> = {}) {
  const feed = new TableFeed('x')
  const { me = 0, ...rest } = more
  render(ChatPanel, { feed, room: roomFrame({ me, stage: 'playing' }), ...rest })
  const say = (lines: Line[], whole = false) =>
    feed.takeChat({ type: 'chat', table: 'x', whole, lines, me: 0, muted: [] })
  return { feed, say }
}

test('words are sent and the field is empty again; what is refused stays in it', async () => {
  panel()
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Say something' })
  await fireEvent.input(field, { target: { value: '  good evening ' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(ask).toHaveBeenCalledWith({ type: 'say', table: 'x', text: 'good evening', name: '' })
  await vi.waitFor(() => expect(field.value).toBe(''))

  ask.mockRejectedValue(new Refusal('too_fast'))
  await fireEvent.input(field, { target: { value: 'again' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await vi.waitFor(() => expect(toasts.all.at(-1)?.text).toContain('Wait a few seconds'))
  expect(field.value).toBe('again')
})

test('nothing is sent when nothing is written', async () => {
  panel()
  await fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(ask).not.toHaveBeenCalled()
})

test('a phrase goes as its key, and a spectator by the name last used', async () => {
  settings.name = 'Eve'
  panel({ me: null })
  await fireEvent.click(within(screen.getByRole('group')).getByRole('button', { name: 'Good luck' }))
  expect(ask).toHaveBeenCalledWith({ type: 'say_phrase', table: 'x', phrase: 'good_luck', name: 'Eve' })
})

test('what is typed while a phrase is on its way is sent, and once', async () => {
  panel()
  ask.mockReturnValue(new Promise<never>(() => undefined))
  await fireEvent.click(screen.getByRole('button', { name: 'Good luck' }))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Say something' })
  await fireEvent.input(field, { target: { value: 'hello' } })
  // Enter presses the form's button, too.
  const send = screen.getByRole('button', { name: 'Send' })
  for (let press = 0; press < 2; press++) await fireEvent.click(send)
  expect(ask.mock.calls.map(([wish]) => wish.type)).toEqual(['say_phrase', 'say'])
})

test('a new line is shown and read out politely; mine and old ones are not read out', async () => {
  const { say } = panel()
  say([line(1, 'Benno', 'before')], true)
  say([line(0, 'Ada', 'mine')])
  say([line(1, 'Benno', 'hello')])
  await screen.findByText('hello')
  expect(screen.getByText('before')).toBeTruthy()
  const said = live.polite.map(({ text }) => text)
  expect(said).toContain('Benno: hello')
  expect(said.filter((text) => /before|mine/.test(text))).toEqual([])
})

test('what shows is not new any more', async () => {
  const hidden = panel({ shown: false })
  hidden.say([line(1, 'Benno', 'hello')])
  await screen.findByText('hello')
  expect(hidden.feed.unread).toBe(1)
  cleanup()

  const shown = panel()
  shown.say([line(1, 'Benno', 'hello')])
  await screen.findByText('hello')
  await vi.waitFor(() => expect(shown.feed.unread).toBe(0))
})

test('whoever knows the solution reads why there is nothing to write with', () => {
  panel({ informed: true })
  expect(screen.getByText(/You know the solution/)).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a speaker is muted and heard again', async () => {
  const { feed } = panel()
  feed.takeChat({
    type: 'chat',
    table: 'x',
    whole: true,
    lines: [line(1, 'Benno', 'nasty')],
    me: 0,
    muted: [{ speaker: 2, name: 'Chloe' }],
  })
  await fireEvent.click(await screen.findByRole('button', { name: 'Whom to hear' }))
  expect(ask).not.toHaveBeenCalled()
  await fireEvent.click(screen.getByRole('button', { name: 'Mute Benno' }))
  expect(ask).toHaveBeenLastCalledWith({ type: 'mute', table: 'x', speaker: 1, muted: true })
  await fireEvent.click(screen.getByRole('button', { name: 'Hear Chloe again' }))
  expect(ask).toHaveBeenLastCalledWith({ type: 'mute', table: 'x', speaker: 2, muted: false })
})
