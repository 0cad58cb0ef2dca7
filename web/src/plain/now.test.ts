import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { i18n, t } from '../lib/i18n.svelte'
import type { OfferNow } from '../lib/protocol'
import { socket } from '../lib/socket.svelte'
import type { TableState } from '../table/state.svelte'
import Board from './Board.svelte'
import Now from './Now.svelte'
import { offer, one, sitting } from './plain.testing'

const ask = vi.spyOn(socket, 'ask')
beforeAll(async () => {
  // Nothing that the page does to a dialog exists without a browser.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  await i18n.use('en')
})
beforeEach(() => void ask.mockReset().mockReturnValue(new Promise(() => undefined)))
afterEach(cleanup)

const ASK = offer('Ask', {
  guests: { type: 'some', of: ['Cook', 'Nurse', 'OldMaid'], least: 2, most: 2 },
  to: one(1, 2),
})
const ACCUSE = offer('Accuse', { guest: one('Cook', 'Nurse') })

function shown(offers: readonly OfferNow[], more: Parameters<typeof sitting>[0] = {}): TableState {
  const table = sitting({ offers, ...more })
  render(Board, { table })
  render(Now, { table })
  return table
}
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const sent = () => (ask.mock.lastCall?.[0] as { action?: object } | undefined)?.action
const now = () => document.querySelector('.now')?.textContent ?? ''

it('makes one button of an offer that leaves nothing to choose', async () => {
  shown([offer('Draw')])
  expect(screen.queryByRole('group')).toBeNull()
  await press('Draw')
  expect(ask).toHaveBeenLastCalledWith({ type: 'act', table: 'x', since: 7, action: { type: 'Draw' } })
})

it('asks whom before what, by name, and counts what is chosen', async () => {
  shown([ASK])
  expect(screen.getAllByRole('group').map((group) => within(group).getAllByRole('button').length)).toEqual([2, 3])
  expect(button('Ask').disabled).toBe(true)
  screen.getByText('0 of 2 chosen')
  expect(now()).toContain('Still to choose: To, Guests')

  await press('Benno')
  await press(/Old Maid/)
  await press(/Cook/)
  screen.getByText('2 of 2 chosen')
  // More than two cannot be chosen: the third keeps its place and does nothing.
  expect(button(/Nurse/).getAttribute('aria-disabled')).toBe('true')
  await press(/Nurse/)
  expect(now()).toContain('Ask: Benno · Cook and Old Maid')
  await press('Ask')
  expect(sent()).toEqual({ type: 'Ask', to: 1, guests: ['Cook', 'OldMaid'] }) // as the offer writes them
})

it('lets go of what was chosen', async () => {
  shown([ASK])
  await press(/Cook/)
  await press(/Cook/)
  screen.getByText('0 of 2 chosen')
})

it('is worked by keys as by fingers: every chip is a button that says whether it is chosen', () => {
  shown([ASK])
  for (const chip of screen.getAllByRole('group').flatMap((group) => within(group).getAllByRole('button'))) {
    expect(chip.tagName).toBe('BUTTON')
    expect(chip.tabIndex).toBe(0)
    expect(chip.getAttribute('aria-pressed')).toBe('false')
  }
})

it('says which things are mine', () => {
  shown([ASK])
  expect(button(/Cook/).textContent).toContain('in my hand')
  expect(button(/Old Maid/).textContent).not.toContain('in my hand')
})

it('opens a guess beside the rest, and asks whether it is meant', async () => {
  shown([ASK, ACCUSE])
  screen.getByRole('region', { name: 'Ask' })
  await press('Accuse…')
  screen.getByRole('region', { name: 'Accuse' })
  await press(/Nurse/)
  await press('Accuse')
  expect(ask).not.toHaveBeenCalled()
  const dialog = document.querySelector<HTMLElement>('dialog[open]') as HTMLElement
  expect(dialog.textContent).toContain('Accuse: Nurse')
  await fireEvent.click(within(dialog).getByText('Accuse'))
  expect(sent()).toEqual({ type: 'Accuse', guest: 'Nurse' })
})

it('goes back from a guess to what was before it', async () => {
  shown([offer('Draw'), ACCUSE])
  expect(screen.queryByRole('region', { name: 'Accuse' })).toBeNull()
  await press('Accuse…')
  await press('Back')
  expect(screen.queryByRole('region', { name: 'Accuse' })).toBeNull()
  button('Draw')
})

