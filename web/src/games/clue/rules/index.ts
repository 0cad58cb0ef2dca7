import type { Section } from '../../../lib/rules'
import Mansion from './Mansion.svelte'
import Shown from './Shown.svelte'
import Trio from './Trio.svelte'

const sections: readonly Section[] = [
  { id: 'goal', Picture: Trio },
  { id: 'setup' },
  { id: 'turn', actions: ['Roll', 'EndTurn'] },
  { id: 'move', actions: ['Move', 'NoMove'], Picture: Mansion },
  { id: 'passage', actions: ['TakePassage'] },
  { id: 'suggest', actions: ['Suggest', 'StayAndSuggest'] },
  { id: 'answer', actions: ['Show', 'CannotShow'], Picture: Shown },
  { id: 'accuse', actions: ['Accuse'] },
  { id: 'variants', actions: ['LookAside'] },
]

export default sections
