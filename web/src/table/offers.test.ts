import { expect, it } from 'vitest'
import type { OfferNow } from '../lib/protocol'
import { admits, isSame } from './offers'

const offer = (choices: OfferNow['choices']): OfferNow => ({ action: 'Ask', choices, since: 1 })
const one = offer({ seat: { type: 'one', of: [1, 2] } })
const some = offer({ elements: { type: 'some', of: ['3', '6', '9'], least: 1, most: 2 } })

it('an offer of one admits its values alone', () => {
  expect(admits(one, { type: 'Ask', seat: 2 })).toBe(true)
  expect(admits(one, { type: 'Ask', seat: 3 })).toBe(false)
  expect(admits(one, { type: 'Ask' })).toBe(false)
})

it('an offer of some admits as many as it says', () => {
  expect(admits(some, { type: 'Ask', elements: ['9', '3'] })).toBe(true)
  for (const elements of [[], ['3', '6', '9'], ['12'], '3']) expect(admits(some, { type: 'Ask', elements })).toBe(false)
})

it('a deed is the same whatever order its fields have', () => {
  const deed = { type: 'Ask', elements: ['3'], seat: 1 }
  expect(isSame({ seat: 1, elements: ['3'], type: 'Ask' }, deed)).toBe(true)
  for (const other of [{ ...deed, seat: 2 }, { ...deed, elements: [] }, { type: 'Ask' }, null, undefined])
    expect(isSame(other, deed)).toBe(false)
})
