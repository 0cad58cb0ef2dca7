import { describe, expect, test } from 'vitest'
import { compose, wrapped, type Measure, type Told } from './picture'

/** Every letter is half as wide as it is high. */
const measure: Measure = (text, _, size) => (text.length * size) / 2
const player = (name: string, won = false, points = '') => ({ identity: 0, name, won, points })
const told = (more: Partial<Told> = {}): Told => ({
  game: 'Clue',
  colour: '#1f4a3a',
  headline: 'Ada wins',
  about: 'in 14 turns',
  players: [player('Ada', true), player('Benno'), player('Chloe')],
  solution: null,
  ...more,
})
const words = (more?: Partial<Told>) => compose(told(more), measure).lines.map(({ text }) => text)

test('a text is put into lines that fit, and a long word has one to itself', () => {
  expect(wrapped('to be or not', 8, (text) => text.length)).toEqual(['to be or', 'not'])
  expect(wrapped('a extraordinary b', 8, (text) => text.length)).toEqual(['a', 'extraordinary', 'b'])
})

test('the solution stands there only where it is wanted', () => {
  expect(words().join(' ')).not.toContain('Rope')
  expect(words({ solution: 'It was White with the Rope in the Study.' }).join(' ')).toContain('Rope')
  const [without, whole] = [null, 'It was White.'].map((solution) => compose(told({ solution }), measure).height)
  expect(whole).toBeGreaterThan(without as number)
})

describe.each([
  ['usual', {}],
  [
    'six players with long names',
    { players: Array.from({ length: 6 }, () => player('W'.repeat(24), true, '128 points')) },
  ],
  ['many winners', { headline: 'Bartholomew, Wilhelmina, Maximiliane and Constantine win together' }],
  ['one endless word', { headline: 'W'.repeat(60), solution: 'M'.repeat(80) }],
] satisfies [string, Partial<Told>][])('%s', (_, more) => {
  const { card, lines, badges, height } = compose(told(more), measure)

  test('everything stands on the card', () => {
    for (const { text, font, size, x, y } of lines) {
      expect(x).toBeGreaterThan(card.x)
      expect(x + measure(text, font, size)).toBeLessThanOrEqual(card.x + card.width)
      expect(y - size).toBeGreaterThan(card.y)
      expect(y).toBeLessThan(card.y + card.height)
    }
    for (const { crown, won } of badges) if (won) expect(crown + 38).toBeLessThanOrEqual(card.x + card.width)
    expect(card.y + card.height).toBeLessThan(height)
  })

  test('no line lies over another', () => {
    for (const one of lines)
      for (const other of lines.filter((each) => each !== one && each.x === one.x && each.y >= one.y))
        expect(other.y - one.y).toBeGreaterThanOrEqual(0.8 * other.size)
  })
})
