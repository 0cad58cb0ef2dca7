import type { GameClient } from '..'
import type { TableState } from '../../table/state.svelte'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import Held from './Held.svelte'
import { grouped } from './log'
import Notes from './Notes.svelte'
import Now from './Now.svelte'
import { isRoom, ROOMS, SUSPECTS, WEAPONS } from './places'
import { Play, playOf } from './play.svelte'
import Solution from './Solution.svelte'
import type { State } from './types'
import { sentence } from './words'

/** The table as it stands, whatever is looked at. */
const present = (table: TableState) => table.now.view as State

function place(view: State, seat: number, table: TableState): string {
  const suspect = view.tokens[seat]
  const where = suspect === undefined ? undefined : view.places[SUSPECTS.indexOf(suspect)]
  return where !== undefined && isRoom(where) ? table.term(where) : ''
}

function waiting(table: TableState) {
  const { phase, on_turn } = present(table)
  const last = table.log.at(-1)
  const hint = last ? table.say(last.line) : ''
  const name = table.name(phase.type === 'Answering' ? phase.asked : on_turn)
  if (phase.type === 'Answering') return { headline: table.gt('now.wait.answering', { name }), hint }
  if (phase.type === 'Walking') return { headline: table.gt('now.wait.walking', { name, throw: phase.throw }), hint }
  return { headline: table.gt('now.wait', { name }), hint }
}

/** What is asked of me, by what stands: whether I may suggest or end my turn is the rules' business. */
function called(table: TableState): string {
  const has = (action: string) => table.moves.some((offer) => offer.action === action)
  if (has('NoMove')) return 'now.shut_in'
  if (has('Suggest')) return has('EndTurn') ? 'now.call.Arrived' : 'now.call.Suggest'
  if (has('EndTurn')) return has('Accuse') ? 'now.call.Concluding' : 'now.call.EndTurn'
  return `now.call.${present(table).phase.type}`
}

function calling(table: TableState): string {
  if (table.kind === 'asked') return table.gt('now.call.asked')
  return table.kind === 'yours' ? table.gt(called(table)) : waiting(table).headline
}

function verdict(table: TableState) {
  const outcome = table.now.outcome
  const winner = outcome?.winners[0]
  const how = outcome?.how ?? 'no_result'
  if (winner === undefined) return { headline: table.gt(`ui.end.${how}`), hint: '' }
  const token = present(table).tokens[winner]
  return {
    headline:
      winner === table.me ? table.gt(`ui.end.${how}.me`) : table.gt(`ui.end.${how}`, { name: table.name(winner) }),
    hint: token ? table.gt('ui.end.as', { name: table.name(winner), token: table.term(token) }) : '',
  }
}

function solved(table: TableState): string | null {
  const trio = ((table.truth ?? table.now.view) as State).envelope
  return trio && sentence(table, trio)
}

const client: GameClient = {
  id: 'clue',
  identity: (view, seat) => SUSPECTS.indexOf((view as State).tokens[seat] ?? 'Scarlet'),
  about: (table, seat) => {
    const view = present(table)
    const count = view.sizes[seat]
    return {
      count: count === undefined ? undefined : table.gt('ui.cards', { count }),
      place: place(view, seat, table),
      out: view.out[seat],
    }
  },
  progress: (table) => {
    const { turn, tokens } = present(table)
    return table.gt('ui.round', { round: Math.max(1, Math.ceil(turn / tokens.length)) })
  },
  waiting,
  calling,
  verdict,
  solved,
  answering: (table) => present(table).phase.type === 'Answering',
  holds: (table) => playOf(table).seen !== null,
  grouped,
  begins: ['TurnBegan'],
  words: [
    { title: 'ui.who', words: SUSPECTS },
    { title: 'ui.what', words: WEAPONS },
    { title: 'ui.where', words: ROOMS },
  ],
  state: (table) => new Play(table),
  heard: (table, fresh) => playOf(table).hear(fresh),
  Board,
  Now,
  Hand,
  Notes,
  Solution,
  Held,
}

export default client
