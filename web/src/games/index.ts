import type { Component } from 'svelte'
import type { Told } from '../lib/protocol'
import type { TableState } from '../table/state.svelte'

export interface GameProps {
  table: TableState
}

/** What the player list says of a seat besides its state at the table. */
export interface About {
  /** A short figure: "5 cards". */
  count?: string
  /** Where or what: "Library". */
  place?: string
  /** Whether the player can no longer win. */
  out?: boolean
}

/** Log lines that belong together. */
export interface Group {
  /** Whose doing it is; null for the house. */
  seat: number | null
  /** What people call it: "No. 12". */
  number?: number
  lines: readonly Told[]
  /** What all of it comes to, if no line says so: a key of the game's texts. */
  note?: string
  /** Of no consequence for whoever reads back: written small. */
  quiet?: boolean
}

/** What a page shows of a game; it paints views, offers and events, and knows no rule. */
export interface GameClient {
  id: string
  /** Which of the six identities a seat wears. */
  identity(view: unknown, seat: number): number
  about?(table: TableState, seat: number): About
  /** Where the game stands, for the heading: "Turn 9". */
  progress?(table: TableState): string
  /** What the table waits for, while it waits for somebody else. */
  waiting?(table: TableState): { headline: string; hint: string } | null
  /** What the table waits for from me, in a few words. */
  calling?(table: TableState): string
  /** The actions that are on offer without anybody waiting for them: they make it nobody's turn. */
  interrupts?: readonly string[]
  /** Whether the table waits for an answer to somebody's question. */
  answering?(table: TableState): boolean
  /** Whether something lies open before me that I put away myself: then the game speaks in NOW, whoever is awaited. */
  holds?(table: TableState): boolean
  /** Whether NOW still tells what has happened: what I may do comes after it, and so does any advice about it. */
  telling?(table: TableState): boolean
  /** Whether the game first asks me how I want to play: nobody explains anything else meanwhile. */
  asksFirst?(table: TableState): boolean
  grouped?(log: readonly Told[]): Group[]
  /** The events that say whose turn it is, and no more: what follows them says it again. */
  begins?: readonly string[]
  /** Which deal is looked at, from 1 on, where cards are dealt anew: my marks on the sheet belong to theirs. */
  deal?(table: TableState): number
  /** The things that the log can be searched for, under their headings (keys of the game's texts). */
  words?: readonly { title: string; words: readonly string[] }[]
  /** What a table keeps of this game while the page is open: what is half chosen, what lies open. */
  state?(table: TableState): unknown
  /** The page is left: nothing of this table may go on. */
  leave?(table: TableState): void
  /** What just happened, for sounds and for what opens by itself. */
  heard?(table: TableState, fresh: readonly Told[]): void
  /** The headline of the final screen, and what was to be found out. */
  verdict?(table: TableState): { headline: string; hint: string }
  /** What was to be found out, in a sentence; null while the page does not know it. */
  solved?(table: TableState): string | null
  /** What I noted of something that the table heard at an event, as a word of the game; null if I noted nothing. */
  noted?(table: TableState, seq: number): string | null
  /** Whether points are bad: then who has fewer stands higher. */
  fewest?: boolean
  Board: Component<GameProps>
  Now: Component<GameProps>
  /** What NOW shows of mine while the table waits for somebody else: a hand that has no place of its own. */
  Meanwhile?: Component<GameProps>
  Hand?: Component<GameProps>
  /** The score so far, from 700 px on; where there is no room for it, the game shows it otherwise. */
  Pad?: Component<GameProps>
  /** A second part of the board, above the notes from 700 px on; on a phone the game shows it otherwise. */
  Aside?: Component<GameProps>
  /** The ways to interrupt, beside the buttons of NOW or as one more tab of a phone; nothing while none is on offer. */
  Interrupt?: Component<GameProps & { place: 'now' | 'tabs' }>
  /** What a seat has before it, in the list of players where there is room. */
  Portrait?: Component<GameProps & { seat: number }>
  /** What nobody has, below that list. */
  Unheld?: Component<GameProps>
  Notes?: Component<GameProps>
  Solution?: Component<GameProps>
  /** What a seat held, on the final screen and for who watches late. */
  Held?: Component<GameProps & { seat: number }>
  /** What nobody sees while it is played and no seat holds, for who watches late. */
  Hidden?: Component<GameProps>
}

const GAMES = import.meta.glob<{ default: GameClient }>('./*/index.ts')

/**
 * Load what shows a game: its folder here, or the plain table, which shows any. There is no list. A package that brings
 * its own client as a built module would be asked for in between, by nothing but its id.
 */
export async function loadGame(id: string): Promise<GameClient> {
  const load = GAMES[`./${id}/index.ts`]
  if (load) return (await load()).default
  const { plainClient } = await import('../plain')
  return plainClient(id)
}
