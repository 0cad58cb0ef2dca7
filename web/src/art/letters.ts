/** How large a card's name is written, in hundredths of the card's width: no word may be cut, so the longest decides. */
export function letters(name: string, most: number, room: number): string {
  const longest = Math.max(1, ...name.split(/[\s-]+/).map((word) => word.length))
  return `${String(Math.min(most, room / longest))}cqi`
}
