import type { Component } from 'svelte'

/** The four doors of the front page, in their order; which of them are open, the server and our own folders say. */
export const DOORS = ['clue', 'perfect_alibi', 'crime_hotel', 'arosa'] as const
export type Door = (typeof DOORS)[number]

// Only the names are used: what shows a game is loaded at its table.
const CLIENTS = Object.keys(import.meta.glob('../games/*/index.ts'))

// A game whose senses can be trained has a room for it.
const ROOMS = import.meta.glob<{ default: Component }>('../games/*/Practice.svelte')
const room = (game: string) => ROOMS[`../games/${game}/Practice.svelte`]
export const canPractise = (game: string) => room(game) !== undefined
export const loadPractice = async (game: string): Promise<Component | null> => (await room(game)?.())?.default ?? null

// As above: a guided first case is loaded at its table.
const LESSONS = Object.keys(import.meta.glob('../../../src/whodunit/games/*/lesson/case.json'))
export const canLearn = (game: string) => LESSONS.some((path) => path.includes(`/${game}/`))

/** Whether this page can show the game. */
export const canShow = (game: string) => CLIENTS.includes(`../games/${game}/index.ts`)