it('turns to another offer and back without a word lost', async () => {
  shown([ASK, offer('Swap', { cards: one('Cook', 'Nurse') })])
  await press('Benno')
  await press('Swap…')
  expect(screen.queryByText('0 of 2 chosen')).toBeNull()
  await press('Ask…')
  screen.getByText('0 of 2 chosen')
})

it('tells twins apart by what is fixed in them, or by a number', () => {
  shown([
    offer('Take', { place: one(1), to: one(1) }),
    offer('Take', { place: one(2), to: one(2) }),
    offer('Peek', { card: one('Cook', 'Nurse') }),
    offer('Peek', { card: one('OldMaid', 'Nurse') }),
  ])
  button('Take · 1 · Benno')
  button('Take · 2 · Chloé')
  button('Peek · 1')
  button('Peek · 2…')
})

it('makes a list of many values', async () => {
  const of = Array.from({ length: 30 }, (_, place) => place + 1)
  shown([offer('Open', { window: one(...of) })])
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Window' })
  expect(button('Open').disabled).toBe(true)
  await fireEvent.change(list, { target: { value: '4' } })
  await press('Open')
  expect(sent()).toEqual({ type: 'Open', window: 5 })
})

it('asks yes or no', async () => {
  shown([offer('Bid', { high: one(true, false) })])
  await press('No')
  await press('Bid')
  expect(sent()).toEqual({ type: 'Bid', high: false })
})

it('puts things in order by buttons, and keeps the focus on what moves', async () => {
  shown([offer('Arrange', { falls: { type: 'order', of: ['Red', 'Green', 'Blue'] } })])
  const up = button('Blue: earlier')
  up.focus()
  await fireEvent.click(up)
  await vi.waitFor(() => expect(document.activeElement).toBe(up))
  await press('Red: later')
  await press('Arrange')
  expect(sent()).toEqual({ type: 'Arrange', falls: ['Blue', 'Red', 'Green'] })
})

const SHOW = [offer('Show', { guest: one('Cook', 'Nurse') })]
const due = { since: 7, left_ms: 5000, selected: { type: 'Show', guest: 'Nurse' }, chosen: false, kept: true }

it('answers with what would be answered anyway, and says that it is noted', async () => {
  const table = shown(SHOW, { room: { answer: due } })
  expect(table.kind).toBe('asked')
  expect(button(/Nurse/).getAttribute('aria-pressed')).toBe('true')
  await press(/Cook/)
  await press('Show')
  expect(ask).toHaveBeenLastCalledWith({
    type: 'select',
    table: 'x',
    since: 7,
    action: { type: 'Show', guest: 'Cook' },
  })
  expect(screen.getByText(t('asked.noted')).classList.contains('shown')).toBe(true)
})

it('leaves an answer without a choice to the house, unless the table waits for everybody', () => {
  const answer = { ...due, selected: { type: 'ShowNothing' } }
  shown([offer('ShowNothing')], { room: { answer } })
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('The house answers in your name')
  expect(screen.queryByRole('button', { name: 'Show Nothing' })).toBeNull()
  cleanup()
  shown([offer('ShowNothing')], { room: { answer, pace: 'unhurried' } })
  button('Show Nothing')
})

it('has interrupts ready while another is waited for, and no lamp shines on them', async () => {
  const table = shown([offer('Slam')], { table: { awaiting: [1] } })
  expect(table.kind).toBe('others')
  expect(table.game.holds?.(table)).toBe(true)
  expect(document.querySelector('.now.lit')).toBeNull()
  expect(now()).toContain('Waiting for Benno')
  await press('Slam')
  expect(sent()).toEqual({ type: 'Slam' })
})

it('says in the words of a game what is awaited, where it has such words', () => {
  const words: Record<string, string> = { 'now.Asking': 'Ask, {name}', 'action.Ask.said': 'Ask {to} about {guests}' }
  const game = vi.spyOn(i18n, 'game').mockImplementation((_, key) => words[key])
  const table = sitting({ offers: [ASK] })
  render(Now, { table })
  expect(now()).toContain('Ask, Ada')
  expect(now()).toContain('Ask … about …')
  game.mockRestore()
  flushSync()
})
