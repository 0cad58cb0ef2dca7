import { describe, expect, it } from 'vitest'
import { nextMark, percent, short } from './share'

describe('shares', () => {
  it.each([
    [0, '0'],
    [1, '100'],
    [0.0001, '<1'],
    [0.004, '<1'],
    [0.0051, '1'],
    [0.635, '64'],
    [0.994, '99'],
    [0.996, '>99'],
    [0.99999, '>99'],
  ])('%d reads %s', (share, said) => {
    expect(short(share)).toBe(said)
  })
  it('says 0 and 100 only when that is exact', () => {
    for (const share of [1e-9, 0.001, 0.999, 1 - 1e-9]) {
      expect(percent(share).bound).not.toBeNull()
      expect(['1', '99']).toContain(percent(share).figure)
    }
  })
})

it('a tap goes round: yes, no, maybe, nothing', () => {
  expect(['', 'yes', 'no', 'maybe'].map(nextMark)).toEqual(['yes', 'no', 'maybe', ''])
})
it('a figure or a word gives way to nothing first', () => {
  expect(nextMark('3')).toBe('')
})
