import type { CaseKit } from '../../cases/kit'
import CaseThing from './CaseThing.svelte'
import { viewOf } from './play.svelte'
import type { AnyEvent } from './types'

/** How cases to solve look that were cut from a game of Perfect Alibi. */
const kit: CaseKit = {
  Thing: CaseThing,
  row: (table, row) => table.term(row),
  column: (table, column) => table.gt(`ui.${column}`),
  // Four places by four times.
  across: (count) => (count === 16 ? 4 : null),
  hand: (table) => {
    const rival = table.me === null ? null : viewOf(table).rivals[table.me]
    return rival ? [`rival-${rival}`] : []
  },
  open: (table) => viewOf(table).open,
  seen: (table) => {
    const { open } = viewOf(table)
    return [
      ...open.map((card) => [card, 'open'] as const),
      ...table.log.flatMap(({ event }) => {
        const told = event as AnyEvent
        return told.type === 'CardShown' && told.card !== null && told.to === table.me
          ? [[told.card, String(told.seat)] as const]
          : []
      }),
    ]
  },
}
export default kit
