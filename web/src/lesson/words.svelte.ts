import { doors } from '../lib/games.svelte'
import { fill, type Params } from '../lib/i18n.svelte'
import { read } from '../lib/read'

type Texts = Readonly<Record<string, string>>

// Read when a guide or a hint is wanted, and not before: most visits need none of this.
const SHARED = import.meta.glob<string>('./texts/*.json', { query: '?url', import: 'default', eager: true })
const GAMES = import.meta.glob<string>(
  ['../../../src/whodunit/games/*/lesson/*.json', '!../../../src/whodunit/games/*/lesson/case.json'],
  { query: '?url', import: 'default', eager: true },
)

/** Where the words of a game's first case are; nowhere if it has none. */
function firstCase(game: string, language: string): string | undefined {
  const built = GAMES[`../../../src/whodunit/games/${game}/lesson/${language}.json`]
  return built ?? (doors.of(game)?.lesson ? `/api/games/${game}/lesson/${language}` : undefined)
}

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
    const parts = await Promise.all([read(SHARED[`./texts/${language}.json`]), read(firstCase(game, language))])
    if (language === this.#wanted) this.#texts = Object.assign({}, ...parts) as Texts
  }

  /** What this first case has different from a usual game, as keys. */
  get differs(): readonly string[] {
    return Object.keys(this.#texts).filter((key) => key.startsWith('differs.'))
  }

  say(key: string, params: Params = {}): string {
    return fill(this.#texts[key] ?? key, key, (name) => params[name])
  }
}
