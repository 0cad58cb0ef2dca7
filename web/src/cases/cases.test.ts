import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadGame } from '../games'
import { i18n, LANGUAGES } from '../lib/i18n.svelte'
import { live } from '../lib/live.svelte'
import { router } from '../lib/router.svelte'
import { settings } from '../lib/settings.svelte'
import { Refusal, socket, type Wish } from '../lib/socket.svelte'
import { toasts } from '../lib/toasts.svelte'
import CasePage from './CasePage.svelte'
import CaseRoute from './CaseRoute.svelte'
import sample from './frames.sample.json'
import { House, type Recorded } from './house.testing'
import { loadKit } from './kit'
import { shareLine } from './share'
import { Solving } from './solving.svelte'
import TodayPage from './TodayPage.svelte'
import type { Case } from './types'
import { words } from './words.svelte'

const RECORDED = sample as unknown as Record<string, Recorded>
const KINDS = Object.keys(RECORDED).filter((kind) => !kind.endsWith('.ear'))
const ask = vi.spyOn(socket, 'ask')
let house: House

beforeEach(async () => {
  await i18n.use('en')
  await words.load('en')
  house = new House(RECORDED)
  ask.mockReset().mockImplementation((wish: Wish) => {
    try {
      return Promise.resolve(house.answer(wish)) as never
    } catch (error) {
      return Promise.reject(new Refusal((error as Error).message)) as never
    }
  })
  localStorage.clear()
  live.clear()
  settings.motion = 'reduced'
})
afterEach(() => {
  cleanup()
  router.go('/')
})

const idOf = (kind: string) => `2026-11-18.${kind}`
async function solving(kind: string): Promise<Solving> {
  const posed = (await socket.ask({ type: 'open_case', case: idOf(kind) })) as Case
  await i18n.loadGame(posed.game)
  return new Solving(posed, await loadGame(posed.game), await loadKit(posed.game))
}
async function opened(kind: string) {
  const state = await solving(kind)
  render(CasePage, { solving: state })
  return state
}
const one = (name: RegExp | string) => screen.getAllByRole('button', { name })[0] as HTMLElement
const turn = () => fireEvent.click(one(/^Turn line/))
async function turnTo(number: number, state: Solving) {
  while (state.posed.turned < number) await turn()
}
const form = () => screen.getByRole('form', { name: 'Make your claim' })
/** Choose an answer in the form, and claim it. */
async function claim(state: Solving, answer: readonly (readonly [string, string])[]) {
  const groups = form().querySelectorAll('fieldset')
  for (const [place, entries] of state.posed.question.form.entries()) {
    const at = entries.findIndex(([row, column]) => row === answer[place]?.[0] && column === answer[place][1])
    await fireEvent.click((groups[place] as HTMLElement).querySelectorAll('input')[at] as HTMLElement)
  }
  await fireEvent.submit(form())
}
const recorded = (kind: string) => RECORDED[kind] as Recorded
const heard = () => live.polite.map(({ text }) => text).join('\n')

