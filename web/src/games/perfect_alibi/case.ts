import type { CaseKit } from '../../cases/kit'
import CaseThing from './CaseThing.svelte'
import { viewOf } from './play.svelte'
import type { AnyEvent } from './types'

/** How cases to solve look that were cut from a game of Perfect Alibi. */
const kit: CaseKit = {
  Thing: CaseThing,
  row: (table, row) => table.term(row),
  column: (table, column) => table.gt(`ui.${column}`),
  open: (table) => viewOf(table).open,
  seen: (table) => {
    const { open, rivals } = viewOf(table)
    const mine = table.me === null ? null : rivals[table.me]
    return [
      ...open.map((card) => [card, 'open'] as const),
      ...(mine ? [[`rival-${mine}`, String(table.me)] as const] : []),
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
