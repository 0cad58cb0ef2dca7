import { expect, it } from 'vitest'
import de from '@games-texts/crime_hotel/texts/de.json'
import en from '@games-texts/crime_hotel/texts/en.json'
import { CARDS, DEPARTMENTS, PLACES } from './hotel'

const gaps = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
const english: Record<string, string> = en
const german: Record<string, string> = de

it('the texts of Crime Hotel have the same keys and gaps in both languages', () => {
  expect(Object.keys(german)).toEqual(Object.keys(english))
  for (const key of Object.keys(english)) {
    expect([key, gaps(german[key] ?? '')]).toEqual([key, gaps(english[key] ?? '')])
  }
})

it('every card, place and department has its word', () => {
  for (const word of [...CARDS.map(String), ...PLACES, ...DEPARTMENTS]) {
    expect(english).toHaveProperty([`term.${word}`])
  }
  for (const department of DEPARTMENTS) expect(english).toHaveProperty([`ui.about.${department}`])
})

it('every action has a name and a rule with its number', () => {
  for (const action of 'Play Guess TakeDesk Relocate Exchange Look LayLast'.split(' ')) {
    expect(english).toHaveProperty([`action.${action}`])
    expect(english[`rule.${action}`]).toMatch(/\(HOTEL-\d+/)
  }
})
