import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Option } from '../../lib/catalogue'
import { i18n } from '../../lib/i18n.svelte'
import { optionValue } from '../../lib/options'
import OptionField from './OptionField.svelte'

const starter: Option = {
  name: 'starter',
  kind: 'seat',
  default: null,
  rule: 'CLUE-10',
  variant: false,
  values: [0, 1, 2, 3, 4, 5],
  least: null,
  most: null,
  optional: true,
}

beforeEach(async () => {
  await i18n.use('en')
  await i18n.loadGame('clue')
})
afterEach(cleanup)

test('a seat is chosen among the chairs of the table, counted as people count', async () => {
  const onchange = vi.fn()
  render(OptionField, { game: 'clue', option: starter, seats: 3, value: null, onchange })
  const field = screen.getByRole<HTMLSelectElement>('combobox', { name: 'First player' })

  expect([...field.options].map(({ text }) => text)).toEqual(['left open', 'Seat 1', 'Seat 2', 'Seat 3'])
  await fireEvent.change(field, { target: { value: '2' } })
  expect(onchange).toHaveBeenLastCalledWith(2)
  expect(optionValue('clue', starter, 2)).toBe('Seat 3')
})
