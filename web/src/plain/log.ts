import type { Group } from '../games'
import type { Told } from '../lib/protocol'
import { actor } from '../table/log'

/**
 * What one action brought about is one entry with a number: it happened at one moment. How the table was laid is a quiet
 * one without a number.
 */
export function grouped(log: readonly Told[]): Group[] {
  const groups: { at: number; lines: Told[] }[] = []
  for (const told of log) {
    const last = groups.at(-1)
    if (last && told.at > 0 && last.at === told.at) last.lines.push(told)
    else groups.push({ at: told.at, lines: [told] })
  }
  return groups.map(({ lines }, place) => {
    const seat = lines.map(({ line }) => actor(line)).find((found) => found !== null) ?? null
    return place === 0 ? { seat: null, lines, quiet: true } : { seat, number: place, lines }
  })
}
