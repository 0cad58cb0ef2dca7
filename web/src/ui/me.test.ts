import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { i18n } from '../lib/i18n.svelte'
import { keep, recall } from '../lib/store'
import { toasts } from '../lib/toasts.svelte'
import AboutMe from './AboutMe.svelte'

const assign = vi.fn()
const post = vi.fn()

beforeEach(async () => {
  await i18n.use('en')
  await i18n.loadLater()
  vi.stubGlobal('fetch', post)
  vi.spyOn(location, 'assign').mockImplementation(assign)
  post.mockReset().mockResolvedValue({ ok: true })
  assign.mockReset()
  keep('name', 'Ada')
})
afterEach(cleanup)

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('what is stored is a link away', () => {
  render(AboutMe)
  expect(screen.getByRole('link', { name: 'Save it as a file' }).getAttribute('href')).toBe('/api/me')
})

test('nothing is forgotten before the question is answered', async () => {
  render(AboutMe)
  await press('Forget me …')
  expect(document.activeElement?.textContent).toContain('It cannot be undone')
  await press('Keep everything')
  expect(post).not.toHaveBeenCalled()
  expect(screen.queryByText('Forget everything about you?')).toBeNull()
})

test('whoever is sure is forgotten, here too', async () => {
  render(AboutMe)
  await press('Forget me …')
  await press('Forget me')
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
  expect(post).toHaveBeenCalledWith('/api/forget', { method: 'POST', body: '{"sure":true}' })
  expect(recall('name', '')).toBe('')
})

test('what has failed is said, and nothing is forgotten here', async () => {
  post.mockResolvedValue({ ok: false, status: 503 })
  render(AboutMe)
  await press('Forget me …')
  await press('Forget me')
  await vi.waitFor(() => expect(toasts.all.at(-1)?.kind).toBe('wrong'))
  expect(assign).not.toHaveBeenCalled()
  expect(recall('name', '')).toBe('Ada')
})

test('a damaged table is named as the reason', async () => {
  post.mockResolvedValue({ ok: false, status: 409 })
  render(AboutMe)
  await press('Forget me …')
  await press('Forget me')
  await vi.waitFor(() => expect(toasts.all.at(-1)?.text).toContain('damaged'))
  expect(assign).not.toHaveBeenCalled()
})
