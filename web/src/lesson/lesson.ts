import type { Cell, OfferNow, Told } from '../lib/protocol'
import { read } from '../lib/read'
import type { Deed } from '../table/offers'

export type Place = 'now' | 'board' | 'hand' | 'notes' | 'log'

/** A moment, as whodunit/core/lesson.py describes it: all that is named here holds. */
export interface When {
  offer?: string
  event?: string
  fields?: Readonly<Record<string, readonly unknown[]>>
  last?: boolean
  certain?: readonly [string, number]
}

export interface Step {
  text: string
  when: When
  at: Place
}

export interface Lesson {
  steps: readonly Step[]
  /** The column of the notes that holds the solution, and of how many things that is made; null: no column does. */
  answer: readonly [string, number] | null
  /** By the last event told, as long as everything happens as it was staged. */
  advice: Readonly<Record<string, Deed>>
}

/** What a page sees of a moment. */
export interface Moment {
  offers: readonly OfferNow[]
  log: readonly Told[]
  cells: readonly Cell[]
}

const LESSONS = import.meta.glob<string>('../../../src/whodunit/games/*/lesson/case.json', {
  query: '?url',
  import: 'default',
  eager: true,
})

export async function loadLesson(game: string): Promise<Lesson> {
  const built = LESSONS[`../../../src/whodunit/games/${game}/lesson/case.json`]
  return read<Lesson>(built ?? `/api/games/${game}/lesson`)
}

/** Whether so many entries of a column of the notes are a certain yes. */
export const isCertain = (cells: readonly Cell[], [column, count]: readonly [string, number]) =>
  cells.filter((cell) => cell.column === column && cell.mark === 'yes').length >= count

/** Whether it is that moment. */
export function holds(when: When, { offers, log, cells }: Moment): boolean {
  if (when.offer !== undefined && !offers.some(({ action }) => action === when.offer)) return false
  if (when.event !== undefined && !(when.last ? log.slice(-1) : log).some((told) => fits(when, told))) return false
  return when.certain === undefined || isCertain(cells, when.certain)
}

function fits({ event, fields = {} }: When, told: Told): boolean {
  const seen = told.event as Readonly<Record<string, unknown>>
  return seen.type === event && Object.entries(fields).every(([name, of]) => of.includes(seen[name]))
}
