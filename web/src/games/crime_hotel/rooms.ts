import type { TableState } from '../../table/state.svelte'
import type { Card } from './hotel'
import { viewOf } from './play.svelte'

/** What the sheet says of a room as a whole. */
export type Known =
  | { kind: 'open' } // its card lies on the table
  | { kind: 'held'; seat: number; source: string | null }
  | { kind: 'here'; source: string | null } // he is there, for certain
  | { kind: 'away'; source: string | null } // somebody holds the card, and it is open who
  | { kind: 'share'; share: number }
  | { kind: 'unknown' }

/** Put the cells of a room together: by holders they stand on the sheet, by rooms one thinks. */
export function knownOf(table: TableState, card: Card): Known {
  const cell = (column: string) => table.notes.cell(String(card), column)
  if (cell('open')?.mark === 'yes') return { kind: 'open' }
  const hidden = cell('hidden')
  if (hidden?.mark === 'yes') return { kind: 'here', source: hidden.source }
  for (const seat of viewOf(table).hands.keys()) {
    const held = cell(String(seat))
    if (held?.mark === 'yes') return { kind: 'held', seat, source: held.source }
  }
  if (hidden?.mark === 'no') return { kind: 'away', source: hidden.source }
  return typeof hidden?.share === 'number' ? { kind: 'share', share: hidden.share } : { kind: 'unknown' }
}

/** The column of the sheet in which what is known of a room stands. */
export function columnOf(known: Known): string {
  if (known.kind === 'open') return 'open'
  return known.kind === 'held' ? String(known.seat) : 'hidden'
}
