import { doors } from '../../lib/games.svelte'
import { t } from '../../lib/i18n.svelte'
import { pacesFor } from '../../lib/paces'
import type { Assistance, CreateTable, Level, Pace } from '../../lib/protocol'
import { go } from '../../lib/router.svelte'
import { salt } from '../../lib/salt'
import { settings } from '../../lib/settings.svelte'
import { socket } from '../../lib/socket.svelte'
import { keep, recall } from '../../lib/store'

export const ASSISTANCES: readonly Assistance[] = ['paper', 'facts', 'logic', 'probabilities']

/** How the notes were set the last time; they begin with what everybody saw anyway. */
export const usualAssistance = () => recall<Assistance>('assistance', 'facts')
export const keepAssistance = (assistance: Assistance) => keep('assistance', assistance)

const USUAL = 4

/** How many play unless somebody wants it otherwise: four, or as near to it as the game allows. */
export function usualSeats(game: string): number {
  const [least, most] = doors.of(game)?.seats ?? [USUAL, USUAL]
  return Math.min(Math.max(USUAL, least), most)
}

/** A game against bots, as somebody wants it. */
export interface Match {
  bots: number
  level: Level
  assistance: Assistance
  pace: Pace
  options: Readonly<Record<string, unknown>>
}

/** The match that was wanted last time, as far as it can be played still; the house's own idea of one at first. */
export function usualMatch(game: string, levels: readonly Level[]): Match {
  const kept = recall<Partial<Match>>(`play.${game}`, {})
  const [least, most] = doors.of(game)?.seats ?? [USUAL, USUAL]
  const known = <T>(values: readonly T[], value: T | undefined, otherwise: T) =>
    value !== undefined && values.includes(value) ? value : otherwise
  return {
    bots: Math.min(Math.max(Number(kept.bots) || usualSeats(game) - 1, least - 1), most - 1),
    level: known(levels, kept.level, known(levels, 'detective', levels[0] ?? 'detective')),
    assistance: known(ASSISTANCES, kept.assistance, usualAssistance()),
    pace: known(pacesFor(true), kept.pace, 'brisk'),
    options: kept.options ?? {},
  }
}

/** A running game against bots, at once. It is what they want next time, too. */
export async function playNow(game: string, match: Match): Promise<void> {
  const { bots, level, assistance, pace, options } = match
  await makeTable({
    game,
    options,
    chairs: [null, ...Array.from({ length: bots }, () => level)],
    public: false,
    assistance,
    pace,
    name: settings.name || t('front.default_name'),
    start: true,
  })
  keep(`play.${game}`, match) // only what could be played
}

/** A game's guided first case, at once. */
export async function playFirstCase(game: string): Promise<void> {
  const { table } = await socket.ask({ type: 'first_case', game, name: settings.name || t('front.default_name') })
  go(`/t/${table}`)
}

/** Lay a table, sit down, and go there. */
export async function makeTable(wish: Omit<CreateTable, 'type' | 'n' | 'salt'>): Promise<void> {
  const { table } = await socket.ask({ type: 'create_table', salt: salt(), ...wish })
  go(`/t/${table}`)
}
