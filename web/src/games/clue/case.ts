import type { CaseKit } from '../../cases/kit'
import CaseThing from './CaseThing.svelte'
import { ROOMS, SUSPECTS } from './places'
import type { AnyEvent } from './types'

/** How cases to solve look that were cut from a game of Clue. */
const kit: CaseKit = {
  Thing: CaseThing,
  row: (table, row) => table.term(row),
  column: (table, column) => {
    const side = /^side (\d)$/.exec(column)
    return side ? table.gt('ui.side.card', { position: side[1] ?? '' }) : table.gt('ui.envelope')
  },
  group: (table, [entry]) => {
    const row = entry?.[0] as never
    return table.gt(SUSPECTS.includes(row) ? 'ui.who' : ROOMS.includes(row) ? 'ui.where' : 'ui.what')
  },
  seen: (table) =>
    table.log.flatMap(({ event }) => {
      const shown = event as AnyEvent
      return shown.type === 'CardShown' && shown.card !== null && shown.to === table.me
        ? [[shown.card, String(shown.seat)] as const]
        : []
    }),
}
export default kit
