import type { GameClient } from '../games'
import { has, t } from '../lib/i18n.svelte'
import { read } from '../lib/read'
import type { Plain } from '../lib/protocol'
import type { TableState } from '../table/state.svelte'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import Held from './Held.svelte'
import { headline, present, waiting } from './head'
import { grouped } from './log'
import Notes from './Notes.svelte'
import Now from './Now.svelte'
import { Play, playOf } from './play.svelte'
import { sizeOf } from './shown'
import Solution from './Solution.svelte'
import { isTerm, text } from './words'

function verdict(table: TableState) {
  const { winners = [], how = '' } = table.now.outcome ?? {}
  const names = table.listed(winners)
  const mine = table.me !== null && winners.includes(table.me)
  const last = table.log.at(-1)
  const hint = text(table, `end.${how}`, { name: names, names }) ?? (last ? table.say(last.line) : '')
  if (!winners.length) return { headline: t('plain.won.nobody'), hint }
  if (!mine) return { headline: t('plain.won', { names, count: winners.length }), hint }
  return { headline: t(winners.length > 1 ? 'plain.won.shared' : 'plain.won.me'), hint }
}

/** Show a game that brings nothing of its own: controls from its offers, lists from its view, words from its texts. */
export async function plainClient(id: string): Promise<GameClient> {
  return clientOf(id, await read<Plain>(`/api/games/${id}/plain`))
}

export function clientOf(id: string, described: Plain): GameClient {
  const hands = described.by_seat.includes('hands')
  return {
    id,
    identity: (_, seat) => seat,
    about: (table, seat) => {
      const count = sizeOf(present(table), seat)
      return {
        count: count === undefined ? undefined : t('plain.cards', { count }),
        out: present(table).out?.[seat] === true,
      }
    },
    progress: (table) => (present(table).turn > 0 ? t('plain.turn', { turn: present(table).turn }) : ''),
    waiting,
    calling: (table) => (['yours', 'asked'].includes(table.kind) ? headline(table) : waiting(table).headline),
    verdict,
    interrupts: described.interrupts,
    // Whoever is waited for though another is on turn owes an answer.
    answering: (table) =>
      table.moves.some(({ action }) => described.answers.includes(action)) ||
      (described.answers.length > 0 && table.awaited.length > 0 && !table.awaited.includes(present(table).on_turn)),
    holds: (table) => table.kind === 'others' && table.offers.length > 0,
    grouped,
    get words() {
      return has(id, 'rows') ? [{ title: 'rows', words: described.rows.filter((row) => isTerm(id, row)) }] : []
    },
    state: (table) => new Play(table, described),
    heard: (table) => playOf(table).hear(),
    Board,
    Now,
    Hand: hands ? Hand : undefined,
    Notes,
    Solution,
    Held: hands ? Held : undefined,
    Hidden: Solution,
  }
}
