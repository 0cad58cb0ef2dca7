import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepFocus } from './focus'

let stop: () => void

beforeEach(() => {
  document.body.innerHTML = '<main tabindex="-1"><p><button>x</button></p></main>'
  stop = keepFocus()
})
afterEach(() => stop())

const settle = () => vi.waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'))

test('when the focused thing is gone, the main part has the focus', async () => {
  document.querySelector('button')?.focus()
  document.querySelector('p')?.remove()

  await settle()
})

test('also on a page that comes later', async () => {
  document.querySelector('button')?.focus()
  document.querySelector('main')?.remove()
  await Promise.resolve()
  document.body.insertAdjacentHTML('beforeend', '<main tabindex="-1">new</main>')

  await settle()
  expect(document.activeElement?.textContent).toBe('new')
})

test('a heading is read out, and what the table waits for before it', async () => {
  document.querySelector('button')?.focus()
  document.querySelector('main')?.remove()
  document.body.insertAdjacentHTML('beforeend', '<main><h1>Call your friends</h1></main>')
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Call your friends'))

  document.querySelector('main')?.remove()
  document.body.insertAdjacentHTML('beforeend', '<main><h1>Clue</h1><h2 data-now>Your turn</h2></main>')
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Your turn'))
})

test('what a tab hides, or what can no longer be pressed, keeps nobody', async () => {
  document.body.innerHTML =
    '<main tabindex="-1"><div style="display: none"><h2 data-now>Your turn</h2></div><button>x</button></main>'
  const button = document.querySelector('button')
  button?.focus()
  button?.blur() // as a browser does by itself when it draws
  if (button) button.disabled = true

  await settle()
})

test('what says where one is keeps the focus while what is in it comes and goes, and then what is around it', async () => {
  document.body.innerHTML =
    '<h2 data-now>Review</h2><div data-now tabindex="-1" id="moment"><div data-now id="trial"><button>x</button></div></div>'
  document.querySelector('button')?.focus()
  document.querySelector('button')?.remove()
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('trial'))

  document.querySelector('#trial')?.remove()
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('moment'))

  document.querySelector('#moment')?.remove()
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Review'))
})

test('what lies open over the page keeps the focus within', async () => {
  document.body.insertAdjacentHTML('beforeend', '<dialog open><button>y</button></dialog><h2 data-now>Your turn</h2>')
  document.querySelector<HTMLElement>('dialog button')?.focus()
  document.querySelector('dialog button')?.remove()

  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('DIALOG'))
})

test('what nobody had focused is nobody’s loss', async () => {
  document.querySelector('p')?.remove()
  await new Promise((done) => setTimeout(done))

  expect(document.activeElement).toBe(document.body)
})
