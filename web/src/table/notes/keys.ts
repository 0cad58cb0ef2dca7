/** Where a key leads on a sheet of notes: so many rows and columns on. */
export const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-6, 0],
  PageDown: [6, 0],
  Home: [0, -99],
  End: [0, 99],
}

const MARKS: Readonly<Record<string, string>> = { y: 'yes', n: 'no', '?': 'maybe', Backspace: '', Delete: '' }

/** The mark that a key writes into the cell under it, if it does. */
export function markOf(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined
  return /^[1-4]$/.test(event.key) ? event.key : MARKS[event.key]
}
