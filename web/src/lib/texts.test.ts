import { describe, expect, test } from 'vitest'
import { LANGUAGES } from './i18n.svelte'
import { literals } from './literals.testing'

type Words = Readonly<Record<string, string>>
const CATALOGUES: Record<string, Words> = {
  ...import.meta.glob<Words>('../texts/**/*.json', { eager: true, import: 'default' }),
  ...import.meta.glob<Words>(
    [
      '../../../src/whodunit/games/*/texts/*.json',
      '../../../src/whodunit/games/**/described/*.json',
      '../../../src/whodunit/server/texts/*.json',
      '../../../src/whodunit/review/texts/*.json',
      '../../../src/whodunit/cases/texts/*.json',
      '../review/texts/*.json',
      '../deals/texts/*.json',
      '../cases/texts/*.json',
    ],
    {
      eager: true,
      import: 'default',
    },
  ),
  ...import.meta.glob<Words>(
    ['../lesson/texts/*.json', '../../../src/whodunit/games/*/lesson/*.json', '!**/lesson/case.json'],
    { eager: true, import: 'default' },
  ),
}
/** The rules pages, as a catalogue of paragraphs. */
const PAGES = Object.entries(
  import.meta.glob<Record<string, { title: string; text: string[]; picture?: string }>>('../games/*/rules/*.json', {
    eager: true,
    import: 'default',
  }),
).flatMap(([path, page]) =>
  Object.entries(page).flatMap(([id, { title, text, picture = '' }]) =>
    [title, picture, ...text].map((line) => [path, id, line] as const),
  ),
)
const COMPONENTS = import.meta.glob<string>('../**/*.svelte', { eager: true, query: '?raw', import: 'default' })

const ENGLISH = Object.keys(CATALOGUES).filter((path) => path.endsWith('en.json'))
const OTHERS = LANGUAGES.map(({ id }) => id).filter((id) => id !== 'en')
const inLanguage = (path: string, language: string) => path.replace(/en\.json$/, `${language}.json`)
const read = (path: string): Words => CATALOGUES[path] ?? {}
const gaps = (text: string) => new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))

/** What may read the same in two languages, by key: each with a reason. */
const SAME: readonly [RegExp, string][] = [
  [/^(term\.\d+|ui\.by_card|ui\.loudness\.(start|end)|ui\.percent|ui\.mark\.percent)$/, 'figures'],
  [/^(name|ui\.sign)$/, 'what the game is called, wherever it is played'],
  [/^term\.(Albert|Beatrice|Conrad|Dora)$/, 'names of people'],
  [/^title$/, 'nothing but gaps and our name'],
  [/^time\.short\./, 'signs of units'],
]
/** Words that the languages share, and which of them do: people write them so. */
const KINDRED: Readonly<Record<string, string>> = {
  Assistant: 'fr',
  Assistants: 'fr',
  Bar: 'de fr nb',
  Bonus: 'de fr nb',
  'bonus +{points}': 'fr nb',
  'Bonus {figure}': 'de fr nb',
  bits: 'fr',
  certain: 'fr',
  'certain.': 'fr',
  Duel: 'fr',
  Name: 'de',
  Points: 'fr',
  Chat: 'de',
  Hall: 'fr nb',
  'in {time}': 'de',
  Journalist: 'de nb',
  Menu: 'fr',
  Moment: 'de fr',
  Moments: 'fr',
  normal: 'de fr',
  Notes: 'fr',
  orange: 'fr',
  par: 'fr nb',
  'par {par}': 'fr nb',
  Pause: 'de fr nb',
  police: 'fr',
  Question: 'fr',
  Questions: 'fr',
  '{count} minutes': 'fr',
  '{figure} bits': 'fr',
  '{figure} points': 'fr',
  Restaurant: 'de fr nb',
  Revolver: 'de fr nb',
  'Rival: Journalist': 'nb',
  Send: 'nb',
  Start: 'nb',
  Suspect: 'fr',
  Suspects: 'fr',
  Table: 'fr',
  Total: 'fr',
  Volume: 'fr',
  '{count} minutes.': 'fr',
  '{count} points': 'fr',
  '{count} pts': 'fr',
}

