import { expect, it } from 'vitest'
import en from '@games-texts/clue/texts/en.json'
import { ROOMS, SUSPECTS, WEAPONS } from './places'

it('every card has the forms that sentences need', () => {
  const texts: Record<string, string> = en
  for (const card of [...SUSPECTS, ...WEAPONS, ...ROOMS]) expect(texts).toHaveProperty([`form.the.${card}`])
  for (const suspect of SUSPECTS) expect(texts).toHaveProperty([`form.of.${suspect}`])
  for (const weapon of WEAPONS) expect(texts).toHaveProperty([`form.with.${weapon}`])
  for (const room of ROOMS) {
    for (const form of ['in', 'into', 'of']) expect(texts).toHaveProperty([`form.${form}.${room}`])
  }
})

it('every action has a name and a rule with its number', () => {
  const texts: Record<string, string> = en
  const actions = 'Roll Move TakePassage StayAndSuggest NoMove Suggest Show CannotShow LookAside Accuse EndTurn'
  for (const action of actions.split(' ')) {
    expect(texts).toHaveProperty([`action.${action}`])
    expect(texts[`rule.${action}`]).toMatch(/\(CLUE-V?\d+/)
  }
})
