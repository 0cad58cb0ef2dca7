/** The things in the box as the server names them; only their order on the page lives here. */
import type { Assistant, Card, Colour, Element } from './types'

export type Location = 'Bar' | 'Restaurant' | 'SunDeck' | 'Library'
export type Time = '3' | '6' | '9' | '12'

export const LOCATIONS: readonly Location[] = ['Bar', 'Restaurant', 'SunDeck', 'Library']
export const TIMES: readonly Time[] = ['3', '6', '9', '12']
export const ELEMENTS: readonly Element[] = [...LOCATIONS, ...TIMES]
/** In the order of their letters. */
export const ASSISTANTS: readonly Assistant[] = ['Journalist', 'Captain', 'Psychiatrist', 'Priest', 'Cook']

export const letterOf = (assistant: Assistant): string => 'ABCDE'[ASSISTANTS.indexOf(assistant)] as string
export const cardOf = (location: Location, time: Time): Card => `${location}-${time}`
export const partsOf = (card: Card): [Location, Time] => card.split('-') as [Location, Time]
export const isTime = (element: Element): element is Time => TIMES.includes(element as Time)
export const isLocation = (element: Element): element is Location => LOCATIONS.includes(element as Location)
export const isCard = (word: string): word is Card => /^(Bar|Restaurant|SunDeck|Library)-(3|6|9|12)$/.test(word)

/** Which of the six identities a colour of the box is; see lib/seats.ts. */
const IDENTITY: Readonly<Record<Colour, number>> = { red: 0, yellow: 1, white: 2, green: 3, blue: 4 }
export const identityOf = (colour: Colour): number => IDENTITY[colour]
