/**
 * Where cards are dealt anew, a mark belongs to the deal it was made in: its number stands before the cell. The first
 * deal's marks have none, as every mark had before deals were told apart.
 */
const BETWEEN = '#'

/** The name under which a mark is kept. */
export const keptAs = (cell: string, deal: number): string => (deal > 1 ? `${deal}${BETWEEN}${cell}` : cell)

/** The marks of one deal, by cell. */
export function ofDeal(marks: Readonly<Record<string, string>>, deal: number): Record<string, string> {
  const own = keptAs('', deal)
  return Object.fromEntries(
    Object.entries(marks).flatMap(([key, mark]) =>
      key.startsWith(own) && !key.slice(own.length).includes(BETWEEN) ? [[key.slice(own.length), mark]] : [],
    ),
  )
}
