import { afterEach, describe, expect, test, vi } from 'vitest'
import { doors } from './games.svelte'
import { LANGUAGES } from './i18n.svelte'
import { blocks, loadRules, type Rules } from './rules'

vi.setConfig({ testTimeout: 60_000 }) // the first one compiles the pictures of a whole game

const CATALOGUES = import.meta.glob<Record<string, string>>('../../../src/whodunit/games/*/texts/en.json', {
  eager: true,
  import: 'default',
})
const ruled = (game: string) =>
  Object.keys(CATALOGUES[`../../../src/whodunit/games/${game}/texts/en.json`] ?? {})
    .filter((key) => key.startsWith('rule.'))
    .map((key) => key.slice('rule.'.length))
const figures = (text: string) => (text.match(/\d+/g) ?? []).sort()

async function rulesOf(game: string, language: (typeof LANGUAGES)[number]['id']): Promise<Rules> {
  const rules = await loadRules(game, language)
  if (!rules) throw new Error(`${game} has no rules in ${language}`)
  return rules
}

const GAMES = Object.keys(import.meta.glob('../games/*/index.ts')).map((path) => path.split('/')[2] as string)

describe.each(GAMES)('the rules of %s', (game) => {
  test('every action leads to one place', async () => {
    const { sections } = await rulesOf(game, 'en')
    const linked = sections.flatMap(({ actions = [] }) => actions)
    expect(linked.sort()).toEqual(ruled(game).sort())
    expect(new Set([...linked, ...sections.map(({ id }) => id)]).size).toBe(linked.length + sections.length)
  })

  test.each(LANGUAGES.map(({ id }) => id))('say in %s what they say in English', async (language) => {
    const english = await rulesOf(game, 'en')
    const { sections, texts } = await rulesOf(game, language)
    expect(Object.keys(texts)).toEqual(sections.map(({ id }) => id))
    for (const { id, Picture } of sections) {
      const [here, there] = [texts[id], english.texts[id]]
      expect([id, here?.text.map(figures)]).toEqual([id, there?.text.map(figures)])
      expect([id, here?.text.map((line) => line.startsWith('- '))]).toEqual([
        id,
        there?.text.map((line) => line.startsWith('- ')),
      ])
      expect([id, here?.picture !== undefined]).toEqual([id, Picture !== undefined])
      if (language !== 'en') expect(here?.text).not.toEqual(there?.text)
    }
  })
})

describe('a game that this page was not built with', () => {
  afterEach(() => {
    doors.all = []
    vi.unstubAllGlobals()
  })

  test('without rules has none, and nobody asks for them', async () => {
    const asked = vi.fn()
    vi.stubGlobal('fetch', asked)
    expect(await loadRules('nonsense', 'en')).toBeNull()
    expect(asked).not.toHaveBeenCalled()
  })

  test('has those that its package brings, in their order', async () => {
    const texts = {
      turn: { title: 'Your turn', text: ['Ask.'], actions: ['Ask'] },
      aim: { title: 'The aim', text: ['Find out.'] },
    }
    vi.stubGlobal(
      'fetch',
      vi.fn((url: string) =>
        Promise.resolve(url === '/api/games/own/rules/fr' ? Response.json(texts) : Response.error()),
      ),
    )
    doors.all = [
      { id: 'own', name: '', facts: '', text: '', colour: '', seats: [2, 3], lesson: false, rules: true, art: null },
    ]
    const rules = await rulesOf('own', 'fr')
    expect(rules.sections).toEqual([
      { id: 'turn', actions: ['Ask'] },
      { id: 'aim', actions: [] },
    ])
    expect(rules.texts).toEqual(texts)
  })
})

test('what begins with a dash is a list', () => {
  expect(blocks(['a', '- b', '- c', 'd', '- e'])).toEqual(['a', ['b', 'c'], 'd', ['e']])
})
