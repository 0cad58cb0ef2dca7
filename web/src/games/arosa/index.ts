import type { GameClient } from '..'
import type { TableState } from '../../table/state.svelte'
import Aside from './Aside.svelte'
import Board from './Board.svelte'
import Drops from './Drops.svelte'
import Hidden from './Hidden.svelte'
import { FLOORS, wornBy } from './hotel'
import { dropsOf, grouped } from './log'
import Notes from './Notes.svelte'
import Now from './Now.svelte'
import { Play, playOf, presentOf } from './play.svelte'
import Solution from './Solution.svelte'

function waiting(table: TableState) {
  const { phase, on_turn } = presentOf(table)
  const last = table.log.at(-1)
  return {
    headline: table.gt(`now.wait.${phase.type}`, { name: table.name(on_turn) }),
    hint: last ? table.say(last.line) : '',
  }
}

function verdict(table: TableState) {
  const { winners = [], how = 'sheet' } = table.now.outcome ?? {}
  const mine = table.me !== null && winners.includes(table.me)
  const names = table.listed(winners)
  return {
    headline: mine
      ? table.gt(winners.length > 1 ? 'ui.end.me.shared' : 'ui.end.me')
      : table.gt('ui.end', { names, count: winners.length }),
    hint: table.gt(`ui.end.${how}`),
  }
}

function solved(table: TableState): string | null {
  const { phase } = presentOf(table)
  const culprits = phase.type === 'Over' ? phase.culprits : []
  return culprits.length ? table.gt('ui.end.culprit', { names: table.listed(culprits), count: culprits.length }) : null
}

const client: GameClient = {
  id: 'arosa',
  identity: (_, seat) => wornBy(seat),
  about: (table, seat) => {
    const { supplies, totals, options } = presentOf(table)
    const left = table.gt('ui.left', { count: supplies[seat] ?? 0 })
    if (!options.show_running_score && !table.over) return { count: left }
    return { count: table.gt('ui.points', { count: totals[seat] ?? 0 }), place: left }
  },
  progress: (table) => table.gt(`ui.act.${presentOf(table).act}`),
  waiting,
  calling: (table) =>
    table.kind === 'yours' ? table.gt(`now.call.${presentOf(table).phase.type}`) : waiting(table).headline,
  verdict,
  solved,
  noted: (table, seq) => {
    const drop = dropsOf(table.log).find((each) => each.seq === seq)
    const floor = drop ? playOf(table).guess(drop).sure : null
    return floor === null ? null : `floor ${floor}`
  },
  fewest: true,
  holds: (table) => playOf(table).stage !== 'table',
  telling: (table) => playOf(table).stage !== 'table',
  asksFirst: (table) => playOf(table).stage === 'prompt',
  grouped,
  begins: ['TurnBegan'],
  words: [{ title: 'ui.floors', words: FLOORS.toReversed().map((floor) => `floor ${floor}`) }],
  state: (table) => new Play(table),
  leave: (table) => playOf(table).ears.leave(),
  heard: (table, fresh) => playOf(table).hear(fresh),
  Board,
  Now,
  Meanwhile: Drops,
  Aside,
  Notes,
  Solution,
  Hidden,
}

export default client
