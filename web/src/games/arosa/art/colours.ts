import { identity as identityOf } from '../../../lib/seats'

export interface Look {
  fill: string
  ink: string
  /** A victim has none: it bears a cross. */
  letter: string | null
}

/** How a cube looks: as the seat that owns it, or as a victim. */
export function inkOf(identity: number | null): Look {
  if (identity === null) return { fill: '#8C1226', ink: '#FFFFFF', letter: null }
  return identityOf(identity)
}
