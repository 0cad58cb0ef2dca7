import { expect, it } from 'vitest'
import { keptAs, ofDeal } from './deals'

const kept = { '31/hidden': 'yes', 'drop/4': '52', '2#31/hidden': 'no', '12#11/0': 'maybe' }

it('every deal has the marks that were made in it, by their cells', () => {
  expect(ofDeal(kept, 2)).toEqual({ '31/hidden': 'no' })
  expect(ofDeal(kept, 12)).toEqual({ '11/0': 'maybe' })
  expect(ofDeal(kept, 3)).toEqual({})
})

it('marks from before deals were told apart belong to the first, and so does whatever is dealt once', () => {
  expect(ofDeal(kept, 1)).toEqual({ '31/hidden': 'yes', 'drop/4': '52' })
})

it('what is kept for a deal is found for it', () => {
  for (const deal of [1, 2, 3]) expect(ofDeal({ [keptAs('27/1', deal)]: '?' }, deal)).toEqual({ '27/1': '?' })
})
