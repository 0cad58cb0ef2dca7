import type { Section } from '../../../lib/rules'
import Noise from './Noise.svelte'
import Opened from './Opened.svelte'

const sections: readonly Section[] = [
  { id: 'goal', Picture: Opened },
  { id: 'drop', actions: ['Drop'], Picture: Noise },
  { id: 'prologue' },
  { id: 'search', actions: ['Inspect'] },
  { id: 'back', actions: ['Arrange'] },
  { id: 'suspect', actions: ['Suspect'] },
  { id: 'ground', actions: ['Ground'] },
  { id: 'cover', actions: ['CoverTracks', 'TakeBack'] },
  { id: 'end' },
  { id: 'variants' },
]

export default sections
