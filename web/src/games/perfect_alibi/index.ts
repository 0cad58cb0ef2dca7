import type { GameClient } from '..'
import type { TableState } from '../../table/state.svelte'
import { answered } from './answer'
import Board from './Board.svelte'
import Held from './Held.svelte'
import Interrupt from './Interrupt.svelte'
import { grouped } from './log'
import Notes from './Notes.svelte'
import Now from './Now.svelte'
import { Play, playOf } from './play.svelte'
import Portrait from './Portrait.svelte'
import Solution from './Solution.svelte'
import { ASSISTANTS, identityOf, LOCATIONS, TIMES } from './things'
import type { State } from './types'
import Unheld from './Unheld.svelte'
import { alibi } from './words'

/** The table as it stands, whatever is looked at. */
const present = (table: TableState) => table.now.view as State

/** What the headline says anyway, or the row of chips. */
const DULL = new Set(['ChipReplaced', 'TurnBegan'])
const ANSWERING = new Set(['Answering', 'Showing', 'Correcting'])

function waiting(table: TableState) {
  const { phase, on_turn } = present(table)
  const seat = table.awaited[0]
  const name = seat === undefined ? '' : table.name(seat)
  // Whose question it is, where one is being answered: mine is not told with my own name.
  const mine = on_turn === table.me && ['Answering', 'Showing'].includes(phase.type) ? '.me' : ''
  const last = table.log.findLast(({ event }) => !DULL.has((event as { type: string }).type))
  return {
    headline: table.gt(`now.wait.${phase.type}${mine}`, { name, asker: table.name(on_turn) }),
    hint: last ? table.say(last.line) : '',
  }
}

function calling(table: TableState): string {
  const play = playOf(table)
  if (table.kind === 'asked') return table.gt(answered(table)?.shows ? 'now.call.Showing' : 'now.call.asked')
  if (table.kind === 'yours') return table.gt(`now.call.${play.phase.type}`)
  return waiting(table).headline
}

function verdict(table: TableState) {
  const outcome = table.now.outcome
  const winner = outcome?.winners[0]
  if (winner === undefined) return { headline: table.gt('ui.end.closed'), hint: '' }
  const how = outcome?.how ?? 'solved'
  const name = table.name(winner)
  return {
    headline: winner === table.me ? table.gt('ui.end.me') : table.gt('ui.end', { name }),
    hint: table.gt(winner === table.me ? `ui.end.${how}.me` : `ui.end.${how}`, { name }),
  }
}

function solved(table: TableState): string | null {
  const { missing } = (table.truth ?? table.now.view) as State
  return missing && table.gt('now.mark.says', { alibi: alibi(table, missing) })
}

const client: GameClient = {
  id: 'perfect_alibi',
  identity: (view, seat) => identityOf((view as State).colours[seat] ?? 'yellow'),
  about: (table, seat) => {
    const view = present(table)
    const assistant = view.assistants[seat]
    return {
      count: assistant ? table.term(assistant) : undefined,
      place: assistant
        ? table.gt('ui.has', { assistant: table.term(assistant), power: table.gt(`ui.power.${assistant}`) })
        : '',
      out: view.out[seat],
    }
  },
  progress: (table) => {
    const { turn } = present(table)
    return turn === 0 ? table.gt('ui.before') : table.gt('ui.turn', { turn })
  },
  waiting,
  calling,
  verdict,
  solved,
  answering: (table) => ANSWERING.has(present(table).phase.type),
  holds: (table) => playOf(table).seen !== null || playOf(table).slamming,
  interrupts: ['Slam', 'Confirm', 'Accuse'],
  grouped,
  begins: ['TurnBegan'],
  words: [
    { title: 'ui.places', words: LOCATIONS },
    { title: 'ui.times', words: TIMES },
    { title: 'ui.assistants', words: ASSISTANTS },
  ],
  state: (table) => new Play(table),
  heard: (table, fresh) => playOf(table).hear(fresh),
  Board,
  Now,
  Interrupt,
  Portrait,
  Unheld,
  Notes,
  Solution,
  Held,
}

export default client
