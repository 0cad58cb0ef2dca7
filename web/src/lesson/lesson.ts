import type { Cell, OfferNow, Told } from '../lib/protocol'
import { read } from '../lib/read'

export type Place = 'now' | 'board' | 'notes' | 'log'

/** A moment, as whodunit/core/lesson.py describes it: all that is named here holds. */
export interface When {
  offer?: string
  /** In so many ways at least. */
  least?: number
  event?: string
  fields?: Readonly<Record<string, readonly unknown[]>>
  last?: boolean
  certain?: readonly [string, number]
}

export interface Step {
  text: string
  when: When
  /** What it speaks of; null: of nothing on the page. */
  at: Place | null
  /** What is said besides, where it is so. */
  more?: readonly { text: string; when: When }[]
}

export interface Lesson {
  steps: readonly Step[]
  /** The column of the notes that holds the solution, and of how many things that is made; null: no column does. */
  answer: readonly [string, number] | null
  /** The event by which a player says what the solution is: what is proved only after it was a guess. */
  claim: string | null
}

/** What a page sees of a moment. */
export interface Moment {
  offers: readonly OfferNow[]
  log: readonly Told[]
  cells: readonly Cell[]
}

/** A step as it is said. */
export interface Said {
  step: Step
  texts: readonly string[]
  /** The number of the event of which it speaks; null: it speaks of what I may do now. */
  about: number | null
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

/** Whether it is that moment; of what is said about an event, whether that one fits. */
export function holds(when: When, moment: Moment, about?: Told): boolean {
  const offer = when.offer === undefined ? undefined : moment.offers.find(({ action }) => action === when.offer)
  if (when.offer !== undefined && (!offer || ways(offer) < (when.least ?? 1))) return false
  if (when.event !== undefined && !(about ? fits(when, about) : spoken(when, moment.log))) return false
  return when.certain === undefined || isCertain(moment.cells, when.certain)
}

/** What is to be said of a moment. */
export function said(step: Step, moment: Moment): Said {
  const about = step.when.offer === undefined ? spoken(step.when, moment.log) : undefined
  const more = (step.more ?? []).filter(({ when }) => holds(when, moment, about))
  return { step, texts: [step.text, ...more.map(({ text }) => text)], about: about?.seq ?? null }
}

/** The newest event of which a step speaks. */
const spoken = (when: When, log: readonly Told[]) =>
  (when.last ? log.slice(-1) : log).findLast((told) => fits(when, told))

function fits({ event, fields = {} }: When, told: Told): boolean {
  const seen = told.event as Readonly<Record<string, unknown>>
  return seen.type === event && Object.entries(fields).every(([name, of]) => of.includes(seen[name]))
}

/** What was told before I said what the solution is; else what came before the last lines, which tell everybody. */
export function beforeMyWord(log: readonly Told[], claim: string | null, me: number | null): readonly Told[] {
  const said = log.findLast((told) => claim !== null && fits({ event: claim, fields: { seat: [me] } }, told))
  const closing = (said ?? log.at(-1))?.batch ?? 0
  return log.filter(({ batch }) => batch < closing)
}

/** In how many ways an offer can be taken. */
const ways = ({ choices }: OfferNow) => Object.values(choices).reduce((count, choice) => count * open(choice), 1)

function open(choice: OfferNow['choices'][string]): number {
  const all = choice.of.length
  if (choice.type === 'one') return all
  if (choice.type === 'order') return arranged(all)
  return Array.from({ length: choice.most - choice.least + 1 }, (_, more) => chosen(all, choice.least + more)).reduce(
    (sum, count) => sum + count,
    0,
  )
}

const arranged = (all: number): number => (all > 1 ? all * arranged(all - 1) : 1)

const chosen = (all: number, some: number): number =>
  some > all ? 0 : arranged(all) / arranged(some) / arranged(all - some)
