import { fill, has, i18n, tenths, type Params } from '../lib/i18n.svelte'
import type { Message } from '../lib/protocol'
import { Wordbook } from '../lib/wordbook.svelte'
import { isSeat, readable } from '../plain/words'
import { numberAt } from '../table/log'
import { short } from '../table/notes/share'
import type { TableState } from '../table/state.svelte'
import type { Answer, Unit } from './types'

// Read when a review is wanted, and not before. Its sentences are those of the command line; the page's own stand here,
// and a few that it says otherwise: it names moments as its log does.
const SENTENCES = import.meta.glob<string>('../../../src/whodunit/review/texts/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
})
const PAGE = import.meta.glob<string>('./texts/*.json', { query: '?url', import: 'default', eager: true })

/** The words of the review, in the language of the page. */
export const words = new Wordbook((language) => [
  SENTENCES[`../../../src/whodunit/review/texts/${language}.json`],
  PAGE[`./texts/${language}.json`],
])

/** Words of the review by key. */
export const r = (key: string, params: Params = {}, otherwise = key) => words.say(key, params, otherwise)

/** A number that the house has written with a point, as the language writes it. */
const localised = (text: string) => (/^-?\d+\.\d$/.test(text) ? tenths(Number(text)) : text)

/** Put a message of a review into words: its own sentences, or the game's. */
export function tell(table: TableState, message: Message): string {
  const own = words.text(message.key)
  if (own !== undefined)
    return fill(own, message.key, (name) =>
      name === 'moment' ? momentSaid(table, Number(message.params.event)) : said(table, name, message.params[name]),
    )
  if (/^action\.\w+$/.test(message.key)) return deed(table, message)
  return table.say(message)
}
/** A moment as the log numbers it: "No. 9". */
export function momentSaid(table: TableState, seq: number): string {
  const number = numberAt(table.groups, seq)
  return number === null ? r('start') : r('number', { number })
}
function said(table: TableState, name: string, param: Message['params'][string] | undefined): string | undefined {
  if (param === undefined) return undefined
  if (typeof param !== 'object') return isSeat(table, name, param) ? table.name(param) : localised(String(param))
  if (Array.isArray(param)) return param.map(({ word }) => termOf(table, word)).join(', ')
  return param.type === 'who' ? table.name(param.seat) : termOf(table, param.word)
}
/** Something that can be done: the game's sentence for it, or its name and what it names. */
function deed(table: TableState, { key, params }: Message): string {
  const texts = [`${key}.said`, key].map((each) => i18n.game(table.game.id, each))
  const whole = texts.find(
    (text) => text !== undefined && Object.keys(params).every((name) => text.includes(`{${name}`)),
  )
  if (whole !== undefined) return fill(whole, key, (name) => said(table, name, params[name]))
  const name = texts[1]?.includes('{') ? undefined : texts[1]
  // Whom before what: the line sorts fields by their letters.
  const fields = Object.entries(params).sort(
    ([a, one], [b, other]) => Number(isSeat(table, b, other)) - Number(isSeat(table, a, one)),
  )
  const named = fields.map(([field, param]) => said(table, field, param)).filter(Boolean)
  return [name ?? readable(key.replace('action.', '')), named.join(' · ')].filter(Boolean).join(': ')
}
/** What a row of the sheet is called: not every game has a word for each. */
export const termOf = (table: TableState, word: string) =>
  has(table.game.id, `term.${word}`) ? table.term(word) : word

/** "93 %", and never 0 or 100 unless it is exact. */
export const chanceSaid = (chance: number) => r('percent', { figure: short(chance) })

/** A value in its unit: "1.3 bits", "43 per cent". */
export function measured(value: number, unit: Unit): string {
  if (unit === 'chance') return chanceSaid(value)
  return r(`review.unit.${unit}`, { figure: tenths(value) })
}

/** Somebody of whom a review speaks, or whoever watched. */
export const viewerName = (table: TableState, seat: number) => (seat < 0 ? r('eyes.public') : table.name(seat))

/** An answer that might have come, with those before it who had none. */
export function answerSaid(table: TableState, { line, passes = 0 }: Answer): string {
  const said = tell(table, line)
  return passes ? r('answer.passes', { line: said, count: passes }) : said
}

/** A figure that always shows which way it goes. */
export const signed = (value: number) => (value < 0 ? '−' : '+') + tenths(Math.abs(value))

/** Sentences and what is none, all as sentences. */
export const sentences = (parts: readonly string[]): string =>
  parts.flatMap((part) => (part ? [/[.!?…]$/.test(part) ? part : `${part}.`] : [])).join(' ')
