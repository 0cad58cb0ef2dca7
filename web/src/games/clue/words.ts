import type { TableState } from '../../table/state.svelte'
import type { Card } from './play.svelte'
import type { Trio } from './types'

const GAP = '…'

/** "It was Mrs. Peacock with the Candlestick in the Library.", with gaps for what is not named yet. */
export function sentence(table: TableState, trio: Partial<Trio>): string {
  return table.gt('now.sentence', {
    suspect: trio.suspect ? the(table, trio.suspect) : GAP,
    with: trio.weapon ? table.gt(`form.with.${trio.weapon}`) : GAP,
    in: trio.room ? table.gt(`form.in.${trio.room}`) : GAP,
  })
}

/** A card as what is shown: "the Knife", "Mrs. White". */
export const the = (table: TableState, card: Card) => table.gt(`form.the.${card}`)
