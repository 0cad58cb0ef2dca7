import { fill, i18n, LANGUAGES, type Language, type Params } from './i18n.svelte'
import { read } from './read'

type Texts = Readonly<Record<string, string>>

/** Words that only one part of the site needs: read when it is wanted, in the language of the page, and not before. */
export class Wordbook {
  #texts = $state.raw<Texts>({})
  #language = $state.raw<Language | null>(null)
  readonly #files: (language: Language) => readonly (string | undefined)[]

  /** `files` says where they stand; what comes later in the list is said instead of what comes before. */
  constructor(files: (language: Language) => readonly (string | undefined)[]) {
    this.#files = files
  }

  /** Whether there is anything to say yet; an older language serves until the new one is there. */
  get ready(): boolean {
    return this.#language !== null
  }

  async load(language: Language): Promise<void> {
    if (language === this.#language) return
    const texts = await Promise.all(this.#files(language).map((file) => read(file)))
    if (language !== i18n.language && LANGUAGES.some(({ id }) => id === i18n.language)) return // another is wanted since
    this.#texts = Object.assign({}, ...texts) as Texts
    this.#language = language
  }

  text(key: string): string | undefined {
    return this.#texts[key]
  }

  /** Words by key; with `count` in the params, `key.one` or `key.other` is taken. */
  say(key: string, params: Params = {}, otherwise = key): string {
    const count = params.count
    const form = count === 1 || (count === 0 && i18n.language === 'fr') ? 'one' : 'other'
    const text = this.text(key) ?? this.text(`${key}.${form}`) ?? this.text(otherwise) ?? key
    return fill(text, key, (name) => params[name])
  }
}
