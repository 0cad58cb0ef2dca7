import type { Section } from '../../../lib/rules'
import Hotel from './Hotel.svelte'
import Lots from './Lots.svelte'

const sections: readonly Section[] = [
  { id: 'goal', Picture: Hotel },
  { id: 'play', actions: ['Play'], Picture: Lots },
  { id: 'guess', actions: ['Guess'] },
  {
    id: 'desk',
    actions: ['TakeDesk', 'Relocate', 'TakeDesk.RELOCATE', 'TakeDesk.LOOK', 'TakeDesk.DUPLICATE', 'TakeDesk.BONUS'],
  },
  { id: 'exchange', actions: ['Exchange', 'Look'] },
  { id: 'last', actions: ['LayLast'] },
  { id: 'score' },
  { id: 'variants' },
]

export default sections
