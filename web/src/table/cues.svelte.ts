import { untrack } from 'svelte'
import { announce, interrupt } from '../lib/live.svelte'
import { play, shake } from '../lib/sound'
import type { TableState } from './state.svelte'

const MY_TURN_MS = 80
const ASKED_MS = 40
/** After a long absence nobody wants to be read the whole log. */
const MOST_LINES = 8

/** Tell ears and fingers what the page shows: new log lines politely, my turn and questions at once. */
export function cues(table: TableState): void {
  let seen = untrack(() => table.feed.seq)
  let before = ''

  $effect(() => {
    const fresh = table.feed.log.filter(({ seq }) => seq > seen)
    untrack(() => {
      seen = table.feed.seq
      for (const { line } of fresh.slice(-MOST_LINES)) announce(table.say(line))
      if (fresh.length) table.game.heard?.(table, fresh)
    })
  })

  $effect(() => {
    const kind = table.kind
    // A new question is a new call, even right after another.
    const call = kind === 'asked' ? `asked ${table.now.offers[0]?.since}` : kind === 'yours' ? 'yours' : ''
    untrack(() => {
      if (call && call !== before && !table.over) {
        interrupt(table.game.calling?.(table) ?? '')
        play(kind === 'asked' ? 'asked' : 'my_turn')
        shake(kind === 'asked' ? ASKED_MS : MY_TURN_MS)
      }
      // Looking back or losing the line is no end of a turn.
      if (kind !== 'back' && kind !== 'offline') before = call
    })
  })
}
