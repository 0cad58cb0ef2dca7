import { describe, expect, test } from 'vitest'
import tokens from '../tokens.css?raw'
import { ciede2000, contrast, distance, over, parse, VISION, type Rgb } from './colour.testing'
import { IDENTITIES } from './seats'

const TABLE = new Map(
  [...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(([, name, day, lamp]) => [
    name as string,
    { day: day as string, lamp: lamp as string },
  ]),
)

const THEMES = ['day', 'lamp'] as const
type ThemeName = (typeof THEMES)[number]

function token(name: string, theme: ThemeName): string {
  const found = TABLE.get(name)
  if (!found) throw new Error(`no token ${name}`)
  return found[theme]
}

/** How the notes shade a share of 1, read from the same file: colour and strength by theme. */
const [dayShare, lampShare] = [...tokens.matchAll(/--share: (\d+) (\d+) (\d+);\s+--share-most: ([\d.]+);/g)].map(
  ([, r, g, b, most]): [Rgb, number] => [[Number(r) / 255, Number(g) / 255, Number(b) / 255], Number(most)],
)
const SHARES = { day: dayShare as [Rgb, number], lamp: lampShare as [Rgb, number] }

const GROUNDS = ['paper', 'sheet', 'desk']
const TEXT: [string, string][] = [
  ...['ink', 'ink-2', 'blue', 'wax', 'ok'].flatMap((text) => GROUNDS.map((ground): [string, string] => [text, ground])),
  ['ink', 'lamp-bg'],
  ['ink', 'wall'],
  ['lamp-ink', 'lamp'],
  ['main-ink', 'main'],
  ['wax-ink', 'wax-fill'],
  ['cream', 'bar'],
]
const SHAPES: [string, string][] = [
  ...['edge', 'lamp-edge', 'blue'].flatMap((edge) => GROUNDS.map((ground): [string, string] => [edge, ground])),
  ['blue', 'lamp-bg'],
]

describe.each(THEMES)('by %s', (theme) => {
  test.each(TEXT)('%s can be read on %s', (text, ground) => {
    expect(contrast(token(text, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(SHAPES)('%s can be seen on %s', (edge, ground) => {
    expect(contrast(token(edge, theme), token(ground, theme))).toBeGreaterThanOrEqual(3)
  })

  test('figures can be read on every share of the notes', () => {
    const [top, most] = SHARES[theme]
    for (let share = 0; share <= 1; share += 0.05) {
      const ground = over(top, 0.07 + most * share, token('paper', theme))
      expect(contrast(token('ink', theme), ground)).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('every seat stands out by its outline', () => {
    for (const ground of GROUNDS) expect(contrast(token('ink', theme), token(ground, theme))).toBeGreaterThan(3)
  })
})

describe('seats', () => {
  test('letters can be read on their fills', () => {
    for (const { fill, ink } of IDENTITIES) expect(contrast(ink, fill)).toBeGreaterThanOrEqual(4.5)
  })

  test('no two share a letter or a shape', () => {
    expect(new Set(IDENTITIES.map(({ letter }) => letter)).size).toBe(IDENTITIES.length)
    expect(new Set(IDENTITIES.map(({ shape }) => shape)).size).toBe(IDENTITIES.length)
  })

  test.each([
    ['normal', 26],
    ['red-blind', 19],
    ['green-blind', 16.5],
    ['blue-blind', 23],
    ['no colour', 9.5],
  ])('fills are apart for %s eyes', (vision, least) => {
    const fills = IDENTITIES.map(({ fill }) => fill)
    const all = fills.flatMap((one, place) =>
      fills.slice(place + 1).map((other) => distance(one, other, VISION[vision] as (typeof VISION)[string])),
    )
    expect(Math.min(...all)).toBeGreaterThan(least as number)
  })
})

test('the arithmetic itself is right', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  // From the test data of Sharma, Wu and Dalal.
  expect(ciede2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4)
  expect(ciede2000([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4)
  expect(ciede2000([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4)
  expect(parse('#ff0080')).toEqual([1, 0, 128 / 255])
})
