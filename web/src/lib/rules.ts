import type { Component } from 'svelte'
import { read, type Language } from './i18n.svelte'

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
  /** What the picture shows, in words. */
  picture?: string
}

export interface Rules {
  sections: readonly Section[]
  texts: Readonly<Record<string, Written>>
}

const SECTIONS = import.meta.glob<{ default: readonly Section[] }>('../games/*/rules/index.ts')
const TEXTS = import.meta.glob<string>('../games/*/rules/*.json', { query: '?url', import: 'default', eager: true })

/** A game's rules in our own words, or null where there are none. */
export async function loadRules(game: string, language: Language): Promise<Rules | null> {
  const sections = SECTIONS[`../games/${game}/rules/index.ts`]
  const texts = TEXTS[`../games/${game}/rules/${language}.json`]
  if (!sections || !texts) return null
  const [shown, written] = await Promise.all([sections(), read<Rules['texts']>(texts)])
  return { sections: shown.default, texts: written }
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
