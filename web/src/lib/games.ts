/** The four doors of the front page, in their order; which of them are open, the server and our own folders say. */
export const DOORS = ['clue', 'perfect_alibi', 'crime_hotel', 'arosa'] as const
export type Door = (typeof DOORS)[number]

// Only the names are used: what shows a game is loaded at its table.
const CLIENTS = Object.keys(import.meta.glob('../games/*/index.ts'))

/** Whether this page can show the game. */
export const canShow = (game: string) => CLIENTS.includes(`../games/${game}/index.ts`)
