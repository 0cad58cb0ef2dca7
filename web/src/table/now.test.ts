import { describe, expect, it } from 'vitest'
import { isLit, nowKind, type Situation } from './now'

const calm: Situation = {
  online: true,
  looking: false,
  over: false,
  paused: false,
  me: 0,
  standIn: false,
  asked: false,
  offers: 0,
  out: false,
}

describe('what NOW is about', () => {
  it.each<[Partial<Situation>, string]>([
    [{}, 'others'],
    [{ offers: 2 }, 'yours'],
    [{ offers: 1, asked: true }, 'asked'],
    [{ out: true }, 'out'],
    [{ out: true, offers: 1, asked: true }, 'asked'],
    [{ paused: true }, 'paused'],
    [{ me: null }, 'watching'],
    [{ standIn: true, offers: 1 }, 'stand_in'],
    [{ looking: true, offers: 1 }, 'back'],
    [{ over: true }, 'over'],
    [{ over: true, looking: true }, 'back'],
    [{ online: false, offers: 3, looking: true }, 'offline'],
  ])('%o is %s', (change, kind) => {
    expect(nowKind({ ...calm, ...change })).toBe(kind)
  })

  it('shines the lamp only on whoever must act', () => {
    const lit = ['yours', 'asked']
    for (const kind of [
      'offline',
      'back',
      'over',
      'watching',
      'stand_in',
      'asked',
      'yours',
      'out',
      'others',
    ] as const) {
      expect(isLit(kind)).toBe(lit.includes(kind))
    }
  })
})
