import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { i18n, LANGUAGES } from '../lib/i18n.svelte'
import { router } from '../lib/router.svelte'
import { Refusal, socket, type Wish } from '../lib/socket.svelte'
import { offer, one, sitting, VIEW } from '../plain/plain.testing'
import Replay from '../table/Replay.svelte'
import type { TableState } from '../table/state.svelte'
import Findings from './Findings.svelte'
import { decision, seatReview, step, verdict, whole } from './review.testing'
import Page from './page.testing.svelte'
import { TABLE, type SeatReview } from './types'
import { measured, r, tell, words } from './words.svelte'

const ask = vi.spyOn(socket, 'ask')
const SHEET = { seq: 7, cells: [], solutions: 4, worlds: '12', bits: 2, assumes: [], clash: [] }
const WHO = (seat: number) => ({ type: 'who' as const, seat })
const CARDS = [{ type: 'term' as const, word: 'Cook' }]

const MINE = seatReview(0, {
  decisions: [
    decision(3, 'best', { loss: 0 }),
    decision(5, 'blunder', { answers: [{ line: { key: 'tested', params: {} }, chance: 0.93, left: 2 }] }),
    decision(6, 'mistake', { loss: 0.6 }),
  ],
  steps: [step(3, 2.1), step(5, 2), step(7, 0)],
  certain: { seq: 7, cells: [['Cook', 'glass']], proofs: [], turns: 2, named: null },
  findings: [
    { key: 'review.known.own.never', params: { seat: WHO(0), cards: CARDS, turns: 2 } },
    { key: 'review.worst.bits', params: { event: 5, loss: '1.2' } },
  ],
})
const PARTS: Record<string, SeatReview> = {
  '0': MINE,
  '1': seatReview(1, { decisions: [decision(4, 'mistake')], steps: [step(4, 1)] }),
  '2': seatReview(2),
  [String(TABLE)]: seatReview(TABLE),
}
const WHOLE = whole({
  findings: { '0': [{ key: 'review.known.other.late', params: { seat: WHO(1), cards: CARDS, turns: 1 } }] },
  chances: [
    [3, [0.5, 0.3, 0.2]],
    [6, [0.6, 0.3, 0.1]],
  ],
  told: [
    [0, 0.5, 0.2, 0.3],
    [0.4, 0, 0.2, 0.3],
    [0, 0, 0, 0],
  ],
})

/** The house, as far as a review asks it. */
function house(wish: Wish): Promise<never> {
  const answer: unknown = (() => {
    switch (wish.type) {
      case 'read_review':
        return wish.viewer === 'whole' ? WHOLE : PARTS[String(wish.viewer)]
      case 'look':
        return { seq: wish.seq, view: VIEW, offers: [offer('Ask', { guests: one('Cook', 'Nurse') })] }
      case 'notes':
        return SHEET
      case 'retry':
        return JSON.stringify(wish.action).includes('Nurse')
          ? verdict({ label: 'best', loss: 0, taken: verdict().best[0] })
          : verdict()
    }
    return null
  })()
  return Promise.resolve(answer as never)
}
const asked = (type: Wish['type']) => ask.mock.calls.map(([wish]) => wish).filter((wish) => wish.type === type)

function closed(me: number | null = 0): TableState {
  return sitting({ table: { closed: true, outcome: { winners: [1], how: 'solved' } as never }, room: { me } })
}
async function open(fragment = 'review', me: number | null = 0) {
  router.go(`/t/x#${fragment}`)
  const table = closed(me)
  const shown = render(Page, { table })
  await waitFor(() => expect(asked('read_review')).toHaveLength(5))
  await waitFor(() => screen.getByRole('heading', { name: r('list') }))
  return { ...shown, table }
}
const place = () => location.hash

beforeEach(async () => {
  await i18n.use('en')
  await words.load('en')
  ask.mockReset().mockImplementation(house as never)
  vi.stubGlobal('scrollTo', vi.fn())
})
afterEach(cleanup)

