import { beforeAll, describe, expect, test } from 'vitest'
import { gt, i18n, say, t, term } from './i18n.svelte'

const SHELL = import.meta.glob<Record<string, string>>('../texts/**/*.json', { eager: true, import: 'default' })
const GAMES = import.meta.glob<Record<string, string>>('../../../src/whodunit/games/*/texts/*.json', {
  eager: true,
  import: 'default',
})

type Words = Record<string, string>

/** English and another language of the same words, by where those stand; German everywhere, French where there is any. */
function pairs(files: Record<string, Words>): [string, Words, Words][] {
  return Object.entries(files)
    .filter(([path]) => path.endsWith('en.json'))
    .flatMap(([path, english]) =>
      ['de', 'fr'].flatMap<[string, Words, Words]>((language) => {
        const there = path.replace(/en\.json$/, `${language}.json`)
        return language === 'de' || there in files ? [[there, english, files[there] ?? {}]] : []
      }),
    )
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

beforeAll(async () => {
  await i18n.use('en')
  await i18n.loadGame('clue')
})

describe('words', () => {
  test('are filled in', () => {
    expect(t('join.invites', { name: 'Benno' })).toBe('Benno invites you to')
  })

  test('one and many', () => {
    expect(t('front.free', { count: 1 })).toBe('1 free')
    expect(t('front.free', { count: 2 })).toBe('2 free')
    expect(t('front.free', { count: 0 })).toBe('0 free')
  })

  test('what is missing is not passed over', () => {
    expect(() => t('nonsense')).toThrow('nonsense')
    expect(() => t('join.invites')).toThrow('{name}')
    expect(() => gt('clue', 'nonsense')).toThrow('nonsense')
  })

  test('a second key helps where the first is unknown', () => {
    expect(t('refused.nonsense', {}, 'refused.other')).toBe(t('refused.other'))
  })

  test('change with the language', async () => {
    await i18n.use('de')
    expect(t('close')).toBe('Schließen')
    expect(document.documentElement.lang).toBe('de')
    await i18n.use('en')
    expect(t('close')).toBe('Close')
  })

  test('what is seldom opened brings its words along, and changes with the rest', async () => {
    expect(() => t('notices')).toThrow('notices')
    await i18n.loadLater()
    expect(t('notices')).toBe('Turn notices')
    await i18n.use('de')
    expect(t('notices')).toBe('Bescheid geben')
    await i18n.use('en')
  })

  test('a page speaks one language: where a game lacks the one chosen, all of it is English', async () => {
    await i18n.use('fr')
    expect(document.documentElement.lang).toBe('en') // Clue is shown, and has no French yet
    await i18n.leaveGame()
    expect(t('close')).toBe('Fermer')
    await i18n.loadGame('arosa')
    expect([t('close'), gt('arosa', 'ui.sheet')]).toEqual(['Fermer', "Feuille d'enquête"])
    await i18n.use('en')
    await i18n.loadGame('clue')
  })
})

describe('messages', () => {
  test('name players, things, lists of things and numbers', () => {
    const shown = { type: 'term' as const, word: 'Rope' }
    const message = {
      key: 'card_shown.seen',
      params: { seat: { type: 'who' as const, seat: 1 }, to: { type: 'who' as const, seat: 0 }, card: shown },
    }
    expect(say(message, 'clue', ['Ada', 'Benno'])).toContain('Benno')
    expect(say(message, 'clue', ['Ada', 'Benno'])).toContain(term('clue', 'Rope'))

    const dealt = {
      key: 'hand_dealt.seen',
      params: {
        seat: { type: 'who' as const, seat: 0 },
        size: 2,
        cards: [shown, { type: 'term' as const, word: 'Hall' }],
      },
    }
    expect(say(dealt, 'clue', ['Ada'])).toContain(`${term('clue', 'Rope')}, ${term('clue', 'Hall')}`)
    expect(say(dealt, 'clue', ['Ada'])).toContain('2')
  })
})

describe.each([...pairs(SHELL), ...pairs(GAMES)])('%s', (path, english, other) => {
  test('has the same keys as in English', () => {
    expect(Object.keys(other).sort()).toEqual(Object.keys(english).sort())
  })

  test('has the same places to fill in', () => {
    for (const [key, text] of Object.entries(english)) {
      // The French say one of nothing, so their singular needs the figure.
      const more = path.endsWith('fr.json') && key.endsWith('.one') ? ['count'] : []
      expect(new Set([key, ...more, ...placeholders(other[key] ?? '')])).toEqual(
        new Set([key, ...more, ...placeholders(text)]),
      )
    }
  })

  test('has no empty text', () => {
    expect(Object.entries({ ...english, ...other }).filter(([, text]) => !text.trim())).toEqual([])
  })

  test('shell and table keys do not collide', () => {
    const language = /\w\w\.json$/.exec(path)?.[0] ?? ''
    const others = Object.entries(SHELL).filter(
      ([there]) => there !== path && there.endsWith(language) && path in SHELL,
    )
    for (const [, texts] of others) expect(Object.keys(texts).filter((key) => key in other)).toEqual([])
  })
})
