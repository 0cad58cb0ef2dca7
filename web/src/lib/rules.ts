import type { Component } from 'svelte'
import { hasRules, ourRules } from './games.svelte'
import type { Language } from './i18n.svelte'
import { read } from './read'

/** A section of a game's rules page: what it is called in links, which actions rest on it, and what it shows. */
export interface Section {
  id: string
  actions?: readonly string[]
  Picture?: Component
}

/** The same section in one language; a paragraph that begins with a dash is an item of a list. */
export interface Written {
  title: string
  text: readonly string[]
  /** Which actions rest on it, where no folder of ours says so: in the rules that a package brings itself. */
  actions?: readonly string[]
  /** What the picture shows, in words. */
  picture?: string
}

export interface Rules {
  sections: readonly Section[]
  texts: Readonly<Record<string, Written>>
}

const TEXTS = import.meta.glob<string>('../games/*/rules/*.json', { query: '?url', import: 'default', eager: true })

/** A game's rules in our own words or in its package's, or null where there are none. */
export async function loadRules(game: string, language: Language): Promise<Rules | null> {
  if (!hasRules(game)) return null
  const ours = ourRules(game)
  const url = ours ? TEXTS[`../games/${game}/rules/${language}.json`] : `/api/games/${game}/rules/${language}`
  const [shown, texts] = await Promise.all([ours?.(), read<Rules['texts']>(url)])
  return { sections: shown?.default ?? inOrder(texts), texts }
}

/** The sections of a package's rules, as they follow each other in its file. */
function inOrder(texts: Rules['texts']): Section[] {
  return Object.entries(texts).map(([id, { actions = [] }]) => ({ id, actions }))
}

/** Paragraphs and lists, as they follow each other. */
export function blocks(text: readonly string[]): (string | string[])[] {
  const all: (string | string[])[] = []
  for (const line of text) {
    if (!line.startsWith('- ')) all.push(line)
    else {
      const last = all.at(-1)
      if (Array.isArray(last)) last.push(line.slice(2))
      else all.push([line.slice(2)])
    }
  }
  return all
}
