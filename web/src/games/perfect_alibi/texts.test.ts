import { expect, it } from 'vitest'
import en from '@games-texts/perfect_alibi/texts/en.json'
import { ASSISTANTS, cardOf, ELEMENTS, LOCATIONS, TIMES } from './things'

const english: Record<string, string> = en

it('every card, element and assistant has the words that sentences need', () => {
  const cards = LOCATIONS.flatMap((location) => TIMES.map((time) => cardOf(location, time)))
  for (const word of [...cards, ...ELEMENTS, ...ASSISTANTS]) expect(english).toHaveProperty([`term.${word}`])
  for (const location of LOCATIONS) expect(english).toHaveProperty([`form.for.${location}`])
  for (const assistant of ASSISTANTS) {
    for (const form of ['form.the', 'power', 'ui.power']) expect(english).toHaveProperty([`${form}.${assistant}`])
  }
})

it('every phase has its words for whoever waits and for whoever is waited for', () => {
  const phases = 'Picking Beginning Changing Replacing Asking Answering Choosing Showing Naming Pausing'
  for (const phase of phases.split(' ')) {
    expect(english).toHaveProperty([`now.wait.${phase}`])
    expect(english).toHaveProperty([`now.call.${phase}`])
  }
  expect(english).toHaveProperty(['now.wait.Correcting'])
})

it('every action has a name and a rule with its number', () => {
  const actions =
    'PickAssistant TakeChip ChangeAssistant TakeReplacement Ask AskFreely AskLast Answer Announce Show DrawCard ' +
    'LetShow Name Slam Confirm Correct ShowLate Accuse'
  for (const action of actions.split(' ')) {
    expect(english).toHaveProperty([`action.${action}`])
    expect(english[`rule.${action}`]).toMatch(/\(ALIBI-R?\d+/)
  }
})
