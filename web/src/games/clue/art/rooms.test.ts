import { describe, expect, it } from 'vitest'
import type { Room } from '../types'
import { roomCells, ROOMS } from './grid'
import { CREAM, FLOORS, FURNISHING, HATCHES, INK, LIT, nameSize, spots, VEIL } from './rooms'

const rgb = (hex: string): number[] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))

function over(top: string, opacity: number, ground: string): number[] {
  const below = rgb(ground)
  return rgb(top).map((part, at) => part * opacity + (below[at] ?? 0) * (1 - opacity))
}

function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const grounds = (room: Room): string[] => [FLOORS[room].ground, FLOORS[room].lines]

describe('room names are readable (4.5:1) on the floor and on its pattern', () => {
  it.each(ROOMS)('%s by day', (room) => {
    for (const ground of grounds(room)) expect(contrast(rgb(INK), rgb(ground))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(ROOMS)('%s by lamp light', (room) => {
    for (const ground of grounds(room)) {
      expect(contrast(rgb(CREAM), over(VEIL.colour, VEIL.opacity, ground))).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(ROOMS)('%s when lit', (room) => {
    for (const ground of grounds(room)) {
      expect(contrast(rgb(INK), over(LIT.colour, LIT.opacity, ground))).toBeGreaterThanOrEqual(4.5)
    }
  })
})

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const apart = (one: Box, other: Box): boolean =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y

function inside(room: Room, { x, y, width, height }: Box): boolean {
  const cells = new Set(roomCells(room).map(({ row, col }) => `${String(row)} ${String(col)}`))
  for (let row = Math.floor(y); row < y + height; row += 1) {
    for (let col = Math.floor(x); col < x + width; col += 1)
      if (!cells.has(`${String(row)} ${String(col)}`)) return false
  }
  return true
}

/** Names as long as the longest that English and German have, over-estimated like in nameSize. */
function nameBox(room: Room, name: string): Box {
  const { x, y } = FURNISHING[room].name
  const size = nameSize(room, name)
  const width = 0.52 * size * name.length
  return { x: x - width / 2, y: y - size * 0.45, width, height: size * 0.9 }
}

describe.each(ROOMS)('%s', (room) => {
  const { emblem, free } = FURNISHING[room]
  const picture = { x: emblem.x, y: emblem.y, width: emblem.size, height: emblem.size }
  const name = nameBox(room, 'Conservatory')

  it('holds picture, name and free part inside its walls, none over another', () => {
    for (const box of [picture, name, free]) expect(inside(room, box)).toBe(true)
    expect(apart(picture, name)).toBe(true)
    expect(apart(name, free)).toBe(true)
    expect(apart(picture, free)).toBe(true)
    const hatch = HATCHES[room]
    if (hatch === undefined) return
    const well = { x: hatch[0], y: hatch[1], width: 1, height: 1 }
    for (const box of [picture, name, free]) expect(apart(well, box)).toBe(true)
  })

  it('shrinks a name that is too long', () => {
    expect(nameBox(room, 'Arbeitszimmer des Hausherrn').width).toBeLessThanOrEqual(FURNISHING[room].name.width + 1e-9)
  })

  it('has room for all twelve pieces, at a size that can still be read', () => {
    for (let count = 1; count <= 12; count += 1) {
      const places = spots(room, count)
      expect(places.length).toBe(count)
      for (const { x, y, scale } of places) {
        expect(scale).toBeGreaterThan(0.58)
        expect(x - 0.5 * scale).toBeGreaterThanOrEqual(free.x - 1e-9)
        expect(x + 0.5 * scale).toBeLessThanOrEqual(free.x + free.width + 1e-9)
        expect(y).toBeGreaterThan(free.y)
        expect(y).toBeLessThan(free.y + free.height)
      }
    }
  })
})
