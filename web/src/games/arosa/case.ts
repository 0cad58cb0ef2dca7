import type { CaseKit } from '../../cases/kit'
import CaseEvidence from './CaseEvidence.svelte'
import CaseThing from './CaseThing.svelte'
import CaseWay from './CaseWay.svelte'
import { ownerOf } from './hotel'
import type { Colour } from './types'
import { floorLabel, ownerName } from './words'

/** How cases look that were cut from a game of Mord im Arosa: they are heard, and nothing in them is proved. */
const kit: CaseKit = {
  Thing: CaseThing,
  row: (table, row) => ownerName(table, ownerOf(row as Colour)),
  column: (table, column) => floorLabel(table, Number(column)),
  // Floors are numbers as seats are.
  seat: () => null,
  across: (count) => (count === 8 ? 4 : null),
  Evidence: CaseEvidence,
  Way: CaseWay,
}
export default kit
