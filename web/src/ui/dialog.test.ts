import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { createRawSnippet } from 'svelte'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { i18n } from '../lib/i18n.svelte'
import Dialog from './Dialog.svelte'

beforeEach(() => i18n.use('en'))
afterEach(cleanup)

const children = createRawSnippet(() => ({ render: () => '<p>words</p>' }))

test('pressing beside a dialog closes it; marking its words and letting go beside it does not', async () => {
  render(Dialog, { open: true, title: 'Menu', children })
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')

  await fireEvent.pointerDown(screen.getByText('words'))
  await fireEvent.click(dialog)
  expect(dialog.open).toBe(true)

  await fireEvent.pointerDown(dialog)
  await fireEvent.click(dialog)
  expect(dialog.open).toBe(false)
})
