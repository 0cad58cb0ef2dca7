import { describe, expect, test } from 'vitest'
import { rowsOf } from './rows'

test.each([
  [1, 1, 1, 1],
  [2, 2, 2, 2],
  [4, 4, 4, 2],
  [5, 5, 3, 2],
  [6, 3, 3, 2],
  [7, 4, 4, 2],
  [9, 3, 3, 2],
  [11, 4, 4, 2],
])('%i doors stand %i, %i or %i in a row', (count, wide, middle, narrow) => {
  expect(rowsOf(count)).toMatchObject({ wide, middle, narrow })
})

describe('the last row', () => {
  const starts = (count: number) => Array.from({ length: count }, (_, place) => rowsOf(count).starts(place))

  test('stands in the middle if it is not full', () => {
    const [row, last] = [starts(7).slice(0, -1), starts(7).at(-1)]
    expect(row.map(({ wide }) => wide)).toEqual(['auto', 'auto', 'auto', 'auto', 2, 'auto'])
    expect(row.map(({ narrow }) => narrow)).toEqual(Array(6).fill('auto'))
    expect(last).toEqual({ wide: 'auto', middle: 'auto', narrow: 2 })
  })

  test('needs no place of its own if it is', () => {
    expect(starts(6).flatMap((each) => Object.values(each))).toEqual(Array(18).fill('auto'))
  })
})
