import { i18n, type Params } from '../lib/i18n.svelte'
import { Wordbook } from '../lib/wordbook.svelte'

const TEXTS = import.meta.glob<string>('./texts/*.json', { query: '?url', import: 'default', eager: true })

/** The words of challenges and duels, in the language of the page. */
export const words = new Wordbook((language) => [TEXTS[`./texts/${language}.json`]])

/** Words of challenges and duels by key. */
export const d = (key: string, params: Params = {}) => words.say(key, params)

/** "Wednesday 18 November 2026"; a day is one of the whole earth, whatever the clock here says. */
export const daySaid = (day: string) =>
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- it is said and gone
  new Date(`${day}T00:00:00Z`).toLocaleDateString(i18n.language, {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })

/** A share in per cent, with a place behind the point where it has one: never 100 unless it is. */
export const percent = (thousandths: number) =>
  d('percent', { figure: (thousandths / 10).toLocaleString(i18n.language, { maximumFractionDigits: 1 }) })

/** A number of bits, with the sign that says whether it was good luck. */
export const signed = (figure: number) =>
  figure
    .toLocaleString(i18n.language, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    })
    .replace('-', '−')

/** The number of bots, and how strong they are. */
export function rivals(levels: readonly (string | null)[]): { count: number; level: string } {
  const bots = levels.filter((level) => level !== null)
  return { count: bots.length, level: bots[0] ?? '' }
}
