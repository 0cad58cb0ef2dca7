/** Where the rooms and clocks are on the ship's picture of 672 by 318, and what they are painted with. */
import type { Location, Time } from '../things'

export interface Room {
  x: number
  y: number
  width: number
  fill: string
}

export const ROOMS: Readonly<Record<Location, Room>> = {
  SunDeck: { x: 165, y: 116, width: 172, fill: '#F0D9AE' },
  Restaurant: { x: 345, y: 116, width: 172, fill: '#E6BFA4' },
  Bar: { x: 152, y: 166, width: 186, fill: '#CFDAD5' },
  Library: { x: 346, y: 166, width: 184, fill: '#D9C8A2' },
}
export const CLOCKS: Readonly<Record<Time, { x: number; y: number }>> = {
  '3': { x: 20, y: 20 },
  '6': { x: 104, y: 8 },
  '9': { x: 512, y: 8 },
  '12': { x: 596, y: 20 },
}
export const INK = '#211D18'
/** What is being asked about. */
export const LAMP = '#F6CE6B'
export const PALE = '#F4E9D2'
/** The lightest sky behind a clock's figure. */
export const SKY = '#33507A'
