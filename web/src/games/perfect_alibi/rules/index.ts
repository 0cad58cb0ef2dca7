import type { Section } from '../../../lib/rules'
import Assistants from './Assistants.svelte'
import OnBoard from './OnBoard.svelte'
import Row from './Row.svelte'

const sections: readonly Section[] = [
  { id: 'goal', Picture: OnBoard },
  { id: 'assistants', actions: ['PickAssistant', 'AskFreely', 'DrawCard', 'LetShow'], Picture: Assistants },
  { id: 'chip', actions: ['TakeChip'], Picture: Row },
  { id: 'change', actions: ['ChangeAssistant', 'TakeReplacement'] },
  { id: 'ask', actions: ['Ask', 'Answer', 'Announce'] },
  { id: 'show', actions: ['Show'] },
  { id: 'slam', actions: ['Slam'] },
  { id: 'last', actions: ['AskLast', 'Name'] },
  { id: 'doubt', actions: ['Confirm', 'Correct', 'ShowLate'] },
  { id: 'variants', actions: ['Accuse'] },
]

export default sections
