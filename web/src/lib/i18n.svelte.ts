import { doors, loadDoors } from './games.svelte'
import type { Message } from './protocol'
import { read } from './read'
import { keep, recall } from './store'

export type Language = 'en' | 'de' | 'fr' | 'nb'
export const LANGUAGES: readonly { id: Language; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
  { id: 'fr', name: 'Français' },
  { id: 'nb', name: 'Norsk' },
]

type Texts = Readonly<Record<string, string>>
export type Params = Readonly<Record<string, string | number>>

// A language is one file, a game's words in it another: nobody loads what he does not read. They are read as data,
// which is quicker than to run them as scripts.
const SHELL = import.meta.glob<string>('../texts/*.json', { query: '?url', import: 'default', eager: true })
const LATER = import.meta.glob<string>('../texts/later/*.json', { query: '?url', import: 'default', eager: true })
const GAMES = import.meta.glob<string>('../../../src/whodunit/games/*/texts/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
})

async function shellTexts(language: Language, later: boolean): Promise<Texts> {
  const files = later ? { ...SHELL, ...LATER } : SHELL
  const parts = Object.keys(files).filter((path) => path.endsWith(`.${language}.json`))
  return Object.assign({}, ...(await Promise.all(parts.map((path) => read(files[path]))))) as Texts
}

/** The words of a game that this page was built with; of any other the server has them. */
function gameTexts(game: string, language: Language): Promise<Texts> {
  const built = GAMES[`../../../src/whodunit/games/${game}/texts/${language}.json`]
  return read(built ?? `/api/games/${game}/texts/${language}`)
}

function preferred(): Language {
  const kept = recall<string>('language', '')
  const wishes = kept ? [kept] : (navigator.languages ?? [navigator.language])
  for (const wish of wishes) {
    const language = /^[a-z]*/.exec(wish.toLowerCase())?.[0]
    // Whoever asks for Norwegian, or for its other written form, reads Bokmål.
    const found = LANGUAGES.find(({ id }) => id === (language === 'no' || language === 'nn' ? 'nb' : language))
    if (found) return found.id
  }
  return 'en'
}

class I18n {
  #language = $state.raw<Language>('en')
  #shell = $state.raw<Texts>({})
  #games = $state.raw<Readonly<Record<string, Texts>>>({})
  /** Whether the words of what is seldom opened are there too. */
  #later = false
  /** One load after another: a slow one must not overtake a quick one, nor miss what came meanwhile. */
  #last: Promise<void> = Promise.resolve()

  get language(): Language {
    return this.#language
  }

  /** Load the language that this browser prefers: before the first paint, and whenever it prefers another. */
  start(): Promise<void> {
    return this.#speak(preferred())
  }

  /** Change the language of the page, and remember it. */
  async use(language: Language): Promise<void> {
    keep('language', language)
    await this.#speak(language)
  }

  /** Load a game's words; what shows a game waits for this. */
  loadGame(game: string): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#games[game]) this.#games = { ...this.#games, [game]: await gameTexts(game, this.#language) }
    })
  }

  hasGame(game: string): boolean {
    return game in this.#games
  }

  /** Load the words of what is seldom opened; what shows them waits for this. */
  loadLater(): Promise<void> {
    return this.#inTurn(() => this.#change(this.#language, true))
  }

  #speak(language: Language): Promise<void> {
    return this.#inTurn(() => this.#change(language))
  }

  #inTurn(load: () => Promise<void>): Promise<void> {
    const loaded = this.#last.then(load)
    this.#last = loaded.catch(() => undefined) // whoever asked is told; the next one tries for himself
    return loaded
  }

  async #change(language: Language, later = this.#later): Promise<void> {
    if (language === this.#language && 'close' in this.#shell && later === this.#later) return
    const games = Object.keys(this.#games)
    const spoken = language === this.#language && doors.all.length > 0
    const [shell, listed, ...texts] = await Promise.all([
      shellTexts(language, later),
      spoken ? doors.all : loadDoors(language),
      ...games.map((game) => gameTexts(game, language)),
    ])
    this.#shell = shell
    doors.all = listed
    this.#later = later
    this.#games = Object.fromEntries(games.map((game, place) => [game, texts[place] ?? {}]))
    this.#language = language
    document.documentElement.lang = language
  }

  shell(key: string): string | undefined {
    return this.#shell[key]
  }

  game(game: string, key: string): string | undefined {
    return this.#games[game]?.[key]
  }
}

