import { doors } from '../../lib/games.svelte'
import { t } from '../../lib/i18n.svelte'
import type { Assistance, CreateTable } from '../../lib/protocol'
import { go } from '../../lib/router.svelte'
import { salt } from '../../lib/salt'
import { settings } from '../../lib/settings.svelte'
import { socket } from '../../lib/socket.svelte'
import { keep, recall } from '../../lib/store'

/** How the notes were set the last time; they begin with what everybody saw anyway. */
export const usualAssistance = () => recall<Assistance>('assistance', 'facts')
export const keepAssistance = (assistance: Assistance) => keep('assistance', assistance)

const USUAL = 4

/** How many play unless somebody wants it otherwise: four, or as near to it as the game allows. */
export function usualSeats(game: string): number {
  const [least, most] = doors.of(game)?.seats ?? [USUAL, USUAL]
  return Math.min(Math.max(USUAL, least), most)
}

/** A running game against bots, at once. */
export async function playNow(game: string): Promise<void> {
  await makeTable({
    game,
    options: {},
    chairs: Array.from({ length: usualSeats(game) }, (_, seat) => (seat === 0 ? null : 'detective')),
    public: false,
    assistance: usualAssistance(),
    name: settings.name || t('front.default_name'),
    start: true,
  })
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