describe.each(ENGLISH.flatMap((path) => OTHERS.map((language) => [inLanguage(path, language), path, language])))(
  '%s',
  (path, englishPath, language) => {
    const [english, other] = [read(englishPath), read(path)]

    test('has the same keys as in English', () => {
      expect(Object.keys(english).filter((key) => !(key in other))).toEqual([])
      // Which other forms its sentences need is a language's own business.
      expect(Object.keys(other).filter((key) => !(key in english) && !key.startsWith('form.'))).toEqual([])
    })

    test('has the same gaps to fill', () => {
      for (const [key, text] of Object.entries(english)) {
        // The French say one of nothing, so their singular needs the figure.
        const more = language === 'fr' && key.endsWith('.one') ? ['count'] : []
        expect([key, new Set([...gaps(other[key] ?? ''), ...more])]).toEqual([key, new Set([...gaps(text), ...more])])
      }
    })

    test('has no empty text', () => {
      expect(Object.entries({ ...english, ...other }).filter(([, text]) => !text.trim())).toEqual([])
    })

    test('is translated', () => {
      const alike = Object.entries(other)
        .filter(([key, text]) => text === english[key] && /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, '')))
        .filter(([key, text]) => !SAME.some(([same]) => same.test(key)) && !KINDRED[text]?.includes(language))
      expect(alike).toEqual([])
    })
  },
)

describe.each(LANGUAGES.map(({ id }) => id))('in %s', (language) => {
  const files = ENGLISH.map((path) => inLanguage(path, language))
  const all = files.flatMap((path) => Object.entries(read(path)).map(([key, text]) => [path, key, text] as const))

  test('every form that a sentence asks for is there, for every word that has any', () => {
    for (const path of files) {
      const words = read(path)
      const asked = Object.values(words).flatMap((text) => [...text.matchAll(/\{\w+:(\w+)\}/g)].map(([, form]) => form))
      for (const form of new Set(asked)) {
        expect([path, form, Object.keys(words).some((key) => key.startsWith(`form.${form}.`))]).toEqual([
          path,
          form,
          true,
        ])
      }
    }
  })

  test('shell and table keys do not collide', () => {
    const shell = all.filter(([path]) => path.startsWith('../texts/')).map(([, key]) => key)
    expect(shell.length).toBe(new Set(shell).size)
  })

  test('every game says what stands on its door', () => {
    const games = files.filter((path) => /games\/\w+\/texts/.test(path))
    expect(games.length).toBeGreaterThan(0)
    for (const path of games)
      for (const key of ['name', 'door.facts', 'door.text'])
        expect([path, key, key in read(path)]).toEqual([path, key, true])
  })

  test('the marks of its typesetters are used', () => {
    const WRONG: Record<string, RegExp> = {
      en: /[«»„]|\s[;:!?]/,
      de: /[«»”]|\s[;:!?]/,
      // A narrow space that does not break before ; ! ?, a full one before : and inside guillemets, curved apostrophes.
      fr: /[^\u202f][;!?](?!\w)|[^\u00a0]:(?=\s|$)|«[^\u00a0]|[^\u00a0]»|["“”„']|[^\u202f]%/,
      nb: /["“”„']|\s[;:!?]|[^\u00a0 ]%/,
    }
    const written = [...all, ...PAGES.filter(([path]) => path.endsWith(`${language}.json`))]
    const wrong = written.filter(([, , text]) => WRONG[language]?.test(text.replaceAll(/\{(\w+):(\w+)\}/g, '{$1}')))
    expect(wrong).toEqual([])
  })
})

test('every word that may stay English does so somewhere', () => {
  const needless = Object.entries(KINDRED).flatMap(([word, languages]) =>
    languages
      .split(' ')
      .filter((language) =>
        ENGLISH.every((path) =>
          Object.entries(read(path)).every(
            ([key, text]) => text !== word || read(inLanguage(path, language))[key] !== word,
          ),
        ),
      )
      .map((language) => `${word} in ${language}`),
  )
  expect(needless).toEqual([])
})

test('no component says anything by itself', () => {
  const said = Object.entries(COMPONENTS).flatMap(([path, source]) =>
    literals(source)
      .filter((text) => !['Whodunit', '- Whodunit', 'K7P2 M4XQ', 'https://'].includes(text)) // our name; what must be typed
      .map((text) => `${path}: ${text}`),
  )
  expect(said).toEqual([])
}, 60_000)

test('what a component says by itself would be found', () => {
  expect(literals('<p>{t("close")}: <b>Hello there</b></p><img alt="A picture" src="some.png" />')).toEqual([
    'Hello there',
    'A picture',
  ])
})
