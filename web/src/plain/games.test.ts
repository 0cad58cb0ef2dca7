import { cleanup, fireEvent, render } from '@testing-library/svelte'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { i18n, LANGUAGES } from '../lib/i18n.svelte'
import type { OfferNow, Plain, Table, Told } from '../lib/protocol'
import { socket } from '../lib/socket.svelte'
import Log from '../table/Log.svelte'
import { admits, type Deed } from '../table/offers'
import Players from '../table/Players.svelte'
import Board from './Board.svelte'
import samples from './frames.sample.json'
import Hand from './Hand.svelte'
import Held from './Held.svelte'
import Notes from './Notes.svelte'
import Now from './Now.svelte'
import { sitting } from './plain.testing'
import { playOf } from './play.svelte'
import Solution from './Solution.svelte'

interface Moment {
  me: number
  seq: number
  events: Told[]
  view: object
  offers: OfferNow[]
  awaiting: number[]
  outcome: Table['outcome']
}
const GAMES = Object.entries(samples) as unknown as [string, { described: Plain; moments: Moment[] }][]

const ask = vi.spyOn(socket, 'ask')
beforeAll(async () => {
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  for (const [game] of GAMES) await i18n.loadGame(game)
})
beforeEach(() => void ask.mockReset().mockReturnValue(new Promise(() => undefined)))
afterEach(cleanup)

function at(game: string, described: Plain, moment: Moment) {
  const { me, seq, view, offers, awaiting, outcome } = moment
  const closed = outcome !== null
  const room = { me, assistance: 'logic' as const, pace: 'unhurried' as const }
  const table = sitting({ game, described, view, offers, room, table: { seq, awaiting, outcome, closed } })
  table.feed.log = moment.events
  if (closed) table.truth = view
  return table
}
const main = () => document.querySelector<HTMLButtonElement>('.now .main > button')
const click = async (button: Element | null | undefined) => button && (await fireEvent.click(button))

/** Choose something in every field, as a player would. */
async function compose() {
  for (const field of document.querySelectorAll('.choose fieldset'))
    for (const chip of field.querySelectorAll('.chips button'))
      if (main()?.disabled && chip.getAttribute('aria-pressed') === 'false') await click(chip)
  for (const list of document.querySelectorAll('.choose select'))
    await fireEvent.change(list, { target: { value: '1' } })
}

describe.each(GAMES)('%s, that has a client of its own, on the plain table', (game, { described, moments }) => {
  test.each(LANGUAGES.map(({ id }) => id))('is shown in %s without a word missing', async (language) => {
    await i18n.use(language)
    // What differs from language to language are words of the house, which most moments share.
    for (const moment of moments.filter((_, place) => language === 'en' || place % 6 === 0)) {
      const table = at(game, described, moment)
      for (const Part of [Board, Now, Hand, Players, Log, Solution]) render(Part, { table })
      if (moment === moments[0]) render(Notes, { table }) // many cells, and the same at every moment
      render(Held, { table, seat: 1 })
      expect(table.game.waiting?.(table)?.headline).toBeTruthy()
      expect(table.game.verdict?.(table).headline).toBeTruthy()
      expect(document.body.textContent).not.toMatch(/undefined|\[object|NaN/)
      cleanup()
    }
  })

  test('lets everything be done that is on offer', async () => {
    await i18n.use('en')
    for (const moment of moments) {
      for (const [place, offer] of moment.offers.entries()) {
        const table = at(game, described, moment)
        render(Board, { table })
        render(Now, { table })
        const way = playOf(table).ways[place]
        if (way !== playOf(table).current && way !== undefined) {
          const says = playOf(table).opener(way)
          const button = [...document.querySelectorAll('.now button')].find(
            ({ textContent }) => textContent.trim() === says,
          )
          expect([offer.action, button !== undefined]).toEqual([offer.action, true])
          await click(button)
        }
        if (!ask.mock.calls.length) {
          await compose()
          if (!document.querySelector('dialog[open]')) await click(main())
          await click(document.querySelector('dialog[open] .wax-fill'))
        }
        const { action } = ask.mock.lastCall?.[0] as { action: Deed }
        expect([offer.action, action.type, admits(offer, action)]).toEqual([offer.action, offer.action, true])
        ask.mockClear()
        cleanup()
      }
    }
  })
})
