import { t } from './i18n.svelte'
import type { Chat, Line, Phrase, Silenced } from './protocol'

/** What can be said with one tap, in the order in which it is shown. */
export const PHRASES: readonly Phrase[] = [
  'hello',
  'good_luck',
  'your_turn',
  'one_moment',
  'thinking',
  'nice',
  'thanks',
  'sorry',
  'well_played',
  'again',
]

export interface Heard {
  lines: readonly Line[]
  me: number | null
  muted: readonly Silenced[]
}

/** More than this nobody scrolls back. */
const MOST = 200

/** What has been said after one more frame. */
export function hear(before: Heard, { whole, lines, me, muted }: Chat): Heard {
  return { lines: whole ? lines : [...before.lines, ...lines].slice(-MOST), me, muted }
}

/** A line in the reader's language. */
export const words = ({ phrase, text }: Line) => (phrase === null ? text : t(`chat.phrase.${phrase}`))

export const nameOf = ({ name, speaker }: { name: string; speaker: number }) =>
  name || t('chat.guest', { number: speaker + 1 })

/** Everybody else who speaks here, by the name they last had; each keeps the place, whether heard or not. */
export function others({ lines, me, muted }: Heard): (Silenced & { muted: boolean })[] {
  const found = new Map<number, Silenced & { muted: boolean }>()
  for (const { speaker, name } of lines) if (speaker !== me) found.set(speaker, { speaker, name, muted: false })
  for (const one of muted) found.set(one.speaker, { ...one, muted: true })
  return [...found.values()].sort((one, other) => one.speaker - other.speaker)
}
