import { describe, expect, it } from 'vitest'
import { chairFrame } from '../lib/frames.testing'
import type { Chair } from '../lib/protocol'
import { doing, type Standing } from './players'

const chair = chairFrame(1, { kind: 'person', name: 'Benno' })
const waiting: Standing = { chair, me: false, awaited: false, answering: false, out: false, won: false, over: false }

describe('what a seat is doing', () => {
  it.each<[Partial<Standing>, string]>([
    [{}, 'waiting'],
    [{ awaited: true }, 'thinking'],
    [{ awaited: true, me: true }, 'turn'],
    [{ awaited: true, answering: true }, 'answering'],
    [{ awaited: true, answering: true, me: true }, 'asked'],
    [{ out: true }, 'out'],
    [{ chair: { ...chair, away_ms: 9 } }, 'away'],
    [{ chair: { ...chair, away_ms: 9, stand_in: 'rookie' } }, 'stand_in'],
    [{ chair: { ...chair, stand_in: 'rookie', lapsed: true }, awaited: true, me: true }, 'lapsed'],
    [{ chair: { ...chair, stand_in: 'rookie' }, me: true }, 'played'],
    [{ chair: { ...chair, stand_in: 'rookie' }, awaited: true, me: true }, 'played'],
    [{ chair: { ...chair, stand_in: 'rookie' }, awaited: true, answering: true, me: true }, 'answering'],
    [{ chair: { ...chair, kind: 'open' } }, 'free'],
    [{ over: true, won: true }, 'won'],
    [{ over: true, awaited: true }, 'waiting'],
  ])('%o: %s', (change, is) => {
    expect(doing({ ...waiting, ...change })).toBe(is)
  })

  it('looks the same for bots, stand-ins and people while they answer: nobody reads a hand from it', () => {
    const asked = { ...waiting, awaited: true, answering: true }
    const kinds: Chair[] = [
      chair,
      { ...chair, kind: 'bot', level: 'rookie' },
      { ...chair, away_ms: 5, stand_in: 'rookie' },
    ]
    expect(new Set(kinds.map((one) => doing({ ...asked, chair: one })))).toEqual(new Set(['answering']))
  })
})
