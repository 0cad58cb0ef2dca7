import type { Room } from '../../lib/protocol'

/** Which people have sat down or left between two states of a table, other than me. */
export function comings(before: Room, after: Room): { key: 'sat_down' | 'left'; name: string }[] {
  const found: { key: 'sat_down' | 'left'; name: string }[] = []
  for (const chair of after.chairs) {
    const was = before.chairs[chair.seat]
    if (!was || (was.kind === chair.kind && was.name === chair.name)) continue
    if (was.kind === 'person' && before.me !== was.seat) found.push({ key: 'left', name: was.name })
    if (chair.kind === 'person' && after.me !== chair.seat) found.push({ key: 'sat_down', name: chair.name })
  }
  return found
}
