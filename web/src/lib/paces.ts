import type { Chair, Pace, Room } from './protocol'

/** What most people choose from, quickest bots first; whatever else there is stands under "more". */
const USUAL: readonly Pace[] = ['brisk', 'at_once', 'normal']
const MORE: readonly Pace[] = ['quick', 'steady', 'slow', 'unhurried']
/** For one person among bots whom nobody can watch. */
const SOLO: readonly Pace[] = ['brisk', 'at_once']

/** The paces at which a new table may play. */
export const pacesFor = (alone: boolean): Pace[] => [...USUAL.filter((pace) => alone || !SOLO.includes(pace)), ...MORE]

/** Those of these paces that lie open, and those under "more"; where nearly all would lie there, all lie open. */
export function unfolded(paces: readonly Pace[]): { open: Pace[]; more: Pace[] } {
  const open = USUAL.filter((pace) => paces.includes(pace))
  const more = MORE.filter((pace) => paces.includes(pace))
  return open.length > 1 ? { open, more } : { open: [...open, ...more], more: [] }
}

/** What is to be said of the pace between two states of a table, as a key under `pace.` */
export function paceNews(before: Room, after: Room): 'changed' | 'watched' | null {
  if (before.pace === after.pace) return null
  // Whoever could play alone and no longer can has not wished for that: somebody else can watch now.
  const lost = before.paces.includes(before.pace) && !after.paces.includes(before.pace)
  return lost ? 'watched' : 'changed'
}

/** A pace that somebody would like, and who. */
export interface PaceWish {
  pace: Pace
  seats: number[]
}

/** What is wished for at a table, each pace once. */
export function paceWishes(chairs: readonly Chair[]): PaceWish[] {
  const wishes = new Map<Pace, number[]>()
  for (const { seat, wants_pace: pace } of chairs)
    if (pace !== null) wishes.set(pace, [...(wishes.get(pace) ?? []), seat])
  return [...wishes].map(([pace, seats]) => ({ pace, seats }))
}
