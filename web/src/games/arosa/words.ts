import type { TableState } from '../../table/state.svelte'
import { colourOf, VICTIM, wornBy, type Drop, type Floor } from './hotel'

/** "floor 3", "the ground floor" */
export const floorName = (table: TableState, floor: Floor) => table.term(`floor ${floor}`)

/** On a button: "Floor 3", "Ground" */
export const floorLabel = (table: TableState, floor: Floor) =>
  floor === 0 ? table.gt('ui.ground') : table.gt('ui.floor', { floor })

/** Whose a cube is: a player's name, or a victim. */
export const ownerName = (table: TableState, owner: number) =>
  owner === VICTIM ? table.gt('ui.victim') : table.name(owner)

export const worn = (owner: number) => (owner === VICTIM ? null : wornBy(owner))

/** "Dag drops: a clue of Benno" */
export const dropTitle = (table: TableState, drop: Drop) =>
  table.gt(`ui.drop.${drop.why}`, { name: table.name(drop.seat), colour: table.term(colourOf(drop.owner)) })
