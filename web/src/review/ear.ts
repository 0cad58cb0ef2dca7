import type { Heard } from './types'

/** How many of the drops somebody placed rightly, of how many. */
export interface Hits {
  hits: number
  all: number
}
export const listenerHits = (heard: readonly Heard[]): Hits => ({
  hits: heard.filter(({ truth, guess }) => truth === guess).length,
  all: heard.filter(({ guess }) => guess !== null).length,
})
/** The same of one's own notes; what was not noted does not count. */
export function ownHits(heard: readonly Heard[], noted: (seq: number) => string | null): Hits {
  const mine = heard.map(({ seq, truth }) => ({ truth, mine: noted(seq) })).filter(({ mine }) => mine !== null)
  return { hits: mine.filter(({ truth, mine }) => truth === mine).length, all: mine.length }
}
