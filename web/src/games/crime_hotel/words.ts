import { i18n } from '../../lib/i18n.svelte'
import type { TableState } from '../../table/state.svelte'
import { kindOf, roomsOf, standingOn, worthOf, type Kind, type Place } from './hotel'
import { handOf, playOf, viewOf } from './play.svelte'

/** "room 37, 10 points" */
export const worth = (table: TableState, place: Place) =>
  table.gt('ui.place', {
    place: table.term(place),
    points: table.gt('ui.points', { count: worthOf(place, viewOf(table).options) }),
  })

/** Why nobody should hope for a place: it is searched, or I hold its card myself. */
export function warning(table: TableState, place: Place): 'lit' | 'mine' | null {
  const rooms = roomsOf(place)
  const { lit } = viewOf(table)
  if (rooms.every((room) => lit.includes(room))) return 'lit'
  const hand = handOf(table)
  return rooms.every((room) => lit.includes(room) || hand.includes(room)) ? 'mine' : null
}

/** How likely he is there, where the table's notes say so. */
export function chanceOf(table: TableState, place: Place): number | null {
  const shares = roomsOf(place).map((room) => table.notes.cell(String(room), 'hidden')?.share ?? null)
  if (shares.some((share) => share === null)) return null
  return shares.reduce<number>((sum, share) => sum + (share ?? 0), 0)
}

/** The places of a kind, as they are listed. */
export const ofKind = (places: readonly Place[], kind: string) =>
  places.filter((place) => kindOf(place) === kind).sort((a, b) => a.localeCompare(b))

const KINDS: readonly Kind[] = ['floor', 'column', 'room']

/** "a floor (2 pts), a column (5 pts) or a dark room (10 pts)": what is on offer, and no more. */
function kindsOf(table: TableState, offered: readonly Place[]): string {
  const kinds = KINDS.flatMap((kind) => {
    const [place] = ofKind(offered, kind)
    if (place === undefined) return []
    const points = table.gt('ui.points', { count: worthOf(place, viewOf(table).options) })
    return [table.gt(`now.guess.kind.${kind}`, { points })]
  })
  return new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(kinds)
}

/** What to say while a place is being chosen: how to, or what is to be thought of about the one that was tapped. */
export function guessHint(table: TableState, key: string, offered: readonly Place[]): string {
  const play = playOf(table)
  const [place, { closed }] = [play.place, play.picks]
  const { guesses, options } = viewOf(table)
  if (closed) {
    const there = standingOn(guesses, closed)
    const named = { place: capital(table.term(closed)), names: table.listed(there) }
    return table.gt(there.length ? 'now.guess.taken' : 'now.guess.closed', named)
  }
  const why = place ? warning(table, place) : null
  if (place && why) return table.gt(`now.guess.${why}`, { place: capital(table.term(place)) })
  if (place) {
    return table.gt('now.guess.worth', { place: capital(table.term(place)), count: worthOf(place, options) })
  }
  return table.gt(key, { places: kindsOf(table, offered) })
}

export const capital = (words: string) => words.charAt(0).toLocaleUpperCase(i18n.language) + words.slice(1)
