import { describe, expect, test } from 'vitest'
import { go, parse, router } from './router.svelte'

describe('paths', () => {
  test.each([
    ['/', '', { page: 'front' }],
    ['/join', '#K7P2M4XQ', { page: 'join', code: 'K7P2M4XQ' }],
    ['/join/', '#K7P2M4XQ', { page: 'join', code: 'K7P2M4XQ' }],
    ['/seat', '#secret', { page: 'seat', key: 'secret' }],
    ['/duel', '#abc-_1', { page: 'duel', duel: 'abc-_1' }],
    ['/t/abc123', '', { page: 'table', table: 'abc123', place: '' }],
    ['/t/abc123/', '', { page: 'table', table: 'abc123', place: '' }],
    ['/t/abc123', '#review.0.17', { page: 'table', table: 'abc123', place: 'review.0.17' }],
    ['/t/abc123/case', '', { page: 'missing' }],
    ['/about', '', { page: 'about' }],
    ['/rules/night_cap2', '', { page: 'rules', game: 'night_cap2', place: '' }],
    ['/rules/2nd', '', { page: 'missing' }],
    ['/rules/clue', '', { page: 'rules', game: 'clue', place: '' }],
    ['/rules/clue', '#Suggest', { page: 'rules', game: 'clue', place: 'Suggest' }],
    ['/today', '', { page: 'today', day: '' }],
    ['/today/', '', { page: 'today', day: '' }],
    ['/today/2026-11-17', '', { page: 'today', day: '2026-11-17' }],
    ['/today/yesterday', '', { page: 'missing' }],
    ['/case/2026-11-17.night_cap', '', { page: 'case', id: '2026-11-17.night_cap' }],
    ['/case/a/clip/b', '', { page: 'missing' }],
    ['/nowhere', '', { page: 'missing' }],
  ])('%s%s', (path, fragment, route) => {
    expect(parse(path, fragment)).toEqual(route)
  })
})

describe('links', () => {
  router.follow()

  function click(html: string, init: MouseEventInit = {}): boolean {
    document.body.innerHTML = html
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init })
    ;(document.querySelector('a') as HTMLAnchorElement).dispatchEvent(event)
    return event.defaultPrevented
  }

  test('our own are followed without loading the page', () => {
    go('/')
    expect(click('<a href="/about">x</a>')).toBe(true)
    expect(router.route).toEqual({ page: 'about' })
  })

  test.each([
    ['downloads', '<a href="/t/abc/case">x</a>', {}],
    ['new tabs', '<a href="/about">x</a>', { ctrlKey: true }],
    ['marked ones', '<a href="/about" download>x</a>', {}],
    ['other sites', '<a href="http://example.com/about">x</a>', {}],
  ])('%s are left to the browser', (_, html, init) => {
    // Not prevented would mean loading a page; happy-dom must not try.
    document.addEventListener('click', (event) => event.preventDefault(), { once: true, capture: false })
    go('/')
    click(html, init)
    expect(router.route).toEqual({ page: 'front' })
  })
})
