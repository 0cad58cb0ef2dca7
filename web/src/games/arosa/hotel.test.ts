import { expect, it } from 'vitest'
import { fit, lift } from './art/fit'
import { colourOf, counted, CUBE, lyingOn, matrixOf, ownerOf, restingOn, SIDES, STOREY, VICTIM, wornBy } from './hotel'
import { inkOf } from './art/colours'

it('colours and owners are the same thing', () => {
  for (const owner of [0, 1, 2, 3, 4, 5, VICTIM]) expect(ownerOf(colourOf(owner))).toBe(owner)
  expect(new Set([0, 1, 2, 3, 4, 5].map(wornBy)).size).toBe(6)
  expect(counted(['red', 'blue', 'yellow', 'blue'])).toEqual([
    { owner: 0, count: 1 },
    { owner: 1, count: 2 },
    { owner: VICTIM, count: 1 },
  ])
})

it('a cube is told by more than its colour', () => {
  const looks = [0, 1, 2, 3, 4, 5].map((seat) => inkOf(wornBy(seat)).letter)
  expect(new Set(looks).size).toBe(6)
  expect(inkOf(null).letter).toBeNull() // a cross instead
})

it('an open floor shows its cubes where they lie', () => {
  const [cube] = lyingOn(3, [{ colour: 'blue', at: [10, -20, 97, 1, 0, 0, 0] }])
  expect(cube).toEqual({ owner: 1, at: [10, -20, 97], turn: [1, 0, 0, 0] })
  // CSS counts y downwards; what stands on the floor still stands on it when it is drawn larger.
  expect(matrixOf(cube as never, 2, 3, 1)).toBe('matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,20,40,194,1)')
  expect(matrixOf(cube as never, 2, 3, 2)).toContain(`,${2 * (3 * STOREY + 2 * 4)},1)`)
})

it('a turn of a quarter is one on the page, mirrored as y is', () => {
  const half = Math.SQRT1_2
  const matrix = matrixOf({ owner: 0, at: [0, 0, 0], turn: [half, 0, 0, half] }, 1, 0, 1)
  expect(matrix).toBe('matrix3d(0,-1,0,0,1,0,0,0,0,0,1,0,0,0,0,1)')
})

it('without physics they stand round the hole, none in another', () => {
  const cubes = lyingOn(
    2,
    Array.from({ length: 16 }, () => ({ colour: 'gray' as const, at: [] })),
  )
  const places = cubes.map(({ at }) => at.join())
  expect(new Set(places).size).toBe(16)
  for (const { at } of cubes) expect(at[2]).toBe(2 * STOREY + CUBE / 2)
})

it('the record of a closed case says whose cube lies where', () => {
  const pose = new DataView(new ArrayBuffer(28))
  ;[0.01, -0.02, 0.004, 1, 0, 0, 0].forEach((number, place) => pose.setFloat32(4 * place, number, true))
  const packed = btoa(String.fromCharCode(...new Uint8Array(pose.buffer)))
  const [mine] = restingOn(0, [
    [8 * 5 + 2, 0, packed],
    [9, 4, ''],
  ])
  expect(mine?.owner).toBe(1)
  expect(mine?.at.map((number) => Math.round(number))).toEqual([10, -20, 4])
  expect(restingOn(4, [[8, 4, '']])[0]?.owner).toBe(VICTIM)
})

it('the tower stays in its frame, lifted or not, beside the buttons', () => {
  for (const [width, height, aside] of [
    [360, 260, 100],
    [360, 420, 100],
    [690, 560, 120],
    [300, 900, 0],
  ] as const) {
    const { mm, x, y } = fit(width, height, aside)
    const half = ((SIDES[0] ?? 0) * Math.SQRT2 * mm) / 2
    const top = y - (8 * STOREY + lift(0)) * Math.cos(Math.PI / 6) * mm
    expect(x - half).toBeGreaterThanOrEqual(aside)
    expect(x + half).toBeLessThanOrEqual(width)
    expect(top).toBeGreaterThanOrEqual(0)
  }
})
