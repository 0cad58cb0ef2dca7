import type { CaseKit } from '../../cases/kit'
import CaseBoard from './CaseBoard.svelte'
import CaseThing from './CaseThing.svelte'
import { roomOf } from './hotel'
import { viewOf } from './play.svelte'

/** How cases to solve look that were cut from an investigation of Crime Hotel. */
const kit: CaseKit = {
  Thing: CaseThing,
  row: (table, row) => table.term(roomOf(Number(row))),
  column: (table, column) => table.gt(column === 'hidden' ? 'ui.murderer' : 'ui.case.open'),
  open: (table) => viewOf(table).lit.map(String),
  seen: (table) => viewOf(table).lit.map((card) => [String(card), 'open'] as const),
  Board: CaseBoard,
}
export default kit
