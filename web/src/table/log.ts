import type { Group } from '../games'
import type { Message, Told } from '../lib/protocol'

export type Filter = { by: 'all' } | { by: 'me' } | { by: 'seat'; seat: number } | { by: 'word'; word: string }

const isUndone = (event: unknown): event is { type: 'Undone'; back_to: number } =>
  (event as { type?: string } | null)?.type === 'Undone'

/** Leave out what was taken back; the line that says so stays. */
export function standing(log: readonly Told[]): Told[] {
  const kept: Told[] = []
  for (const told of log) {
    if (isUndone(told.event)) {
      while (kept.length && (kept.at(-1) as Told).seq > told.event.back_to) kept.pop()
    }
    kept.push(told)
  }
  return kept
}

/** One line, one group: what a game without its own grouping gets. */
export const singly = (log: readonly Told[]): Group[] => log.map((told) => ({ seat: actor(told.line), lines: [told] }))

/** Whose doing a line tells: by custom of all games the parameter `seat`. */
export function actor(line: Message): number | null {
  const seat = line.params.seat
  return typeof seat === 'object' && !Array.isArray(seat) && seat.type === 'who' ? seat.seat : null
}

/** Whether a line speaks of this. */
export function speaksOf(line: Message, what: { seat: number } | { word: string }): boolean {
  return Object.values(line.params).some((param) => {
    if (typeof param !== 'object') return false
    if (Array.isArray(param)) return 'word' in what && param.some(({ word }) => word === what.word)
    if (param.type === 'who') return 'seat' in what && param.seat === what.seat
    return 'word' in what && param.word === what.word
  })
}

/** Keep the groups in which a line speaks of what is looked for. */
export function filtered(groups: readonly Group[], filter: Filter, me: number | null): Group[] {
  if (filter.by === 'all') return [...groups]
  if (filter.by === 'me' && me === null) return []
  const what =
    filter.by === 'word' ? { word: filter.word } : { seat: filter.by === 'me' ? (me as number) : filter.seat }
  return groups.filter(({ lines }) => lines.some(({ line }) => speaksOf(line, what)))
}

/**
 * What somebody who was away should read, at most `most` groups in the order in which they happened: first what
 * concerns them or what their stand-in did, then the latest of the rest.
 */
export function digested(groups: readonly Group[], me: number, stoodIn: readonly number[], most = 6): Group[] {
  const mine = new Set(stoodIn)
  const told = groups.filter(({ quiet }) => !quiet)
  const concerning = told.filter(({ lines }) =>
    lines.some(({ seq, line }) => mine.has(seq) || speaksOf(line, { seat: me })),
  )
  const rest = told.filter((group) => !concerning.includes(group))
  const chosen = new Set([
    ...concerning.slice(-most),
    ...rest.slice(-Math.max(0, most - concerning.length) || told.length),
  ])
  return told.filter((group) => chosen.has(group)).slice(-most)
}

/** The number of the group that was open at an event: "You see No. 8". */
export function numberAt(groups: readonly Group[], seq: number): number | null {
  let number: number | null = null
  for (const group of groups) {
    if ((group.lines[0]?.seq ?? Infinity) > seq) break
    number = group.number ?? number
  }
  return number
}
