import { mineSaid, shareSaid } from '../../table/notes/said'
import type { TableState } from '../../table/state.svelte'
import type { Card, State } from './types'

/** Where an alibi is, as far as my notes and my eyes know. */
export interface Known {
  /** Who has it for certain: a seat, `open` or `missing`. */
  holder: string | null
  /** The column of the sheet that a tap is about. */
  column: string
  mine: boolean
  seen: boolean
  /** Whether it is certainly not the missing one, though nobody knows who has it. */
  ruledOut: boolean
  /** How likely it is the missing one, where that is told and open. */
  share: number | null
}

export function known(table: TableState, card: Card): Known {
  const { notes, me } = table
  const view = table.view as State
  const missing = notes.cell(card, 'missing')
  const nobody = { holder: null, column: 'missing', mine: false, seen: false, ruledOut: false, share: null }
  // What lies before everybody, and my own hand, need no notes.
  if (view.open.includes(card)) return { ...nobody, holder: 'open', seen: true }
  if (me !== null && view.hands[me]?.includes(card)) return { ...nobody, holder: String(me), mine: true, seen: true }
  const holders = [...view.colours.map((_, seat) => String(seat)), 'open', 'missing']
  const holder = holders.find((each) => notes.cell(card, each)?.mark === 'yes')
  if (holder) return { ...nobody, holder, column: holder, seen: notes.cell(card, holder)?.source === 'seen' }
  if (missing?.mark === 'no') return { ...nobody, ruledOut: true }
  return { ...nobody, share: missing?.share ?? null }
}

/** What is known, as it is read out behind the card's name: "Benno, seen by you." */
export function saidOf(table: TableState, of: Known): string {
  if (of.holder === 'open' || of.holder === 'missing') return table.gt(`ui.grid.${of.holder}`)
  if (of.holder !== null) {
    const key = of.mine ? 'mine' : of.seen ? 'seen' : 'sure'
    return table.gt(`ui.grid.${key}`, { name: table.name(Number(of.holder)) })
  }
  if (of.ruledOut) return table.gt('ui.grid.held')
  return of.share === null ? table.gt('ui.grid.may') : shareSaid(of.share)
}

/** The whole of a cell, read out: card, what is known, what else there is to say of it, and my own mark. */
export function cellSaid(table: TableState, card: Card, of: Known, more = ''): string {
  return `${table.term(card)}: ${saidOf(table, of)}${more}${mineSaid(table.notes.mark(card, 'missing'))}`
}