export const i18n = new I18n()

/** Words of the shell and the table page. With `count` in the params, `key.one` or `key.other` is taken. */
export function t(key: string, params: Params = {}, otherwise?: string): string {
  const text = plural((k) => i18n.shell(k), key, params) ?? (otherwise && i18n.shell(otherwise))
  return text === undefined || text === '' ? missing(key) : fill(text, key, (name) => params[name])
}

/** Words of a game, by key. */
export function gt(game: string, key: string, params: Params = {}, otherwise?: string): string {
  const text = plural((k) => i18n.game(game, k), key, params) ?? otherwise
  return text === undefined ? missing(`${game}: ${key}`) : fill(text, key, (name) => params[name])
}

/** Whether a game has words for this. */
export const has = (game: string, key: string) => i18n.game(game, key) !== undefined

/** The name of a thing of a game: a card, a room, a token; or another form of it, as a sentence needs it. */
export const term = (game: string, word: string, form?: string) =>
  gt(game, form ? `form.${form}.${word}` : `term.${word}`)

/** What stands between thousands, and before tenths. `Intl.NumberFormat` knows, but the first one costs a page 7 ms. */
const POINTS: Readonly<Record<Language, readonly [thousands: string, tenths: string]>> = {
  en: [',', '.'],
  de: ['.', ','],
  fr: ['\u202f', ','],
  nb: ['\u00a0', ','],
}

/** The figures of a whole number, as the language writes it; as text, for browsers count past 2^53 only with BigInt. */
export const grouped = (figures: string) => figures.replace(/\B(?=(\d{3})+$)/g, POINTS[i18n.language][0])

/** A number with one decimal, as the language writes it. */
export function tenths(value: number): string {
  const [whole = '', tenth = ''] = (Math.round(value * 10) / 10).toFixed(1).split('.')
  return grouped(whole) + POINTS[i18n.language][1] + tenth
}

/** Put a message into words; `names` are the players', by seat. The same rules as whodunit/core/text.py. */
export function say(message: Message, game: string, names: readonly string[]): string {
  const text = i18n.game(game, message.key)
  if (text === undefined) return missing(`${game}: ${message.key}`)
  return fill(text, message.key, (name, form) => {
    const param = message.params[name]
    return param === undefined ? undefined : said(param, game, names, form)
  })
}

function said(param: Message['params'][string], game: string, names: readonly string[], form?: string): string {
  if (typeof param !== 'object') return String(param)
  if (Array.isArray(param)) return listed(param.map(({ word }) => term(game, word, form)))
  return param.type === 'who' ? (names[param.seat] ?? missing(`seat ${param.seat}`)) : term(game, param.word, form)
}

/** A comma between things, or a semicolon where one of them has a comma itself; as whodunit/core/text.py does it. */
const listed = (things: readonly string[]) => things.join(things.some((thing) => thing.includes(', ')) ? '; ' : ', ')

function plural(find: (key: string) => string | undefined, key: string, params: Params): string | undefined {
  if (typeof params.count !== 'number') return find(key)
  const form = new Intl.PluralRules(i18n.language).select(params.count) === 'one' ? 'one' : 'other'
  return find(`${key}.${form}`) ?? find(key)
}

/** Fill the gaps: `{card}`, or `{card:the}` where the sentence needs a form of its own. */
export function fill(
  text: string,
  key: string,
  find: (name: string, form?: string) => string | number | undefined,
): string {
  if (!text.includes('{')) return text // most have none, and there are hundreds on a page
  return text.replace(
    /(\b(?:d|qu)e )?\{(\w+)(?::(\w+))?\}/gi,
    (_, before: string = '', name: string, form?: string) => {
      const found = find(name, form)
      return found === undefined ? missing(`${key} {${name}}`) : elided(before, String(found))
    },
  )
}

/** In French "de" and "que" lose their e before a vowel: d'Ada, but de Benno. */
function elided(before: string, word: string): string {
  return before && i18n.language === 'fr' && /^[aeiouàâéèêëîïôûœ]/i.test(word)
    ? `${before.slice(0, -2)}’${word}`
    : before + word
}

function missing(what: string): string {
  if (!import.meta.env.PROD) throw new Error(`no text for ${what} in ${i18n.language}`)
  return what
}
