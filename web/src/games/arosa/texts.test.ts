import { expect, it } from 'vitest'
import en from '@games-texts/arosa/texts/en.json'
import { colourOf, FLOORS, VICTIM } from './hotel'

const english: Record<string, string> = en

it('every colour and floor has its word', () => {
  for (const owner of [0, 1, 2, 3, 4, 5, VICTIM]) expect(english).toHaveProperty([`term.${colourOf(owner)}`])
  for (const floor of FLOORS) expect(english).toHaveProperty([`term.floor ${floor}`])
})

it('every action has a name and a rule with its number', () => {
  for (const action of 'Inspect Suspect Ground CoverTracks TakeBack Arrange Drop'.split(' ')) {
    expect(english).toHaveProperty([`action.${action}`])
    expect(english[`rule.${action}`]).toMatch(/\(AROSA-\d+/)
  }
})

it('every phase has its words for whoever waits and for whoever is called', () => {
  for (const phase of 'Searching Accusing TakingBack Arranging Falling Over'.split(' ')) {
    expect(english).toHaveProperty([`now.wait.${phase}`])
    expect(english).toHaveProperty([`now.call.${phase}`])
  }
})
