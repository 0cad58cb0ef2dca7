/** The six identities that a seat can wear, the same in every game: never colour alone, always letter and shape too. */
export type Shape = 'circle' | 'triangle' | 'square' | 'diamond' | 'cross' | 'star'

export interface Identity {
  readonly letter: string
  readonly fill: string
  /** The letter's colour on the fill. */
  readonly ink: string
  readonly shape: Shape
  /** A key of the shell's texts under `seat.` */
  readonly name: string
}

const INK = '#211D18'
const WHITE = '#FFFFFF'

export const IDENTITIES: readonly Identity[] = [
  { letter: 'S', fill: '#C94526', ink: WHITE, shape: 'circle', name: 'scarlet' },
  { letter: 'M', fill: '#EEBD38', ink: INK, shape: 'triangle', name: 'mustard' },
  { letter: 'W', fill: '#FBF8F0', ink: INK, shape: 'square', name: 'white' },
  { letter: 'G', fill: '#55AB87', ink: INK, shape: 'diamond', name: 'green' },
  { letter: 'K', fill: '#2055A8', ink: WHITE, shape: 'cross', name: 'peacock' },
  { letter: 'P', fill: '#451C4B', ink: WHITE, shape: 'star', name: 'plum' },
]

export function identity(index: number): Identity {
  return IDENTITIES[((index % IDENTITIES.length) + IDENTITIES.length) % IDENTITIES.length] as Identity
}
