/** How each room is furnished: floor, and where picture, name and visitors stand. One unit is one square. */
import type { Room } from '../types'

export const INK = '#211D18'
export const CREAM = '#F4E9D2'

export type Pattern =
  'planks' | 'marble' | 'carpet' | 'parquet' | 'boards' | 'herringbone' | 'diamonds' | 'chevrons' | 'checks'

interface Floor {
  readonly pattern: Pattern
  readonly ground: string
  /** The pattern's lines, or its second colour. */
  readonly lines: string
}

export const FLOORS: Readonly<Record<Room, Floor>> = {
  Study: { pattern: 'planks', ground: '#D6BF95', lines: '#B79A68' },
  Hall: { pattern: 'marble', ground: '#EAE0CA', lines: '#CDBE9E' },
  Lounge: { pattern: 'carpet', ground: '#DFB3A4', lines: '#C48D7C' },
  Library: { pattern: 'parquet', ground: '#D2B68A', lines: '#B2935F' },
  BilliardRoom: { pattern: 'boards', ground: '#C2CBA3', lines: '#A1AD7E' },
  DiningRoom: { pattern: 'herringbone', ground: '#E2BF97', lines: '#C39C6D' },
  Conservatory: { pattern: 'diamonds', ground: '#C5D9C6', lines: '#9DBBA0' },
  Ballroom: { pattern: 'chevrons', ground: '#E5D5B0', lines: '#C9B486' },
  Kitchen: { pattern: 'checks', ground: '#D5DBDB', lines: '#BCC6C8' },
}

/** By lamp light a dark veil lies on every room but the lit ones, so that cream names can be read. */
export const VEIL = { colour: '#1C1006', opacity: 0.59 } as const

/** The lamp on a room that can be entered now: the same by day and by lamp light, and its name stays ink. */
export const LIT = { colour: '#F6CE6B', opacity: 0.72 } as const

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Furnishing {
  readonly emblem: { readonly x: number; readonly y: number; readonly size: number }
  /** The middle of the name's line, and how wide it may be. */
  readonly name: { readonly x: number; readonly y: number; readonly width: number }
  /** Where tokens and weapons stand; nothing else is drawn there. */
  readonly free: Box
}

export const FURNISHING: Readonly<Record<Room, Furnishing>> = {
  Study: {
    emblem: { x: 2.75, y: 0.2, size: 1.4 },
    name: { x: 3.45, y: 1.98, width: 6.2 },
    free: { x: 0.25, y: 2.4, width: 6.5, height: 1.5 },
  },
  Hall: {
    emblem: { x: 11, y: 0.4, size: 2 },
    name: { x: 12, y: 2.95, width: 5.4 },
    free: { x: 9.25, y: 3.5, width: 5.5, height: 3.3 },
  },
  Lounge: {
    emblem: { x: 19.6, y: 0.35, size: 2 },
    name: { x: 20.6, y: 2.9, width: 6 },
    free: { x: 17.25, y: 3.4, width: 6.5, height: 2.4 },
  },
  Library: {
    emblem: { x: 2.6, y: 6.25, size: 1.5 },
    name: { x: 3.35, y: 8.25, width: 6.2 },
    free: { x: 1.1, y: 8.72, width: 4.8, height: 2.16 },
  },
  BilliardRoom: {
    emblem: { x: 2.2, y: 12.25, size: 1.6 },
    name: { x: 3, y: 14.33, width: 5.6 },
    free: { x: 0.25, y: 14.8, width: 5.5, height: 2.08 },
  },
  DiningRoom: {
    emblem: { x: 19, y: 9.5, size: 2 },
    name: { x: 20, y: 12.05, width: 7 },
    free: { x: 16.4, y: 12.6, width: 7.3, height: 2.3 },
  },
  Conservatory: {
    emblem: { x: 1.75, y: 19.2, size: 1.5 },
    name: { x: 2.9, y: 21.2, width: 5.5 },
    free: { x: 1.15, y: 21.66, width: 4.6, height: 2.2 },
  },
  Ballroom: {
    emblem: { x: 11, y: 17.5, size: 2 },
    name: { x: 12, y: 20.05, width: 7 },
    free: { x: 8.4, y: 20.55, width: 7.2, height: 2.3 },
  },
  Kitchen: {
    emblem: { x: 19.75, y: 18.25, size: 1.7 },
    name: { x: 20.8, y: 20.5, width: 5.5 },
    free: { x: 18.25, y: 20.98, width: 4.7, height: 2.85 },
  },
}

/** The hidden stairs lie in the four corners of the house: upper left corner of their square. */
export const HATCHES: Readonly<Partial<Record<Room, readonly [x: number, y: number]>>> = {
  Study: [0, 0],
  Lounge: [23, 0],
  Conservatory: [0, 23],
  Kitchen: [23, 23],
}

export interface Spot {
  readonly x: number
  readonly y: number
  readonly scale: number
}

/** How large a token and the air round it are at scale 1. */
const NEEDS = { width: 1.04, height: 1.2 } as const

/** Places for so many tokens in a room's free part, as large as they fit, row by row, each row centred. */
export function spots(room: Room, count: number): readonly Spot[] {
  const { x, y, width, height } = FURNISHING[room].free
  let best = { columns: 1, rows: count, scale: 0 }
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns)
    const scale = Math.min(1, width / (columns * NEEDS.width), height / (rows * NEEDS.height))
    if (scale >= best.scale) best = { columns, rows, scale }
  }
  const { rows, scale } = best
  const columns = Math.ceil(count / rows) // rows of even length
  const stepX = Math.min(width / columns, 1.5)
  const stepY = height / rows
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns)
    const inRow = Math.min(columns, count - row * columns)
    return {
      x: x + width / 2 + ((index % columns) - (inRow - 1) / 2) * stepX,
      y: y + (row + 0.5) * stepY,
      scale,
    }
  })
}

/** The size of a room's name in squares: as a rule 0.76, smaller for names that would not fit. */
export function nameSize(room: Room, name: string): number {
  // 0.5 of the size is a generous width for a letter of bold Alegreya.
  return Math.min(0.76, FURNISHING[room].name.width / (0.52 * Math.max(1, name.length)))
}
