export const LONGEST_NAME = 24

/** What is wrong with a name, as a key of the shell's texts; null if nothing is. The server judges for good. */
export function nameFault(name: string): string | null {
  const letters = [...name.trim()].length
  if (letters === 0) return 'join.name.empty'
  return letters > LONGEST_NAME ? 'join.name.long' : null
}

/** Names as a row of words: "Benno, Chloé and Dag". */
export function listed(names: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
}
