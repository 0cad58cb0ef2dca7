import type { CaseKit } from '../../cases/kit'
import CaseBoard from './CaseBoard.svelte'
import CaseThing from './CaseThing.svelte'
import { roomOf } from './hotel'
import { viewOf } from './play.svelte'
import type { AnyEvent } from './types'

/** How cases to solve look that were cut from an investigation of Crime Hotel. */
const kit: CaseKit = {
  Thing: CaseThing,
  row: (table, row) => table.term(roomOf(Number(row))),
  column: (table) => table.gt('ui.murderer'),
  // What lies open is lit on the board; what was played lies open, too, and everybody knows whose it was.
  seen: (table) => [
    ...viewOf(table).lit.map((card) => [String(card), 'open'] as const),
    ...table.log.flatMap(({ event }) => {
      const told = event as AnyEvent
      if (told.type === 'Looked' && told.seat === table.me)
        return (told.cards ?? []).map((card) => [String(card), String(told.target)] as const)
      return told.type === 'CardPlayed' || told.type === 'LastCardLaid'
        ? [[String(told.card), String(told.seat)] as const]
        : []
    }),
  ],
  Board: CaseBoard,
}
export default kit
