import { i18n, tenths, type Params } from '../lib/i18n.svelte'
import { listed } from '../lib/names'
import { Wordbook } from '../lib/wordbook.svelte'

// The steps of a proof are said as the command line says them.
const STEPS = import.meta.glob<string>('../../../src/whodunit/cases/texts/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
})
const TEXTS = import.meta.glob<string>('./texts/*.json', { query: '?url', import: 'default', eager: true })

/** The words of the cases, in the language of the page. */
export const words = new Wordbook((language) => [
  STEPS[`../../../src/whodunit/cases/texts/${language}.json`],
  TEXTS[`./texts/${language}.json`],
])

/** Words of the cases by key. */
export const c = (key: string, params: Params = {}, otherwise = key) => words.say(key, params, otherwise)

/** "Wednesday 18 November 2026"; a day is one of the whole earth, whatever the clock here says. */
export const daySaid = (day: string, short = false) =>
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- it is said and gone
  new Date(`${day}T00:00:00Z`).toLocaleDateString(i18n.language, {
    timeZone: 'UTC',
    weekday: short ? undefined : 'long',
    day: 'numeric',
    month: 'long',
    year: short ? undefined : 'numeric',
  })

/** "12 people in this house have solved it." */
export const solvedHere = (count: number) => (count ? c('solved_here', { count }) : c('solved_here.none'))

/** "line 4", "lines 4, 7 and 9"; 0 stands for what is known from the start. */
export function linesSaid(lines: readonly number[]): string {
  const turned = lines.filter((line) => line > 0)
  const said = turned.length
    ? c('lines', { numbers: listed(turned.map(String), i18n.language), count: turned.length })
    : ''
  if (turned.length === lines.length) return said
  return said ? c('lines.and_given', { lines: said }) : c('lines.given')
}

/** A chance in millionths: "12 %", and never 0 or 100. */
export function chanceSaid(millionths: number): string {
  const percent = millionths / 10_000
  const figure = percent > 0 && percent < 1 ? tenths(Math.max(0.1, percent)) : String(Math.min(99, Math.round(percent)))
  return c('percent', { figure })
}
