import type { Group } from '../games'
import type { Told } from '../lib/protocol'
import { actor } from '../table/log'

/** What one action brought about is one entry with a number. How the table was laid is a quiet one without a number. */
export function grouped(log: readonly Told[]): Group[] {
  const groups: Told[][] = []
  for (const told of log) {
    const last = groups.at(-1)
    if (last?.[0]?.batch === told.batch) last.push(told)
    else groups.push([told])
  }
  return groups.map((lines, place) => {
    const seat = lines.map(({ line }) => actor(line)).find((found) => found !== null) ?? null
    return place === 0 ? { seat: null, lines, quiet: true } : { seat, number: place, lines }
  })
}
