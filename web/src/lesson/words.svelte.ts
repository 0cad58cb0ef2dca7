import { fill, read, type Params } from '../lib/i18n.svelte'

type Texts = Readonly<Record<string, string>>

// Read when a guide or a hint is wanted, and not before: most visits need none of this.
const SHARED = import.meta.glob<string>('./texts/*.json', { query: '?url', import: 'default', eager: true })
const GAMES = import.meta.glob<string>(
  ['../../../src/whodunit/games/*/lesson/*.json', '!../../../src/whodunit/games/*/lesson/case.json'],
  { query: '?url', import: 'default', eager: true },
)

/** The words of the guide, and of one game's first case. */
export class Words {
  #texts = $state.raw<Texts>({})
  #wanted = ''

  /** Whether there is anything to say yet. */
  get ready(): boolean {
    return 'guide' in this.#texts
  }

  async load(game: string, language: string): Promise<void> {
    this.#wanted = language
    const parts = await Promise.all([
      read(SHARED[`./texts/${language}.json`]),
      read(GAMES[`../../../src/whodunit/games/${game}/lesson/${language}.json`]),
    ])
    if (language === this.#wanted) this.#texts = Object.assign({}, ...parts) as Texts
  }

  say(key: string, params: Params = {}): string {
    return fill(this.#texts[key] ?? key, key, (name) => params[name])
  }
}
