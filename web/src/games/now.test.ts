import { cleanup, render } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadGame, type GameClient } from '.'
import { chairFrame, roomFrame, tableFrame } from '../lib/frames.testing'
import { i18n, LANGUAGES, type Language } from '../lib/i18n.svelte'
import type { Answer, OfferNow, Pace, Table, Told } from '../lib/protocol'
import { TableFeed } from '../lib/socket.svelte'
import { keep } from '../lib/store'
import { TableState } from '../table/state.svelte'
import samples from './now.sample.json'
import { VERBS, type Verb } from './now.testing'

interface Moment {
  me: number
  seq: number
  events: Told[]
  view: object
  offers: OfferNow[]
  awaiting: number[]
  outcome: Table['outcome']
}
const GAMES = Object.entries(samples) as unknown as [string, Moment[]][]
const NAMES = ['Ada', 'Benno', 'Chloé', 'Dag', 'Edda', 'Finn']
const ANSWERS = new Set(['Show', 'CannotShow', 'Answer', 'Announce', 'Correct', 'ShowLate'])
const LETTERS = LANGUAGES.map(({ id }) => id)

/** A frame with room for a board. */
class Roomy {
  readonly #seen: ResizeObserverCallback
  constructor(seen: ResizeObserverCallback) {
    this.#seen = seen
  }
  observe(target: Element) {
    const entry = { target, contentRect: new DOMRect(0, 0, 800, 800), borderBoxSize: [], contentBoxSize: [] }
    queueMicrotask(() => this.#seen([entry as never], this as never))
  }
  unobserve() {}
  disconnect() {}
}

beforeAll(() => {
  globalThis.ResizeObserver = Roomy as never
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  keep('arosa.ear', 'silent') // whoever is asked how they want to hear is told nothing else yet
})
afterEach(cleanup)

/** The answer that is due, as the house tells it: without a clock, or by one. */
function due(offers: readonly OfferNow[], left_ms: number | null): Answer | null {
  const offer = offers.find(({ action }) => ANSWERS.has(action))
  if (!offer) return null
  const first = Object.entries(offer.choices).map(([field, { of }]) => [field, of[0]])
  const selected = { type: offer.action, ...(Object.fromEntries(first) as object) }
  return { since: offer.since, left_ms, selected, chosen: false, kept: false }
}
function at(client: GameClient, moment: Moment, pace: Pace): TableState {
  const { me, seq, view, offers, awaiting, outcome } = moment
  const feed = new TableFeed('x')
  const chairs = NAMES.map((name, seat) => chairFrame(seat, { kind: 'person', name }))
  const answer = due(offers, pace === 'brisk' ? null : 5000)
  feed.takeRoom(roomFrame({ game: client.id, stage: 'playing', me, chairs, pace, answer }))
  feed.take(tableFrame(0, seq, { view, offers, awaiting, outcome }))
  feed.log = moment.events
  return new TableState(feed, client)
}

const plain = (text: string) => text.trim().replace(/\s+/g, ' ')
const words = (node: Element) => plain(node.textContent)
/** What NOW says, without what it lets one press. */
const sentences = () => [...document.querySelectorAll('.now h2, .now .words p, .now .more p')].map(words)
const labels = () => [...document.querySelectorAll('button')].map((one) => one.getAttribute('aria-label') ?? words(one))
const escaped = (text: string) => plain(text).replace(/[.*+?^$()[\]\\|]/g, '\\$&')
/** What a control is called, whatever stands in its gaps. */
const called = (game: string, key: string) =>
  new RegExp(`^${escaped(i18n.game(game, key) ?? '').replace(/\{\w+\}/g, '.+')}$`)

/** Whether something on the page does it. */
const isThere = (game: string, { by = [], board }: Verb): boolean =>
  by.some((key) => labels().some((label) => called(game, key).test(label))) ||
  (board !== undefined && document.querySelector(`.board-of-test :is(${board})`) !== null)

/** The same moments of Clue, shut in or without an accusation: rare at a table, and sentences are made from what stands. */
function rarer(moments: readonly Moment[]): Moment[] {
  const without = (moment: Moment, ...gone: string[]) => moment.offers.filter(({ action }) => !gone.includes(action))
  const shut: OfferNow = { action: 'NoMove', choices: {}, since: 1 }
  return moments.flatMap((moment) => {
    if (moment.offers.length < 2) return []
    const begins = moment.offers.some(({ action }) => action === 'Roll' || action === 'TakePassage')
    const blocked = { ...moment, offers: [...without(moment, 'Roll', 'TakePassage'), shut] }
    return [{ ...moment, offers: without(moment, 'Accuse') }, ...(begins ? [blocked] : [])]
  })
}

describe.each(GAMES)('NOW of %s', (game, moments) => {
  const verbs = Object.entries(VERBS[game] ?? {})

  test.each(LETTERS)('says in %s nothing that cannot be done', async (language: Language) => {
    await i18n.use(language)
    await i18n.loadGame(game)
    const client = await loadGame(game)
    const met = new Set<string>()
    for (const moment of [...moments, ...(game === 'clue' ? rarer(moments) : [])]) {
      for (const pace of ['brisk', 'normal'] as const) {
        if (pace === 'normal' && !due(moment.offers, null)) continue
        const table = at(client, moment, pace)
        const stands = new Set(moment.offers.map(({ action }) => action))
        const board = document.createElement('div')
        board.className = 'board-of-test'
        document.body.append(board)
        render(client.Now, { table })
        // What another tab says in a line, too; where the house answers there is nothing to do but to know of it.
        const call = plain(client.calling?.(table) ?? '')
        const says = [...sentences(), call]
        let shown = false
        for (const [name, verb] of verbs) {
          const sentence = says.find((one) => verb.says[language].test(one))
          if (sentence === undefined || (sentence === call && pace === 'normal')) continue
          met.add(name)
          if (verb.board && !shown) {
            render(client.Board, { table }, { baseElement: board })
            await tick()
            await tick()
            shown = true
          }
          const held = { sentence, verb: name, offered: verb.offers.some((one) => stands.has(one)) }
          expect({ ...held, control: isThere(game, verb) }, [...stands].join(', ')).toEqual({
            ...held,
            offered: true,
            control: true,
          })
        }
        cleanup()
        board.remove()
      }
    }
    // Else the table of verbs speaks of a NOW that is no more.
    expect(verbs.map(([name]) => name).filter((name) => !met.has(name))).toEqual([])
  })
})
