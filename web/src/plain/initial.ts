/** What stands in a card's cameo: a short name itself, else how its longest word begins; articles and titles are short. */
export function initial(name: string): string {
  if (name.length <= 3) return name
  const longest = name.split(/\s+/).reduce((one, other) => (other.length >= one.length ? other : one), '')
  return [...longest][0]?.toUpperCase() ?? ''
}
