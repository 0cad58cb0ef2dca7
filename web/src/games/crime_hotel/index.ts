import type { GameClient } from '..'
import type { TableState } from '../../table/state.svelte'
import Aside from './Aside.svelte'
import Board from './Board.svelte'
import Held from './Held.svelte'
import Hidden from './Hidden.svelte'
import { CARDS, DEPARTMENTS, PLACES, roomOf } from './hotel'
import { grouped } from './log'
import Mine from './Mine.svelte'
import Notes from './Notes.svelte'
import Now from './Now.svelte'
import Pad from './Pad.svelte'
import { Play, playOf, presentOf, viewOf } from './play.svelte'
import Solution from './Solution.svelte'
import { closedOf } from './round'

function waiting(table: TableState) {
  const { phase, on_turn } = presentOf(table)
  const last = table.log.at(-1)
  return {
    headline: table.gt(`now.wait.${phase.type}`, { name: table.name(on_turn) }),
    hint: last ? table.say(last.line) : '',
  }
}

function verdict(table: TableState) {
  const { winners = [], how = 'no_result' } = table.now.outcome ?? {}
  const [winner] = winners
  if (winner === undefined) return { headline: table.gt('ui.end.no_result'), hint: '' }
  if (how === 'tie')
    return { headline: table.gt('ui.end.tie'), hint: table.gt('ui.end.tie.hint', { names: table.listed(winners) }) }
  return {
    headline: winner === table.me ? table.gt('ui.end.me') : table.gt('ui.end', { name: table.name(winner) }),
    hint: table.gt(`ui.end.${how}`, { name: table.name(winner) }),
  }
}

function solved(table: TableState): string | null {
  const closed = closedOf(table.log, table.now.seq).at(-1)
  return closed ? table.gt('now.found', { room: table.term(roomOf(closed.murderer)) }) : null
}

const client: GameClient = {
  id: 'crime_hotel',
  identity: (_, seat) => seat,
  about: (table, seat) => {
    const { sizes, points, car } = presentOf(table)
    const parts = [table.gt('ui.cards', { count: sizes[seat] ?? 0 }), ...(car === seat ? [table.gt('ui.car')] : [])]
    return {
      count: table.gt('ui.points', { count: points.reduce((sum, each) => sum + (each[seat] ?? 0), 0) }),
      place: parts.join(' · '),
    }
  },
  progress: (table) => {
    const { investigation, round, options } = presentOf(table)
    const [number, of] = [Math.max(1, investigation), options.investigations]
    return table.gt('ui.progress', { number, of, round: Math.max(1, round) })
  },
  waiting,
  calling: (table) =>
    table.kind === 'yours' ? table.gt(`now.call.${presentOf(table).phase.type}`) : waiting(table).headline,
  verdict,
  solved,
  holds: (table) => playOf(table).stage !== 'hotel',
  grouped,
  deal: (table) => viewOf(table).investigation,
  words: [
    { title: 'ui.words.cards', words: CARDS.map(String) },
    { title: 'ui.words.places', words: [...PLACES].sort((a, b) => a.localeCompare(b)) },
    { title: 'ui.station', words: DEPARTMENTS },
  ],
  state: (table) => new Play(table),
  heard: (table, fresh) => playOf(table).hear(fresh),
  Board,
  Now,
  Meanwhile: Mine,
  Pad,
  Aside,
  Notes,
  Solution,
  Held,
  Hidden,
}

export default client
