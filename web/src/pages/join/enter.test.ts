import { cleanup, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { i18n, t } from '../../lib/i18n.svelte'
import EnterPage from './EnterPage.svelte'

const post = vi.fn()

beforeEach(async () => {
  await i18n.use('en')
  vi.stubGlobal('fetch', post)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test.each([
  [409, 'join.wrong'],
  [400, 'join.wrong'],
  [429, 'refused.too_fast'],
  [503, 'refused.connection'],
])('a code that was answered with %d: %s', async (status, key) => {
  post.mockResolvedValue(new Response('', { status }))
  render(EnterPage, { route: { page: 'join', code: 'ABCD' } })

  expect(await screen.findByText(t(key))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('loading.again') }) === null).toBe(key === 'join.wrong')
})

test('without a line the code is not called wrong', async () => {
  post.mockRejectedValue(new TypeError('no network'))
  render(EnterPage, { route: { page: 'join', code: 'ABCD' } })

  expect(await screen.findByText(t('refused.connection'))).toBeTruthy()
})
