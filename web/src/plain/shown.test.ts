import { cleanup, render, screen, within } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { tableFrame } from '../lib/frames.testing'
import { i18n } from '../lib/i18n.svelte'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import { DESCRIBED, sitting, VIEW } from './plain.testing'
import { before, common, nameOf, shown } from './shown'
import Solution from './Solution.svelte'

beforeAll(() => i18n.use('en'))
afterEach(cleanup)

const labels = (entries: readonly { label: string }[]) => entries.map(({ label }) => label)

it('shows what is common to all: no secret, nothing empty, nothing that stands elsewhere', () => {
  const table = sitting({ view: { pile: 4, discard: [], marker: { seat: 1, colour: 'Red' }, lit: false } })
  expect(labels(common(table, DESCRIBED.by_seat))).toEqual(['Pile', 'Marker'])
})

it('shows what a phase says beyond its name', () => {
  const table = sitting({ view: { phase: { type: 'Answering', asked: 1, guests: ['Cook', 'Nurse'] } } })
  const [phase] = common(table, DESCRIBED.by_seat)
  expect(phase).toMatchObject({ label: 'Answering', shown: { kind: 'record' } })
  expect(phase?.shown.kind === 'record' && phase.shown.entries.map((entry) => entry.shown)).toEqual([
    { kind: 'seat', seat: 1 },
    {
      kind: 'list',
      items: [
        { kind: 'word', text: 'Cook' },
        { kind: 'word', text: 'Nurse' },
      ],
    },
  ])
})

it('gives everybody what is theirs of a list by seat, and says what is unknown', () => {
  const at = (seat: number) => before(sitting(), DESCRIBED.by_seat, seat).map(({ label, shown }) => [label, shown])
  expect(at(0)).toEqual([['Tokens', { kind: 'word', text: 'Red Hat' }]])
  expect(at(1)).toEqual([
    ['Tokens', { kind: 'unknown' }],
    ['Ready', { kind: 'word', text: 'Yes' }],
  ])
})

it('leaves out what nobody has', () => {
  const nobody = sitting({ view: { tokens: [null, null, null], ready: [false, false, false] } })
  expect(before(nobody, DESCRIBED.by_seat, 1)).toEqual([])
})

it('takes a list for one by seat only if the house says so', () => {
  const open = sitting({ view: { open: ['Cook', 'Nurse', 'Maid'] } })
  expect(labels(common(open, DESCRIBED.by_seat))).toEqual(['Open'])
})

it('names a card whatever it is made of', () => {
  const table = sitting()
  expect(nameOf(table, 'LeadPipe')).toBe('Lead Pipe')
  expect(nameOf(table, 27)).toBe('27')
  expect(nameOf(table, { suit: 'Red', rank: 3 })).toBe('Red 3')
})

it('says what is unknown in a struct', () => {
  expect(shown(sitting(), 'trio', { who: null })).toEqual({
    kind: 'record',
    title: '',
    entries: [{ name: 'who', label: 'Who', shown: { kind: 'unknown' }, raw: 'null' }],
  })
})

it('lays a place for everybody, with closed cards and who is whose', () => {
  render(Board, { table: sitting() })
  const places = within(screen.getByRole('region', { name: 'Table' })).getAllByRole('heading', { level: 3 })
  expect(places.map(({ textContent }) => textContent.trim())).toEqual(['Ada', 'Benno', 'Chloé'])
  expect(screen.getAllByText('2 cards').length).toBe(2)
  screen.getByText('1 card')
})

it('puts a rim round what changed, and round nothing else', () => {
  vi.useFakeTimers()
  const table = sitting({ view: { pile: 4, stake: 2 } })
  render(Board, { table })
  const rims = () => [...document.querySelectorAll('[data-rim] dt')].map(({ textContent }) => textContent)
  expect(rims()).toEqual([])
  table.feed.take(tableFrame(7, 8, { view: { ...VIEW, pile: 3, stake: 2 } }))
  flushSync()
  expect(rims()).toEqual(['Pile'])
  vi.advanceTimersByTime(400)
  expect(rims()).toEqual([])
  vi.useRealTimers()
})

it('shows my hand as cards', () => {
  render(Hand, { table: sitting() })
  const cards = within(screen.getByRole('list', { name: 'My hand' })).getAllByRole('listitem')
  expect(cards.map((card) => card.querySelector('.label')?.textContent)).toEqual(['Cook', 'Nurse'])
})

it('lays the solution open when it is known, and not before', () => {
  const table = sitting()
  const { unmount } = render(Solution, { table })
  expect(screen.queryByRole('region')).toBeNull()
  unmount()
  table.truth = { ...VIEW, culprit: 'OldMaid' }
  render(Solution, { table })
  screen.getByRole('region', { name: 'Culprit' })
  screen.getByText('Old Maid')
})
