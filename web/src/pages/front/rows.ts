/** How doors stand in rows: how many beside each other on a wide wall, one of middling width and a narrow one. */
export interface Rows {
  wide: number
  middle: number
  narrow: number
  /** Where a door starts that is the first of a last row with gaps, by width; a column is as wide as half a door. */
  starts(place: number): Readonly<Record<'wide' | 'middle' | 'narrow', number | 'auto'>>
}

/** Five stand in one row where there is room. More than that stand in rows that are as even as can be. */
export function rowsOf(count: number): Rows {
  const wide = count > 5 ? Math.ceil(count / Math.ceil(count / 4)) : Math.max(count, 1)
  const columns = { wide, middle: wide === 5 ? 3 : wide, narrow: Math.min(wide, 2) }
  const start = (place: number, row: number) => {
    const rest = count % row
    return rest > 0 && place === count - rest ? row - rest + 1 : 'auto'
  }
  return {
    ...columns,
    starts: (place) => ({
      wide: start(place, columns.wide),
      middle: start(place, columns.middle),
      narrow: start(place, columns.narrow),
    }),
  }
}
