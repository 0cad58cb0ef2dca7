import { expect, test } from 'vitest'
import { comings } from './comings'
import { changed, type Option } from './catalogue'
import { chairFrame, roomFrame } from './frames.testing'
import { listed, nameFault } from './names'
import type { Chair } from './protocol'
import { salt } from './salt'
import { identity } from './seats'

const chair = (seat: number, kind: Chair['kind'], name = '') => chairFrame(seat, { kind, name })

test('a salt is 16 bytes in small hex, and never the same', () => {
  expect(salt()).toMatch(/^[0-9a-f]{32}$/)
  expect(salt()).not.toBe(salt())
})

test('a name has 1 to 24 characters, counted as people count', () => {
  expect(nameFault('Ada')).toBeNull()
  expect(nameFault('🕵'.repeat(24))).toBeNull()
  expect(nameFault('   ')).toBe('join.name.empty')
  expect(nameFault('x'.repeat(25))).toBe('join.name.long')
})

test('names are put in a row', () => {
  expect(listed(['Ada', 'Benno', 'Dag'], 'de')).toBe('Ada, Benno und Dag')
})

test('only what differs from the default counts as changed', () => {
  const option = (name: string, usual: unknown) => ({ name, default: usual }) as Option
  const options = [option('dice', 1), option('tokens', null), option('exact', true)]

  expect(changed(options, { dice: 1, tokens: ['Plum'] }).map(({ name }) => name)).toEqual(['tokens'])
})

test('who comes and goes is noticed, but not I', () => {
  const before = roomFrame({ me: 0, chairs: [chair(0, 'person', 'Ada'), chair(1, 'open'), chair(2, 'person', 'Dag')] })
  const after = roomFrame({
    me: 0,
    chairs: [chair(0, 'person', 'Eva'), chair(1, 'person', 'Benno'), chair(2, 'bot', 'Kurt')],
  })

  expect(comings(before, after)).toEqual([
    { key: 'sat_down', name: 'Benno', cue: 'sat_down' },
    { key: 'left', name: 'Dag', cue: 'left' },
  ])
})

test('who is away for a while is noticed, and who is back', () => {
  const here = roomFrame({ me: 0, chairs: [chair(0, 'person', 'Ada'), chair(1, 'person', 'Benno')] })
  const gone = roomFrame({ me: 0, chairs: here.chairs.map((sitting) => ({ ...sitting, away_ms: 5_000 })) })

  expect(comings(here, gone)).toEqual([{ key: 'away', name: 'Benno', cue: 'left' }])
  expect(comings(gone, here)).toEqual([{ key: 'back', name: 'Benno', cue: 'sat_down' }])
})

test('whoever is called to a rematch is noticed when they come, and only then', () => {
  const called = (away_ms: number | null) =>
    roomFrame({
      me: 0,
      chairs: [chair(0, 'person', 'Ada'), { ...chair(1, 'person', 'Benno'), called: true, away_ms }],
    })
  const come = roomFrame({ me: 0, chairs: [chair(0, 'person', 'Ada'), chair(1, 'person', 'Benno')] })

  expect(comings(called(null), called(5_000))).toEqual([])
  expect(comings(called(5_000), called(null))).toEqual([])
  expect(comings(called(null), come)).toEqual([{ key: 'came', name: 'Benno', cue: 'sat_down' }])
})

test('there is an identity for every seat', () => {
  expect(identity(0).letter).toBe('S')
  expect(identity(7).letter).toBe('M')
})
