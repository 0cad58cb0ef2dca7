import type { Component } from 'svelte'
import type { Door } from './protocol'
import { read } from './read'
import type { Section } from './rules'

/** The doors of the front page, as the server lists them: it alone knows which games are installed, and in what order. */
class Doors {
  /** In the language of the page, which renews them with its own words. */
  all = $state.raw<readonly Door[]>([])

  /** A game's door; none if the game is not installed. */
  of(game: string): Door | undefined {
    return this.all.find(({ id }) => id === game)
  }
}

export const doors = new Doors()

export const loadDoors = (language: string) => read<readonly Door[]>(`/api/doors/${language}`)

/** What a game is called; of one that is not installed only its id is known. */
export const gameName = (game: string) => doors.of(game)?.name ?? readable(game)

function readable(game: string): string {
  const words = game.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

// A game whose senses can be trained has a room for it.
const ROOMS = import.meta.glob<{ default: Component }>('../games/*/Practice.svelte')
const room = (game: string) => ROOMS[`../games/${game}/Practice.svelte`]
export const canPractise = (game: string) => room(game) !== undefined
export const loadPractice = async (game: string): Promise<Component | null> => (await room(game)?.())?.default ?? null

// Rules to read stand in our own folder for a game, or in its package.
const RULES = import.meta.glob<{ default: readonly Section[] }>('../games/*/rules/index.ts')
export const ourRules = (game: string) => RULES[`../games/${game}/rules/index.ts`]
export const hasRules = (game: string) => ourRules(game) !== undefined || doors.of(game)?.rules === true
