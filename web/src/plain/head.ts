import { t } from '../lib/i18n.svelte'
import type { TableState } from '../table/state.svelte'
import { text } from './words'

/** What every game's view has, whatever else is in it. */
export interface View {
  turn: number
  on_turn: number
  phase: { type: string }
  out?: readonly boolean[]
}
/** The table as it stands, whatever is looked at. */
export const present = (table: TableState) => table.now.view as View

/** What the table waits for, while it is not for me; what has led to it stands on the board. */
export function waiting(table: TableState) {
  const names = table.listed(table.awaited)
  const own = text(table, `now.wait.${present(table).phase.type}`, { name: names })
  // Where it waits for time alone there is nobody to name.
  return { headline: own ?? (names ? t('now.waiting', { names }) : t('plain.moment')), hint: '' }
}

/** What the table waits for from me: in the game's words, or the house's. */
export function headline(table: TableState): string {
  return ofPhase(table, '') ?? t(table.kind === 'asked' ? 'title.asked' : 'title.yours')
}

/** What the game says to whoever is waited for in this phase, if it says anything; `name` is who is on turn. */
export function ofPhase(table: TableState, part: '' | '.hint'): string | undefined {
  const { phase, on_turn } = present(table)
  return text(table, `now.${phase.type}${part}`, { name: table.name(on_turn) })
}
