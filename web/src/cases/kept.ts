import { keep, recall } from '../lib/store'

/** What somebody has written while solving a case; it stays on this device. */
export interface Kept {
  marks: Readonly<Record<string, string>>
  words: string
}

/** Of so many cases, the latest. */
const MOST = 40
const NOTHING: Kept = { marks: {}, words: '' }

const all = () => recall<Readonly<Record<string, Kept>>>('cases', {})

export const kept = (id: string): Kept => all()[id] ?? NOTHING

export function keepOf(id: string, what: Kept): void {
  const { [id]: _, ...others } = all()
  keep('cases', Object.fromEntries([...Object.entries(others).slice(1 - MOST), [id, what]]))
}
