import type { Drop, Floor } from './hotel'
import type { Opening } from './log'

/** What my ear made of a drop: one floor that I am sure of, and others perhaps. */
export interface Guess {
  sure: Floor | null
  perhaps: readonly Floor[]
}

/** My guess for a drop is kept as a mark of mine, under the drop's number: the sure floor first ("-" for none). */
export const guessKey = (nth: number) => ['drop', String(nth)] as const

export function readGuess(mark: string): Guess {
  const [first, ...rest] = [...mark]
  if (first === undefined) return { sure: null, perhaps: [] }
  return { sure: first === '-' ? null : Number(first), perhaps: rest.map(Number) }
}

export const writeGuess = ({ sure, perhaps }: Guess): string =>
  sure === null && !perhaps.length ? '' : (sure === null ? '-' : String(sure)) + perhaps.join('')

/** The first tap is what I am sure of, others are perhaps; a second tap takes either back. */
export function tapped({ sure, perhaps }: Guess, floor: Floor): Guess {
  if (floor === sure) return { sure: null, perhaps }
  if (perhaps.includes(floor)) return { sure, perhaps: perhaps.filter((other) => other !== floor) }
  if (sure === null && !perhaps.length) return { sure: floor, perhaps }
  return { sure, perhaps: [...perhaps, floor].sort() }
}

/** A guess that still stands somewhere on my sheet. */
export interface Standing {
  drop: Drop
  floor: Floor
  sure: boolean
}

/** What of my guesses still stands: whoever looked at a floor has taken out whatever lay there. */
export function standing(
  drops: readonly Drop[],
  looks: readonly Opening[],
  guessOf: (drop: Drop) => Guess,
): Standing[] {
  return drops.flatMap((drop) => {
    const cleared = new Set(looks.filter(({ seq }) => seq > drop.seq).map(({ event }) => event.floor))
    const { sure, perhaps } = guessOf(drop)
    return [...(sure === null ? [] : [{ drop, floor: sure, sure: true }])]
      .concat(perhaps.map((floor) => ({ drop, floor, sure: false })))
      .filter(({ floor }) => !cleared.has(floor))
  })
}
