import { beforeAll, describe, expect, test } from 'vitest'
import { hear, nameOf, others, PHRASES, words, type Heard } from './chat'
import { TableFeed } from './feed.svelte'
import { i18n, LANGUAGES } from './i18n.svelte'
import type { Chat, Line } from './protocol'

const line = (speaker: number, text: string, more: Partial<Line> = {}): Line => ({
  at: 0,
  speaker,
  seat: speaker,
  name: `name ${speaker}`,
  text,
  phrase: null,
  apart: false,
  ...more,
})
const frame = (lines: Line[], more: Partial<Chat> = {}): Chat => ({
  type: 'chat',
  table: 'x',
  whole: false,
  lines,
  me: 0,
  muted: [],
  ...more,
})
const texts = ({ lines }: Heard) => lines.map(({ text }) => text)
const NOTHING: Heard = { lines: [], me: null, muted: [] }

beforeAll(() => i18n.use('en'))

describe('what is said', () => {
  test('follows what was said before, until everything is told anew', () => {
    const two = hear(hear(NOTHING, frame([line(0, 'a')])), frame([line(1, 'b')]))
    expect(texts(two)).toEqual(['a', 'b'])

    expect(texts(hear(two, frame([line(1, 'c')], { whole: true })))).toEqual(['c'])
  })

  test('does not grow without end', () => {
    let heard = NOTHING
    for (let n = 0; n < 300; n++) heard = hear(heard, frame([line(1, String(n))]))
    expect(heard.lines.length).toBe(200)
    expect(heard.lines.at(-1)?.text).toBe('299')
  })

  test('a phrase is read in the own language', async () => {
    const said = line(1, '', { phrase: 'good_luck' })
    expect(words(said)).toBe('Good luck')
    await i18n.use('de')
    expect(words(said)).toBe('Viel Glück')
    await i18n.use('en')
    expect(words(line(1, 'hm'))).toBe('hm')
  })

  test.each(LANGUAGES.map(({ id }) => id))('every phrase has its words in %s', async (language) => {
    await i18n.use(language)
    expect(new Set(PHRASES.map((phrase) => words(line(1, '', { phrase })))).size).toBe(PHRASES.length)
    await i18n.use('en')
  })

  test('whoever has no name is told apart by a number', () => {
    expect([nameOf(line(3, 'a')), nameOf(line(3, 'a', { name: '' }))]).toEqual(['name 3', 'Spectator 4'])
  })

  test('anybody but me can be muted, once', () => {
    const heard = hear(NOTHING, frame([line(0, 'a'), line(1, 'b'), line(2, 'c'), line(1, 'd')], { whole: true }))
    expect(others(heard).map(({ speaker }) => speaker)).toEqual([1, 2])
  })
})

test('a feed counts what nobody has looked at: not what is mine, and not what was said before', () => {
  const feed = new TableFeed('x')
  feed.takeChat(frame([line(1, 'before')], { whole: true }))
  expect([feed.unread, feed.spoken]).toEqual([0, 0])

  feed.takeChat(frame([line(1, 'a')]))
  feed.takeChat(frame([line(0, 'mine')]))
  expect([feed.unread, feed.spoken]).toEqual([1, 2])
})
