/** One option of a game, as the server describes it; its words stand in the game's texts under `option.`. */
export interface Option {
  name: string
  kind: 'switch' | 'number' | 'choice' | 'seat' | 'list'
  default: unknown
  rule: string
  variant: boolean
  values: readonly (string | number)[]
  least: number | null
  most: number | null
  /** Whether it may also be left open (null). */
  optional: boolean
}

export interface Entry {
  id: string
  seats: readonly [number, number]
  options: readonly Option[]
}

let asked: Promise<readonly Entry[]> | null = null

async function fetchAll(): Promise<readonly Entry[]> {
  const response = await fetch('/api/games')
  if (!response.ok) throw new Error(`/api/games answered ${response.status}`)
  return (await response.json()) as readonly Entry[]
}

/** What can be played here and how it can be varied; null while it is unknown. */
export async function entry(game: string): Promise<Entry | null> {
  asked ??= fetchAll()
  try {
    return (await asked).find(({ id }) => id === game) ?? null
  } catch {
    asked = null // the next one who asks tries again
    return null
  }
}

export const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The options that somebody has changed. */
export function changed(options: readonly Option[], chosen: Readonly<Record<string, unknown>>): Option[] {
  return options.filter(({ name, default: usual }) => name in chosen && !same(chosen[name], usual))
}
