import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { roomFrame } from '../lib/frames.testing'
import { i18n } from '../lib/i18n.svelte'
import { Refusal, socket } from '../lib/socket.svelte'
import type { TableState } from './state.svelte'
import StandingOrder from './StandingOrder.svelte'

const ask = vi.spyOn(socket, 'ask')
beforeEach(() => void ask.mockReset().mockResolvedValue(null as never))
afterEach(cleanup)

const at = (order: 'seen' | 'least' | null) =>
  ({ id: 'x', room: roomFrame({ me: 0, orders: ['seen', 'least'], order }) }) as unknown as TableState

test.each([
  ['en', 'When I choose nothing', 'the least telling card'],
  ['de', 'Wenn ich nichts wähle', 'die Karte, die am wenigsten verrät'],
] as const)('in %s an order is read, given and taken back', async (language, name, least) => {
  await i18n.use(language)
  render(StandingOrder, { table: at('least'), hint: true })
  const choice = screen.getByRole<HTMLSelectElement>('combobox', { name })
  expect(within(choice).getByRole<HTMLOptionElement>('option', { name: least }).selected).toBe(true)

  await fireEvent.change(choice, { target: { value: 'seen' } })
  expect(ask).toHaveBeenLastCalledWith({ type: 'set_order', table: 'x', order: 'seen' })
  await fireEvent.change(choice, { target: { value: '' } })
  expect(ask).toHaveBeenLastCalledWith({ type: 'set_order', table: 'x', order: null })
})

test('what was refused does not stand there as if it held', async () => {
  await i18n.use('en')
  ask.mockRejectedValue(new Refusal('too_fast'))
  render(StandingOrder, { table: at('least') })
  const choice = screen.getByRole<HTMLSelectElement>('combobox')

  await fireEvent.change(choice, { target: { value: 'seen' } })
  await vi.waitFor(() => expect(choice.value).toBe('least'))
})
