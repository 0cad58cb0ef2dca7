import { beforeAll, expect, it, test } from 'vitest'
import { i18n } from '../lib/i18n.svelte'
import { initial } from './initial'
import { sitting } from './plain.testing'
import { allSaid, capital, columnOf, fieldOf, isSeat, readable, rowOf, said, text } from './words'

beforeAll(async () => {
  await i18n.use('en')
  await i18n.loadGame('clue')
})

test.each([
  ['LeadPipe', 'Lead Pipe'],
  ['top_card', 'Top card'],
  ['guess2Floor', 'Guess2 Floor'],
  ['Cook', 'Cook'],
  ['éPée', 'É Pée'],
])('%s without a text is written %s', (name, words) => expect(readable(name)).toBe(words))

it('takes the words of the game where it has them', () => {
  const table = sitting({ game: 'clue' })
  expect(said(table, 'weapon', 'LeadPipe')).toBe('Lead Pipe')
  expect(said(table, 'who', 'Peacock')).toBe('Mrs. Peacock')
  expect(fieldOf(table, 'some_thing')).toBe('Some thing')
  expect(rowOf(table, 'Scarlet')).toBe('Miss Scarlet')
  expect(allSaid(table, 'cards', ['Rope', 'Hall'])).toBe('Rope and Hall')
})

it('leaves a text alone that asks for more than is known', () => {
  const table = sitting({ game: 'clue' })
  expect(text(table, 'turn_began', { seat: 'Ada' })).toBe("It is Ada's turn.")
  expect(text(table, 'turn_began')).toBeUndefined()
  expect(text(table, 'nothing.of.the.kind')).toBeUndefined()
})

it('knows a seat by the name of its field, if it is one', () => {
  const table = sitting({ game: 'clue' })
  for (const field of ['seat', 'to', 'answerer', 'first_seat', 'winners']) expect(isSeat(table, field, 1)).toBe(true)
  for (const [field, value] of [
    ['number', 1],
    ['to', 3],
    ['to', 'Hall'],
    ['to', -1],
    ['total', 1],
    ['seat', null],
  ] as const)
    expect(isSeat(table, field, value)).toBe(false)
  expect(said(table, 'to', 1)).toBe('Benno')
  expect(said(table, 'number', 1)).toBe('1')
})

it('calls a column by its player or by what is looked for', () => {
  expect(['0', '2', '3', 'glass', 'old_box'].map((column) => columnOf(sitting(), column))).toEqual([
    'Ada',
    'Chloé',
    '3',
    'Glass',
    'Old box',
  ])
})

test('a word that stands alone begins large', () => expect(capital('the Cook')).toBe('The Cook'))

test.each([
  ['The Countess', 'C'],
  ['Miss Scarlet', 'S'],
  ['Colonel Mustard', 'M'],
  ['27', '27'],
  ['Cook', 'C'],
])('the card %s bears %s', (name, letter) => expect(initial(name)).toBe(letter))
