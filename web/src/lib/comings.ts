import type { Chair, Room } from './protocol'
import type { Cue } from './sound'

/** Somebody came or went: what is said of it, under `gather.`, and what is heard. */
export interface Coming {
  key: 'sat_down' | 'came' | 'left' | 'away' | 'back'
  name: string
  cue: Extract<Cue, 'sat_down' | 'left'>
}

const isAway = ({ away_ms }: Chair) => away_ms !== null

/** Which people have come or gone between two states of a table, other than me. */
export function comings(before: Room, after: Room): Coming[] {
  const found: Coming[] = []
  for (const chair of after.chairs) {
    const was = before.chairs[chair.seat]
    if (!was) continue
    if (was.kind !== chair.kind || was.name !== chair.name) {
      if (was.kind === 'person' && before.me !== was.seat) found.push({ key: 'left', name: was.name, cue: 'left' })
      if (chair.kind === 'person' && after.me !== chair.seat)
        found.push({ key: 'sat_down', name: chair.name, cue: 'sat_down' })
    } else if (was.called && !chair.called && chair.seat !== after.me) {
      found.push({ key: 'came', name: chair.name, cue: 'sat_down' })
      // Whoever is called to a rematch has not been here yet: neither away nor back.
    } else if (chair.kind === 'person' && !chair.called && chair.seat !== after.me && isAway(was) !== isAway(chair)) {
      const [key, cue] = isAway(chair) ? (['away', 'left'] as const) : (['back', 'sat_down'] as const)
      found.push({ key, name: chair.name, cue })
    }
  }
  return found
}
