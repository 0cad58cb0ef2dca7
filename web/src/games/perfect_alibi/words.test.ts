import { expect, it } from 'vitest'
import en from '@games-texts/perfect_alibi/texts/en.json'
import type { TableState } from '../../table/state.svelte'
import type { Assistant, State } from './types'
import { about, alibi, audience, question } from './words'

const texts: Record<string, string> = en
const NAMES = ['Ada', 'Benno', 'Chloe', 'Dag']

function seated(assistants: readonly Assistant[], options: Partial<State['options']> = {}): TableState {
  const gt = (key: string, params: Record<string, string | number> = {}) =>
    (texts[key] ?? '?').replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  const table = { me: 0, now: { view: { assistants, options } }, gt, term: (word: string) => gt(`term.${word}`) }
  return { ...table, name: (seat: number) => NAMES[seat] ?? '?' } as unknown as TableState
}
const PRIEST: Assistant[] = ['Priest', 'Captain', 'Journalist', 'Cook']

it('a question reads as a sentence, with gaps for what is not chosen yet', () => {
  const table = seated(PRIEST)
  expect(question(table, 1, ['3', '9'])).toBe("“Benno, how many of your alibis are for 3 or 9 o'clock?”")
  expect(question(table, 2, ['Bar', 'SunDeck', 'Library'])).toBe(
    '“Chloe, how many of your alibis are for the Bar, the Sun deck or the Library?”',
  )
  expect(question(table, null, [])).toBe('“…, how many of your alibis are for …?”')
  expect(about(table, ['12'])).toBe("12 o'clock")
  expect(alibi(table, 'SunDeck-9')).toBe('Sun deck at 9')
})

it('who will learn what is said before the question is asked', () => {
  const learns = (assistants: Assistant[], answerer: number, options = {}) => {
    const { number, card } = audience(seated(assistants, options), answerer)
    return `${number} ${card}`
  }
  expect(learns(PRIEST, 1)).toMatch(/only you hear.*Benno shows you a card that nobody else sees/)
  expect(learns(PRIEST, 2)).toMatch(/only you hear.*Chloe shows you a card; Benno \(Captain\) sees it too/)
  expect(learns(['Cook', 'Captain', 'Priest', 'Journalist'], 2)).toMatch(/Everybody hears.*your Cook draws/)
  expect(learns(['Cook', 'Captain', 'Psychiatrist', 'Journalist'], 2)).toMatch(/Everybody hears.*shows no card/)
  expect(learns(['Captain', 'Cook', 'Priest', 'Journalist'], 2)).toMatch(/nobody else sees/)
  expect(audience(seated(PRIEST, { rival: true }), 1).rival).toMatch(/lies by one if the Priest is the rival/)
})