describe('what decided it', () => {
  it('asks for my own game first, then for all together, then for the others', async () => {
    render(Findings, { table: closed() })
    await waitFor(() => expect(asked('read_review')).toHaveLength(5))
    expect(asked('read_review').map((wish) => 'viewer' in wish && wish.viewer)).toEqual([0, 'whole', 1, 2, TABLE])
  })
  it('says so in words, with ways to the moments', async () => {
    render(Findings, { table: closed() })
    const link = await screen.findAllByRole('link', { name: r('see') })
    expect(link[0]).toHaveProperty('hash', '#review.0.7')
    expect(link[1]).toHaveProperty('hash', '#review.0.5')
    expect(screen.getByText(/1.2 bits more were on offer/)).toBeTruthy()
    expect(await screen.findByText(/Benno could have known the solution: Cook/)).toBeTruthy()
  })
  it('is marked as being read until all parts are there', async () => {
    let answer: (() => void) | undefined
    ask.mockImplementation(((wish: Wish) => {
      if (wish.type !== 'read_review' || wish.viewer !== 1) return house(wish)
      return new Promise<void>((resolve) => (answer = resolve)).then(() => house(wish))
    }) as never)
    render(Findings, { table: closed() })
    await screen.findByText(r('reading.count', { done: 2, all: 5 }))
    answer?.()
    await waitFor(() => expect(screen.queryByText(/Still reading/)).toBeNull())
  })
  it('is asked for again where the line broke, and says so where it cannot be read', async () => {
    ask.mockImplementationOnce((() => Promise.reject(new Refusal('still_open'))) as never)
    render(Findings, { table: closed() })
    await fireEvent.click(await screen.findByRole('button', { name: r('again') }))
    await waitFor(() => expect(asked('read_review')).toHaveLength(6))
  })
  it('speaks to whoever watched of all who played', async () => {
    render(Findings, { table: closed(null) })
    await waitFor(() => expect(asked('read_review')).toHaveLength(5))
    expect(asked('read_review').map((wish) => 'viewer' in wish && wish.viewer)).toEqual([TABLE, 'whole', 0, 1, 2])
  })
})

describe('the page', () => {
  it('shows what could be best first, on what stood before it, with the eyes and notes of who decided', async () => {
    await open()
    expect(screen.getByRole('heading', { name: r('best') })).toBeTruthy()
    await waitFor(() => expect(asked('look').at(-1)).toMatchObject({ seq: 4, eyes: 0 }))
    await waitFor(() => expect(asked('notes').at(-1)).toMatchObject({ seq: 4, eyes: 0 }))
  })
  it('opens at the moment that the address names', async () => {
    await open('review.1.4')
    await waitFor(() => expect(asked('look').at(-1)).toMatchObject({ seq: 3, eyes: 1 }))
    expect(screen.getByRole('button', { name: 'Benno', pressed: true })).toBeTruthy()
  })
  it('says in tables what it draws', async () => {
    await open()
    for (const name of [r('graph'), r('chances'), r('account'), r('told')])
      expect(
        within(screen.getByRole('table', { name, hidden: true })).getAllByRole('row', { hidden: true }).length,
      ).toBeGreaterThan(2)
  })
  it('goes from moment to moment by the arrow keys, and never takes one for a try', async () => {
    await open('review.0.5')
    await fireEvent.click(screen.getByRole('button', { name: r('retry.choose') }))
    await fireEvent.keyDown(document.body, { key: 'ArrowRight' })
    expect(place()).toBe('#review.0.6')
    await fireEvent.keyDown(document.body, { key: 'ArrowLeft' })
    await fireEvent.keyDown(document.body, { key: 'ArrowLeft' })
    expect(place()).toBe('#review.0.3')
    expect(asked('retry')).toEqual([])
  })
  it('leads from a count to the next such moment, and filters its list', async () => {
    await open('review.0.3')
    await fireEvent.click(screen.getByRole('button', { name: /^costly: 1/ }))
    expect(place()).toBe('#review.0.6')
    await fireEvent.change(screen.getByLabelText(r('filter')), { target: { value: 'faults' } })
    const list = screen.getByRole('heading', { name: r('list') }).closest('section') as HTMLElement
    expect(within(list).getAllByRole('listitem')).toHaveLength(2)
  })
  it('shows the proof where something became certain', async () => {
    await open('review.0.7')
    expect(screen.getByRole('heading', { name: r('certain', { cards: 'Cook' }) })).toBeTruthy()
    await waitFor(() => expect(asked('look').at(-1)).toMatchObject({ seq: 7, eyes: 0 }))
  })
  it('sees with any eyes, also with those of whoever watched', async () => {
    await open()
    await fireEvent.click(screen.getByRole('button', { name: r('eyes.public') }))
    expect(place()).toBe('#review.-1')
  })
})

