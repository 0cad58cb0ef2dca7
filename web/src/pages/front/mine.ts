import type { Params } from '../../lib/i18n.svelte'
import { listed } from '../../lib/names'
import type { Listed } from '../../lib/protocol'

// What waits for me comes first, then what is played, then what has not begun; what is over comes last.
const rank = ({ my_turn, stage }: Listed) => (my_turn ? 0 : ['playing', 'gathering', 'over'].indexOf(stage) + 1)

/** My tables in the order in which I want to find them; of two alike the one that moved last. */
export function inOrder(tables: readonly Listed[]): Listed[] {
  return [...tables].sort((one, other) => rank(one) - rank(other) || other.at - one.at)
}

/** Those that go on. */
export const running = (tables: readonly Listed[]) => inOrder(tables).filter(({ stage }) => stage !== 'over')

/** The names of the others at a table. */
export function others(table: Listed, language: string): string {
  const names = table.chairs.filter(({ kind }, seat) => kind !== 'open' && seat !== table.me).map(({ name }) => name)
  return names.length ? listed(names, language) : ''
}

/** How a game ended, as a key under `front.ended` with what to fill in. */
export function ending({ outcome, chairs, me }: Listed, language: string): { key: string; params: Params } {
  if (!outcome) return { key: '.given_up', params: {} }
  const mine = me !== null && outcome.winners.includes(me)
  const seats = outcome.winners.filter((seat) => seat !== me)
  const names = listed(
    seats.map((seat) => chairs[seat]?.name ?? ''),
    language,
  )
  if (mine) return seats.length ? { key: '.shared', params: { names } } : { key: '.me', params: {} }
  return seats.length ? { key: '', params: { names, count: seats.length } } : { key: '.nobody', params: {} }
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
/** From here on a date says more than a count of days. */
const LONG_AGO_MS = 7 * 86_400_000

/** When something was, as people say it: "2 hours ago", "yesterday", "3 Nov"; null: just now. */
export function when(at: number, now: number, language: string): string | null {
  const past = Math.max(0, now - at) // clocks differ a little
  if (past >= LONG_AGO_MS) return new Date(at).toLocaleDateString(language, { day: 'numeric', month: 'short' })
  const [unit, length] = UNITS.find(([, length]) => past >= length) ?? []
  if (!unit) return null
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(past / length), unit)
}