describe.each(KINDS)('a case of %s', (kind) => {
  test('says that it is one of its own, and asks its question', async () => {
    const { posed } = await opened(kind)

    expect(screen.getByText('A case of its own, cut from a real game. These lines are all that is known.')).toBeTruthy()
    expect(screen.getByRole('heading', { level: 2, name: /\?$/ })).toBeTruthy()
    expect(within(screen.getByRole('region', { name: 'What you know' })).getByText(/\(you\)$/)).toBeTruthy()
    expect(screen.getByText(`1 of ${posed.total} turned`)).toBeTruthy()
  })

  test('turns its lines one at a time, and says each aloud', async () => {
    const state = await opened(kind)
    await turn()

    expect(document.querySelectorAll('li[id^="line-"]').length).toBe(2)
    expect(heard()).toContain(`Line 2 of ${state.posed.total}:`)
    expect(heard()).toContain(state.sentences(state.posed.lines[1] ?? [])[0])
    await turnTo(state.posed.total, state)
    expect(screen.queryByRole('button', { name: /^Turn line/ })).toBeNull()
    expect(screen.getAllByText(/^All lines are turned\. The answer/).length).toBeGreaterThan(0)
  })

  test('shows a claim that does not follow yet a whole deal in which it is not so', async () => {
    const { unproved } = recorded(kind)
    const state = await opened(kind)
    await turnTo(unproved.turned, state)
    await claim(state, unproved.claim)

    const said = within(await screen.findByRole('region', { name: /This does not follow yet/ }))
    expect(said.getByText(/says nothing about whether you are right/)).toBeTruthy()
    const deal = unproved.ruling.kind === 'unproved' ? unproved.ruling.deal : []
    for (const { column, cards } of deal)
      expect(said.getByRole('list', { name: state.kit.column(state.stage, column) }).children.length).toBe(cards.length)
    expect(said.getAllByText('lies here').length).toBeGreaterThan(0)
    expect(said.getByText('It counts as one guess.')).toBeTruthy()
    // The heading has the focus and is read out with it; what is said goes on from there.
    await waitFor(() => expect(heard()).toMatch(/here is another way the cards could lie\.$/))
    expect(document.activeElement?.textContent).toContain('This does not follow yet.')
    expect(heard()).not.toContain('This does not follow yet.')
  })

  test('lights the lines that clash with a claim', async () => {
    const { impossible } = recorded(kind)
    const state = await opened(kind)
    await turnTo(impossible.turned, state)
    await claim(state, impossible.claim)

    await screen.findByRole('region', { name: /This cannot be/ })
    const lines = impossible.ruling.kind === 'impossible' ? impossible.ruling.lines : []
    expect([...document.querySelectorAll('li.clash')].map(({ id }) => id)).toEqual(lines.map((line) => `line-${line}`))
    expect(screen.getAllByText('Part of the clash').length).toBe(lines.length)
  })

  test('is solved from par on, and plays its proof on the sheet', async () => {
    const { par, answer, steps } = recorded(kind)
    const state = await opened(kind)
    await turnTo(par, state)
    await claim(state, answer)

    expect(await screen.findByRole('heading', { name: `Solved at line ${par}, par ${par}` })).toBeTruthy()
    expect(screen.queryByRole('form')).toBeNull()
    expect(document.querySelectorAll('li[id^="line-"]').length).toBe(state.posed.total)
    await fireEvent.click(one('Show me how'))
    for (const [place, { lines, settles }] of steps.entries()) {
      expect(screen.getAllByText(`Step ${place + 1} of ${steps.length}`).length).toBeGreaterThan(0)
      expect([...document.querySelectorAll('li.proof')].map(({ id }) => id)).toEqual(
        lines.map((line) => `line-${line}`),
      )
      const { notes } = state.stage
      for (const { row, column, held } of settles) {
        expect(notes.isLit(row, column)).toBe(true)
        expect(notes.cell(row, column)?.mark).toBe(held ? 'yes' : 'no')
      }
      await fireEvent.keyDown(screen.getAllByRole('group', { name: 'How it is proved' })[0] as HTMLElement, {
        key: 'ArrowRight',
      })
    }
    expect(state.step).toBe(steps.length)
    await fireEvent.keyDown(screen.getAllByRole('group', { name: 'How it is proved' })[0] as HTMLElement, {
      key: 'ArrowLeft',
    })
    expect(state.step).toBe(Math.max(1, steps.length - 1))
    expect(screen.getByText('All steps as a list').closest('details')?.querySelectorAll('li').length).toBe(steps.length)
  })

  test('says every step in each language', async () => {
    for (const { id } of LANGUAGES) {
      await i18n.use(id)
      await words.load(id)
      const state = await solving(kind)
      for (const step of recorded(kind).steps) {
        expect(words.text(`case.step.${step.kind}`)).toBeTruthy()
        expect(state.stepSaid(step)).not.toMatch(/[{}]/)
      }
    }
  })
})