describe('a second try', () => {
  it('is a choice among four, and says why it is not good', async () => {
    await open('review.0.5')
    await fireEvent.click(screen.getByRole('button', { name: r('retry.choose') }))
    expect(screen.queryByRole('heading', { name: r('best') })).toBeNull()
    await fireEvent.click(screen.getByRole('button', { name: 'Ask: Cook' }))
    await screen.findByText(r('retry.less', { value: '0.1 bits', best: '1.3 bits' }))
    expect(asked('retry').at(-1)).toMatchObject({ seat: 0, seq: 5, action: { type: 'Ask', guests: ['Cook'] } })
    await fireEvent.click(screen.getByRole('button', { name: 'Ask: Nurse' }))
    await screen.findByText(/^Yes: /)
    expect(screen.getByRole('heading', { name: r('best') })).toBeTruthy()
  })
  it('is made on the real controls, and changes nothing', async () => {
    await open('review.0.5')
    await fireEvent.click(screen.getByRole('button', { name: r('retry.find') }))
    await fireEvent.click(await screen.findByRole('button', { name: /^Nurse/ }))
    await fireEvent.click(screen.getByRole('button', { name: 'Ask' }))
    await screen.findByText(/^Yes: /)
    expect(asked('retry').at(-1)).toMatchObject({ seat: 0, seq: 5, action: { type: 'Ask', guests: 'Nurse' } })
    expect(asked('act')).toEqual([])
  })
  it('goes through all that could be better, the dearest first, twice', async () => {
    await open('review.0.3')
    await fireEvent.click(screen.getByRole('button', { name: r('retry.start') }))
    expect(place()).toBe('#review.0.5')
    expect(screen.getByText(r('retry.round.choose', { at: 1, all: 2 }))).toBeTruthy()
    for (const [at, round] of [
      ['#review.0.6', 'choose'],
      ['#review.0.5', 'find'],
      ['#review.0.6', 'find'],
    ] as const) {
      await fireEvent.click(screen.getByRole('button', { name: r('retry.show') }))
      await fireEvent.click(screen.getByRole('button', { name: r('retry.next') }))
      await waitFor(() => expect(place()).toBe(at))
      expect(screen.getByText(new RegExp(`^${round === 'choose' ? 'First' : 'Second'} round`))).toBeTruthy()
    }
  })
})

it('shows a replay with the notes of whose eyes it is seen with', async () => {
  render(Replay, { table: closed() })
  await waitFor(() => expect(asked('notes').at(-1)).toMatchObject({ eyes: 0, seq: 7 }))
  await fireEvent.change(screen.getByLabelText('View'), { target: { value: '1' } })
  await waitFor(() => expect(asked('notes').at(-1)).toMatchObject({ eyes: 1, seq: 7 }))
  expect(await screen.findByRole('region', { name: 'Notes of Benno' })).toBeTruthy()
})

describe.each(LANGUAGES.map(({ id }) => id))('in %s', (language) => {
  it('everything that is found can be said', async () => {
    await i18n.use(language)
    await words.load(language)
    const table = closed()
    const lines = [...(MINE.findings ?? []), ...(WHOLE.findings['0'] ?? [])]
    expect(
      lines.map((line) => tell(table, line)).filter((said) => said.includes('review.') || said.includes('{')),
    ).toEqual([])
    expect(measured(1.25, 'bits')).toContain(language === 'en' ? '1.3' : '1,3')
    expect(tell(table, { key: 'review.worst.bits', params: { event: 5, loss: '1.2' } })).toContain(
      language === 'en' ? '1.2' : '1,2',
    )
  })
})
