import { expect, it } from 'vitest'
import en from '@games-texts/crime_hotel/texts/en.json'
import { CARDS, DEPARTMENTS, PLACES } from './hotel'

const english: Record<string, string> = en

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