describe('a case', () => {
  const KIND = 'clue.trio'

  test('is claimed by real radio buttons, each group under its heading', async () => {
    await opened(KIND)
    const groups = within(form()).getAllByRole('group')

    expect(groups.map((group) => group.querySelector('legend')?.textContent)).toEqual(['Who?', 'With what?', 'Where?'])
    expect(groups.map((group) => within(group).getAllByRole('radio').length)).toEqual([6, 6, 9])
    for (const group of groups)
      expect(new Set([...group.querySelectorAll('input')].map(({ name }) => name)).size).toBe(1)
    expect(one('Claim it at line 1').getAttribute('aria-disabled')).toBe('true')
  })

  test('sees what another page of mine has done meanwhile, and claims nothing on it', async () => {
    const state = await opened(KIND)
    house.ahead = 2
    await claim(state, recorded(KIND).answer)

    await vi.waitFor(() => expect(state.posed.turned).toBe(3))
    expect(state.posed.tries).toEqual([])
    expect(toasts.all.at(-1)?.text).toContain('another page')
  })

  test('keeps my marks on this device, by case', async () => {
    const state = await solving(KIND)
    await state.stage.notes.write('Rope', '1', 'no')
    await state.stage.keepWords('Basil?')
    const again = await solving(KIND)
    const other = await solving('clue.holder')

    expect(again.stage.notes.mark('Rope', '1')).toBe('no')
    expect(again.stage.room.jotting).toBe('Basil?')
    expect(other.stage.notes.mark('Rope', '1')).toBe('')
    expect(house.asked.every(({ type }) => type === 'open_case')).toBe(true)
  })

  test('has my hand and what I was shown on its sheet, and nothing else', async () => {
    const { stage, posed } = await solving(KIND)
    const mine = (posed.view as { hands: string[][] }).hands[posed.seat] ?? []

    for (const card of posed.rows)
      expect(stage.notes.cell(card, String(posed.seat))?.mark).toBe(mine.includes(card) ? 'yes' : 'no')
    const ticks = (stage.notes.sheet?.cells ?? []).filter(({ mark }) => mark === 'yes')
    const shown = posed.given.filter(({ event }) => (event as { to?: number; card?: string }).card !== undefined)
    expect(ticks.length).toBe(mine.length + shown.length)
  })

  test('checks a mark of mine, and says before what that costs', async () => {
    const state = await opened(KIND)
    expect(screen.getByText(/^A check costs a hint/)).toBeTruthy()
    const button = one('Check this mark')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    state.stage.notes.chosen = { row: 'Rope', column: '1' }
    await state.stage.notes.write('Rope', '1', 'no')
    await vi.waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'))
    await fireEvent.click(button)

    expect(house.asked.at(-1)).toMatchObject({ type: 'check_mark', row: 'Rope', column: '1', held: false, turned: 1 })
    expect(await screen.findByText('It counts as one hint.')).toBeTruthy()
  })

  test('that is over can be shared as a picture', async () => {
    await opened(KIND)
    await fireEvent.click(one('Give up and see how it goes'))
    await fireEvent.click(await screen.findByRole('button', { name: 'Show me the answer' }))
    await fireEvent.click(await screen.findByRole('button', { name: 'As a picture' }))

    expect(await screen.findByRole('img', { name: /Clue · Today's case: A hard nut/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: i18n.shell('picture.save') ?? 'no words' })).toBeTruthy()
  })

  test('is given up only by whoever says so twice', async () => {
    const state = await opened(KIND)
    await fireEvent.click(one('Give up and see how it goes'))
    expect(state.over).toBe(false)
    await fireEvent.click(await screen.findByRole('button', { name: 'Show me the answer' }))

    expect(await screen.findByRole('heading', { name: 'Not solved this time, par 9' })).toBeTruthy()
    expect(one('Show me how')).toBeTruthy()
  })

  test('is told in one line that does not spoil it', async () => {
    const state = await solving(KIND)
    const { par, answer, unproved } = recorded(KIND)
    while (state.posed.turned < unproved.turned) await state.turn()
    await state.claim(unproved.claim)
    while (state.posed.turned < par) await state.turn()
    await state.claim(answer)

    expect(shareLine(state.posed, 'Clue')).toBe(`Whodunit 2026-11-18 · Clue · par ${par} · solved at ${par} · 1 guess`)
  })

  test('that cannot be had says so', async () => {
    ask.mockRejectedValue(new Refusal('no_table'))
    render(CaseRoute, { id: '2026-11-18.clue' })

    expect(await screen.findByRole('heading', { name: 'Nothing here' })).toBeTruthy()
    expect(screen.getByText('There is no such table.')).toBeTruthy()
  })

  test('of a game without parts of its own is shown by the plain ones', async () => {
    const kit = await loadKit('nowhere')
    expect(kit.Board).toBeUndefined()
    expect(kit.Thing).toBeTruthy()
  })
})

describe('the page of today', () => {
  test('has a card for each case, with how hard it is and how I stand with it', async () => {
    const state = await solving('clue.trio')
    await state.turn()
    render(TodayPage, { day: '' })

    const cards = await screen.findAllByRole('article')
    expect(cards.length).toBe(Object.keys(RECORDED).length)
    expect(cards[1]?.textContent).toContain('Begun: line 2 of 10')
    expect(cards[0]?.textContent).toContain('New, 5 lines')
    expect(screen.getByText('Wednesday: a little harder.')).toBeTruthy()
    expect(screen.getByText(/nobody is ranked by it/)).toBeTruthy()
    expect(screen.getByText('in 6 hours')).toBeTruthy()
    expect(
      within(cards[1] as HTMLElement)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe('/case/2026-11-18.clue.trio')
    expect(await screen.findByRole('link', { name: /Tuesday, November 17/ })).toBeTruthy()
  })

  test('says so where a miner has failed, and has the days before all the same', async () => {
    house.fault = true
    render(TodayPage, { day: '' })

    expect(await screen.findByText(/could not make all of today's cases/)).toBeTruthy()
    expect(await screen.findByRole('link', { name: /November 17/ })).toBeTruthy()
  })

  test('has a day of the archive at its own address', async () => {
    render(TodayPage, { day: '2026-11-17' })

    expect(await screen.findByRole('heading', { level: 1, name: 'The cases of November 17' })).toBeTruthy()
    expect((await screen.findAllByRole('article')).length).toBeGreaterThan(0)
  })
})
