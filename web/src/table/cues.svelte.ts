import { untrack } from 'svelte'
import { comings } from '../lib/comings'
import { t } from '../lib/i18n.svelte'
import { announce, interrupt } from '../lib/live.svelte'
import { paceNews } from '../lib/paces'
import type { Told } from '../lib/protocol'
import { play, shake, THEN_S } from '../lib/sound'
import { toast } from '../lib/toasts.svelte'
import { isSame, type Deed } from './offers'
import type { TableState } from './state.svelte'

const MY_TURN_MS = 80
const ASKED_MS = 40
/** After a long absence nobody wants to be read the whole log: what happened last, and so many lines. */
const MOST_LINES = 8

/** What of all that has just been told is to be said; `calls` if I am called to my turn as well. */
function lately(table: TableState, fresh: readonly Told[], calls: boolean): readonly Told[] {
  const last = fresh.at(-1)?.batch
  const { begins = [] } = table.game
  return fresh.filter(({ batch, event }, place) => {
    if (batch !== last && place < fresh.length - MOST_LINES) return false
    const { type, seat } = event as { type: string; seat?: number }
    if (!begins.includes(type)) return true
    return !(seat === table.me ? calls : table.alone)
  })
}

/** Tell ears and fingers what the page shows: new log lines politely, my turn and questions at once. */
export function cues(table: TableState): void {
  let seen = untrack(() => table.feed.seq)
  let before = ''

  $effect(() => {
    const fresh = table.feed.log.filter(({ seq }) => seq > seen)
    untrack(() => {
      seen = table.feed.seq
      // What is passed over is told in short at its end.
      if (!table.hurry.on) for (const { line } of lately(table, fresh, before !== 'yours')) announce(table.say(line))
      if (fresh.length) table.game.heard?.(table, fresh)
    })
  })

  let over = untrack(() => table.over)
  $effect(() => {
    const ended = !over && table.over
    over = table.over
    untrack(() => {
      const won = table.me !== null && table.now.outcome?.winners.includes(table.me)
      if (ended) play(won ? 'won' : 'over', 2 * THEN_S) // after what ended it
    })
  })

  let room = untrack(() => table.room)
  $effect(() => {
    const changes = comings(room, table.room)
    const pace = paceNews(room, table.room)
    room = table.room
    untrack(() => {
      if (pace) toast(t(`pace.${pace}`, { pace: t(`pace.${room.pace}`) }))
      for (const { key, name, cue } of changes) {
        announce(t(`gather.${key}`, { name }))
        play(cue)
      }
    })
  })

  let rematch = untrack(() => table.rematch)
  $effect(() => {
    const called = rematch === null && table.rematch !== null
    rematch = table.rematch
    if (!called) return
    untrack(() => {
      table.called = true
      interrupt(t('final.called'))
      play('my_turn')
      shake(MY_TURN_MS)
    })
  })

  let due = untrack(() => table.due)
  $effect(() => {
    const [was, is] = [due, table.due]
    due = is
    // However often the same is told, it is said once that it is noted, and once that it is kept.
    const known = was?.chosen && was.since === is?.since && isSame(was.selected, is.selected as Deed)
    // Among bots alone it is given at once.
    if (!is?.chosen || table.alone || (known && was.kept === is.kept)) return
    untrack(() => announce(t(is.kept ? 'asked.kept' : 'asked.noted')))
  })

  $effect(() => {
    const kind = table.kind
    // A new question is a new call, even right after another.
    const call = kind === 'asked' ? `asked ${table.now.offers[0]?.since}` : kind === 'yours' ? 'yours' : ''
    untrack(() => {
      if (call && call !== before && !table.over) {
        // Where nobody waits for me, I hear first what the others did.
        const say = table.alone ? announce : interrupt
        say(table.game.calling?.(table) ?? '')
        play(kind === 'asked' ? 'asked' : 'my_turn')
        shake(kind === 'asked' ? ASKED_MS : MY_TURN_MS)
      }
      // Looking back or losing the line is no end of a turn.
      if (kind !== 'back' && kind !== 'offline') before = call
    })
  })
}
