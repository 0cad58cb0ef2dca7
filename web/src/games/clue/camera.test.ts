import { expect, test } from 'vitest'
import { Camera } from './camera.svelte'
import type { Point } from './places'

/** A camera on a phone that shows the house in part, from its top left corner. */
function phone(): Camera {
  const camera = new Camera()
  camera.width = 360
  camera.height = 280
  camera.look([0, 0])
  return camera
}

test('what stands in a corner stands where it covers nothing', () => {
  const left: Point = [1, 1]
  const right: Point = [12, 1]
  expect(phone().corner([left], [96, 148])).toEqual({ right: true, bottom: false, covered: 0 })
  expect(phone().corner([right], [96, 148])).toEqual({ right: false, bottom: false, covered: 0 })
  expect(phone().corner([left, right], [96, 140])).toEqual({ right: false, bottom: true, covered: 0 })
})

test('it says when every corner has something to cover', () => {
  const everywhere: Point[] = [
    [1, 1],
    [12, 1],
    [1, 9],
    [12, 9],
    [12, 2],
  ]
  expect(phone().corner(everywhere, [96, 140])).toEqual({ right: false, bottom: false, covered: 1 })
})

test('where it covers nothing that matters anyway, it steps aside for what can be read', () => {
  const name: Point = [12, 1]
  expect(phone().corner([], [96, 148], [name])).toEqual({ right: false, bottom: false, covered: 0 })
  expect(
    phone().corner(
      [
        [1, 1],
        [1, 9],
      ],
      [96, 140],
      [name],
    ),
  ).toEqual({ right: true, bottom: true, covered: 0 })
  expect(
    phone().corner(
      [
        [1, 1],
        [1, 9],
        [12, 9],
      ],
      [96, 140],
      [name],
    ),
  ).toEqual({ right: true, bottom: false, covered: 0 })
})
