import { render } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import { SUSPECTS } from './cards'
import Card from './Card.svelte'
import Die from './Die.svelte'
import Emblem from './Emblem.svelte'
import Mansion from './Mansion.svelte'
import { CARDS } from './cards'
import { IDENTITIES } from '../../../lib/seats'
import { ROOMS } from './grid'
import type { Room } from '../types'

it.each(CARDS)('%s has a picture', (card) => {
  expect(render(Emblem, { card }).container.querySelectorAll('svg *').length).toBeGreaterThan(3)
})

it('the suspects are in the order of the identities', () => {
  expect(SUSPECTS.map((suspect) => suspect.toLowerCase())).toEqual(IDENTITIES.map(({ name }) => name))
})

describe('a card', () => {
  it('shows its name', () => {
    expect(render(Card, { card: 'Rope', name: 'Seil' }).container.textContent.trim()).toBe('Seil')
  })

  it('face down tells nothing, even when given everything', () => {
    const given = render(Card, { card: 'Rope', name: 'Seil', back: true }).container
    expect(given.innerHTML).toBe(render(Card, { back: true }).container.innerHTML)
  })
})

it.each([1, 2, 3, 4, 5, 6] as const)('face %i has as many pips', (face) => {
  expect(render(Die, { face }).container.querySelectorAll('circle').length).toBe(face)
})

describe('the mansion', () => {
  const names = Object.fromEntries(ROOMS.map((room) => [room, `The ${room}`])) as Record<Room, string>

  it('writes the names it is given, and none on the small map', () => {
    const texts = (plain: boolean) =>
      [...render(Mansion, { names, lamp: true, plain }).container.querySelectorAll('text')].map(
        (text) => text.textContent,
      )
    expect(texts(false)).toEqual(Object.values(names))
    expect(texts(true)).toEqual([])
  })

  it('has no style attributes, which the policy would refuse', () => {
    for (const lamp of [false, true]) {
      expect(render(Mansion, { names, lamp, lit: ['Hall'] }).container.querySelectorAll('[style]').length).toBe(0)
    }
  })
})
