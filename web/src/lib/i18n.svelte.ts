import type { Message } from './protocol'
import { keep, recall } from './store'

export type Language = 'en' | 'de' | 'fr'
export const LANGUAGES: readonly { id: Language; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
  { id: 'fr', name: 'Français' },
]

type Texts = Readonly<Record<string, string>>
type Loader = () => Promise<{ default: Texts }>
export type Params = Readonly<Record<string, string | number>>

// A language is one chunk, a game's words in it another: nobody loads what he does not read.
const SHELL = import.meta.glob<{ default: Texts }>('../texts/*.json')
const LATER = import.meta.glob<{ default: Texts }>('../texts/later/*.json')
const GAMES = import.meta.glob<{ default: Texts }>('../../../src/whodunit/games/*/texts/*.json')

async function read(loader: Loader | undefined): Promise<Texts> {
  return loader ? (await loader()).default : {}
}

async function shellTexts(language: Language, later: boolean): Promise<Texts> {
  const files = later ? { ...SHELL, ...LATER } : SHELL
  const parts = Object.keys(files).filter((path) => path.endsWith(`.${language}.json`))
  return Object.assign({}, ...(await Promise.all(parts.map((path) => read(files[path]))))) as Texts
}

function gameTexts(game: string, language: Language): Promise<Texts> {
  return read(GAMES[`../../../src/whodunit/games/${game}/texts/${language}.json`])
}

/** Whether a game's words are there in a language; not every game speaks all that the shell does. */
const speaks = (game: string, language: Language) =>
  `../../../src/whodunit/games/${game}/texts/${language}.json` in GAMES
/** What a page speaks that shows a game without words in the language chosen: one language, not two mixed. */
const COMMON: Language = 'en'

function preferred(): Language {
  const kept = recall<string>('language', '')
  const wishes = kept ? [kept] : (navigator.languages ?? [navigator.language])
  for (const wish of wishes) {
    const found = LANGUAGES.find(({ id }) => wish.toLowerCase().startsWith(id))
    if (found) return found.id
  }
  return 'en'
}

class I18n {
  #language = $state.raw<Language>('en')
  #shell = $state.raw<Texts>({})
  #games = $state.raw<Readonly<Record<string, Texts>>>({})
  /** The game that the page shows, if it shows one. */
  #shown: string | null = null
  /** Whether the words of what is seldom opened are wanted too. */
  #later = false
  /** One change after another: a slow one must not overtake a quick one. */
  #changing: Promise<void> = Promise.resolve()

  get language(): Language {
    return this.#language
  }

  /** Load the language that this browser prefers; called once, before the first paint. */
  start(): Promise<void> {
    return this.#speak(preferred())
  }

  /** Change the language of the page, and remember it. */
  async use(language: Language): Promise<void> {
    keep('language', language)
    await this.#speak(language)
  }

  /** Load a game's words; what shows a game waits for this. */
  async loadGame(game: string): Promise<void> {
    this.#shown = game
    await this.#speak(preferred())
    if (this.#games[game]) return
    const language = this.#language
    const texts = await gameTexts(game, language)
    if (language === this.#language) this.#games = { ...this.#games, [game]: texts }
    else await this.loadGame(game)
  }

  /** The page shows no game any more, and speaks what was chosen. */
  leaveGame(): Promise<void> {
    this.#shown = null
    return this.#speak(preferred())
  }

  hasGame(game: string): boolean {
    return game in this.#games
  }

  /** Load the words of what is seldom opened; what shows them waits for this. */
  loadLater(): Promise<void> {
    const anew = !this.#later
    this.#later = true
    return this.#speak(this.#language, anew)
  }

  #speak(wanted: Language, anew = false): Promise<void> {
    this.#changing = this.#changing.then(() => this.#change(wanted, anew))
    return this.#changing
  }

  async #change(wanted: Language, anew: boolean): Promise<void> {
    const language = this.#shown === null || speaks(this.#shown, wanted) ? wanted : COMMON
    if (language === this.#language && 'close' in this.#shell && !anew) return
    const games = Object.keys(this.#games).filter((game) => speaks(game, language))
    const [shell, ...texts] = await Promise.all([
      shellTexts(language, this.#later),
      ...games.map((game) => gameTexts(game, language)),
    ])
    this.#shell = shell
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
  return text === undefined || text === '' ? missing(key) : fill(text, params, key)
}

/** Words of a game, by key. */
export function gt(game: string, key: string, params: Params = {}, otherwise?: string): string {
  const text = plural((k) => i18n.game(game, k), key, params) ?? otherwise
  return text === undefined ? missing(`${game}: ${key}`) : fill(text, params, key)
}

/** Whether a game has words for this. */
export const has = (game: string, key: string) => i18n.game(game, key) !== undefined

/** The name of a thing of a game: a card, a room, a token. */
export const term = (game: string, word: string) => gt(game, `term.${word}`)

/** Put a message into words; `names` are the players', by seat. The same rules as whodunit/core/text.py. */
export function say(message: Message, game: string, names: readonly string[]): string {
  const text = i18n.game(game, message.key)
  if (text === undefined) return missing(`${game}: ${message.key}`)
  const params = Object.entries(message.params).map(([name, param]) => [name, said(param, game, names)])
  return fill(text, Object.fromEntries(params) as Params, message.key)
}

function said(param: Message['params'][string], game: string, names: readonly string[]): string {
  if (typeof param !== 'object') return String(param)
  if (Array.isArray(param)) return param.map(({ word }) => term(game, word)).join(', ')
  return param.type === 'who' ? (names[param.seat] ?? missing(`seat ${param.seat}`)) : term(game, param.word)
}

function plural(find: (key: string) => string | undefined, key: string, params: Params): string | undefined {
  if (typeof params.count !== 'number') return find(key)
  const form = new Intl.PluralRules(i18n.language).select(params.count) === 'one' ? 'one' : 'other'
  return find(`${key}.${form}`) ?? find(key)
}

function fill(text: string, params: Params, key: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const param = params[name]
    return param === undefined ? missing(`${key} {${name}}`) : String(param)
  })
}

function missing(what: string): string {
  if (!import.meta.env.PROD) throw new Error(`no text for ${what} in ${i18n.language}`)
  return what
}
