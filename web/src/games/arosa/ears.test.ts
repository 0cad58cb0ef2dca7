import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { roomFrame, tableFrame } from '../../lib/frames.testing'
import type { Pace, Table, Told } from '../../lib/protocol'
import { socket, TableFeed } from '../../lib/socket.svelte'
import { settings } from '../../lib/settings.svelte'
import { TableState } from '../../table/state.svelte'
import client from '.'
import { patience, way } from './ears.svelte'
import { playOf } from './play.svelte'

const { sounded, fetched, asleep, broken, hushed } = vi.hoisted(() => ({
  broken: { times: 0 },
  hushed: { now: 0 },
  sounded: vi.fn<(clip: string) => void>(),
  fetched: vi.fn<(table: string, clip: string) => void>(),
  asleep: { yes: false },
}))
vi.mock('../../lib/sound', () => ({
  awake: () => !asleep.yes,
  whenAwake: () => new Promise(() => undefined),
  hush: () => {
    hushed.now++
    return () => hushed.now--
  },
  play: () => undefined,
  shake: () => undefined,
  playSamples: (buffer: string) => {
    sounded(buffer)
    return { stop: () => undefined, ended: Promise.resolve() }
  },
}))
vi.mock('./clip', async (original) => {
  const real = await original<typeof import('./clip')>()
  return {
    ...real,
    fetched: (table: string, clip: string, signal?: AbortSignal) => {
      fetched(table, clip)
      if (clip === 'slow') return new Promise((_, reject) => signal?.addEventListener('abort', reject))
      if (broken.times-- > 0) return Promise.reject(new TypeError('no network'))
      if (clip === 'gone') return Promise.reject(new real.Gone('410'))
      return Promise.resolve({ buffer: clip, ears: { left: [], right: [] } })
    },
  }
})

const asked = vi.spyOn(socket, 'ask').mockResolvedValue(null as never)
const told = () => asked.mock.calls.flatMap(([wish]) => (wish.type === 'heard' ? [wish.seq] : []))

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  asleep.yes = false
  broken.times = 0
  hushed.now = 0
  way.mode = 'sound'
  patience.wanted = false
  settings.haste = 'none'
  socket.welcome = { haste: 1 } as never
})
afterEach(() => vi.useRealTimers())

const event = (type: string, more: object = {}) => ({ type, ...more })
const drop = (id: string) => event('Dropped', { seat: 1, colour: 'blue', why: 'back', clip: { id } })

/** A table at which these things have happened, each clip released 2.3 s after the one before; at once, all together. */
function sitting(
  events: object[],
  { me = 0 as number | null, heard = 0, again = [] as string[], pace = 'normal' as Pace } = {},
) {
  const feed = new TableFeed('x')
  const list: Told[] = events.map((event, place) => ({
    seq: place + 1,
    batch: place + 1,
    at: 0,
    event,
    line: { key: 'x', params: {} },
  }))
  const ids = events.flatMap((event) => ('clip' in event ? [(event.clip as { id: string }).id] : []))
  const view = {
    heard: again.map((id) => [1, 'blue', id]),
    phase: { type: 'Searching' },
    turn: 1,
    options: { sound_replay: true },
  }
  const frame: Partial<Table> = {
    events: list,
    view,
    clips: ids.map((id, nth) => ({ id, left_ms: pace === 'at_once' ? 0 : 2300 * nth })),
  }
  feed.takeRoom(roomFrame({ game: 'arosa', stage: 'playing', me, heard, pace }))
  feed.take(tableFrame(0, list.length, frame))
  const table = new TableState(feed, { ...client, about: () => ({}) })
  const { ears } = playOf(table)
  ears.notice()
  return { table, ears, play: playOf(table) }
}

it('plays every drop in order, each at its release, and tells how far it has come', async () => {
  const { ears, table } = sitting([drop('a'), drop('b')])
  await vi.advanceTimersByTimeAsync(0)
  expect(sounded.mock.calls).toEqual([['a']])
  expect(ears.cursor).toBe(1)
  await vi.advanceTimersByTimeAsync(2000)
  table.feed.takeRoom(roomFrame({ game: 'arosa', stage: 'playing', me: 0, heard: 0 }))
  ears.notice() // what changes round the game changes no release
  await vi.advanceTimersByTimeAsync(260)
  expect([sounded.mock.calls.length, told()]).toEqual([1, [1]])
  await vi.advanceTimersByTimeAsync(60)
  expect(sounded.mock.calls).toEqual([['a'], ['b']])
  await vi.advanceTimersByTimeAsync(2300)
  expect([told().at(-1), ears.busy, ears.step]).toEqual([2, false, null])
})

it('shows an open floor before the first cube falls, and skips what is skipped', async () => {
  const { ears, play } = sitting([event('Exposed', { seat: 1, floor: 3, found: [] }), drop('a'), drop('b')])
  await vi.advanceTimersByTimeAsync(100)
  expect([play.open?.floor, sounded.mock.calls.length, play.stage]).toEqual([3, 0, 'falling'])
  ears.skip()
  await vi.advanceTimersByTimeAsync(0)
  expect([play.open, sounded.mock.calls.length]).toEqual([null, 1])
  ears.skipAll()
  await vi.advanceTimersByTimeAsync(5000)
  expect([sounded.mock.calls.length, told().at(-1), play.stage]).toEqual([1, 3, 'table'])
})

it('lets what fell before the last look wait until it is wanted', async () => {
  const { ears, play } = sitting([drop('a'), event('Exposed', { seat: 1, floor: 3, found: [] }), drop('b')])
  await vi.advanceTimersByTimeAsync(9000)
  expect([play.stage, ears.waiting, sounded.mock.calls.length]).toEqual(['behind', 2, 0])
  ears.catchUp()
  await vi.advanceTimersByTimeAsync(9000)
  expect([sounded.mock.calls, play.stage]).toEqual([[['a'], ['b']], 'table'])
})

it('begins behind what this seat has heard elsewhere, and passes over what is gone', async () => {
  sitting([drop('a'), drop('gone'), drop('c')], { heard: 1 })
  await vi.advanceTimersByTimeAsync(9000)
  expect(fetched.mock.calls.map(([, clip]) => clip)).toEqual(['gone', 'c'])
  expect([sounded.mock.calls, told().at(-1)]).toEqual([[['c']], 3])
})

it('waits for a tap where the browser wants one, and asks whoever has not said how to listen', async () => {
  asleep.yes = true
  expect(sitting([drop('a')]).play.stage).toBe('prompt')
  asleep.yes = false
  way.mode = 'ask'
  const { ears, play } = sitting([drop('a')])
  await vi.advanceTimersByTimeAsync(9000)
  expect([play.stage, fetched.mock.calls.length]).toEqual(['prompt', 0])
  ears.use('silent')
  await vi.advanceTimersByTimeAsync(9000)
  expect([play.stage, fetched.mock.calls.length, sounded.mock.calls.length]).toEqual(['table', 1, 0])
})

it('keeps the drops of the turn, to be heard again', async () => {
  const { ears } = sitting([drop('a'), drop('b')], { again: ['a', 'b'] })
  await vi.advanceTimersByTimeAsync(9000)
  expect(ears.heard.map(({ clip }) => clip)).toEqual(['a', 'b'])
  expect([...ears.pictures.keys()]).toEqual(['a', 'b'])
  void ears.replay(ears.heard[1] as never)
  await vi.advanceTimersByTimeAsync(9000)
  expect(sounded.mock.calls.at(-1)).toEqual(['b'])
  expect(fetched.mock.calls.length).toBe(2)
})

it('what is heard again gives way to what falls, and both come to an end', async () => {
  const { ears, table } = sitting([drop('a')], { again: ['a'] })
  await vi.advanceTimersByTimeAsync(3000)
  void ears.replay(ears.heard[0] as never)
  await vi.advanceTimersByTimeAsync(500)
  expect(ears.again?.clip).toBe('a')
  const fresh: Told = { seq: 2, batch: 2, at: 0, event: drop('b'), line: { key: 'x', params: {} } }
  table.feed.take(tableFrame(1, 2, { events: [fresh], view: table.now.view, clips: [{ id: 'b', left_ms: 1000 }] }))
  ears.notice()
  await vi.advanceTimersByTimeAsync(100)
  expect([ears.again, sounded.mock.calls]).toEqual([null, [['a'], ['a']]])
  await vi.advanceTimersByTimeAsync(1000)
  expect([ears.step?.seq, sounded.mock.calls.at(-1)]).toEqual([2, ['b']])
  await vi.advanceTimersByTimeAsync(3000)
  expect([ears.busy, ears.step, told().at(-1)]).toEqual([false, null, 2])
})

it('a drop that the line has lost is asked for until it comes, and is not called heard before', async () => {
  broken.times = 3
  const { ears } = sitting([drop('a')])
  await vi.advanceTimersByTimeAsync(5000)
  expect([sounded.mock.calls.length, told(), ears.busy]).toEqual([0, [], true])
  await vi.advanceTimersByTimeAsync(4000)
  expect([sounded.mock.calls, told()]).toEqual([[['a']], [1]])
})

it('whoever does not want to wait for a lost drop goes on without it', async () => {
  broken.times = Infinity
  const { ears } = sitting([drop('a')])
  await vi.advanceTimersByTimeAsync(5000)
  ears.skip()
  await vi.advanceTimersByTimeAsync(0)
  expect([sounded.mock.calls.length, told(), ears.busy]).toEqual([0, [1], false])
})

it('whoever does not want to wait for a slow drop fetches it no more before it counts as heard', async () => {
  const { ears } = sitting([drop('slow'), drop('b')])
  await vi.advanceTimersByTimeAsync(5000)
  ears.skip()
  await vi.advanceTimersByTimeAsync(0)
  expect([sounded.mock.calls, told()]).toEqual([[['b']], [1]])
})

it('falls silent when the page is left, and calls nothing heard that was not', async () => {
  const { table } = sitting([drop('a'), drop('b')])
  await vi.advanceTimersByTimeAsync(500)
  expect(hushed.now).toBe(1)
  table.leave()
  await vi.advanceTimersByTimeAsync(9000)
  expect([sounded.mock.calls, told(), hushed.now]).toEqual([[['a']], [], 0])
})

it('whoever watches begins with what is falling now, and tells nobody', async () => {
  sitting([drop('a'), drop('b')], { me: null })
  await vi.advanceTimersByTimeAsync(9000)
  expect([sounded.mock.calls, told()]).toEqual([[['b']], []])
})

it('acts when the last cube has come to rest', async () => {
  const { table, ears, play } = sitting([drop('a'), drop('b'), drop('c')])
  const act = vi.spyOn(table, 'act').mockResolvedValue(true)
  ears.skipAll()
  void play.act({ type: 'Inspect', floor: 3 })
  await vi.advanceTimersByTimeAsync(4500)
  expect([play.waits, act.mock.calls.length]).toEqual([true, 0])
  await vi.advanceTimersByTimeAsync(200)
  expect([play.waits, act.mock.calls.length]).toEqual([false, 1])
})

/** More happens at a table. */
function happens({ table, ears }: ReturnType<typeof sitting>, ...events: object[]) {
  const { seq, view } = table.now
  const fresh = events.map((event, nth) => ({
    seq: seq + nth + 1,
    batch: seq + 1,
    at: 0,
    event,
    line: { key: 'x', params: {} },
  }))
  table.feed.take(tableFrame(seq, seq + fresh.length, { events: fresh, view }))
  ears.notice()
}

/** I note a drop, and the room says so. */
function note({ table, play, ears }: ReturnType<typeof sitting>, floor: number) {
  const [falls] = ears.heard.slice(-1)
  if (!falls) throw new Error('nothing falls')
  play.note(falls, floor)
  const marks = { ...table.room.marks, [`drop/${falls.nth}`]: String(floor) }
  table.feed.takeRoom({ ...table.room, marks })
}

const opened = (floor: number) => event('Exposed', { seat: 1, floor, found: [] })

it('shows a floor with nothing to drop back as long as any other, also when the next is open already', async () => {
  const at = sitting([event('TurnBegan')], { heard: 1 })
  happens(at, opened(3), event('TurnBegan'))
  await vi.advanceTimersByTimeAsync(100)
  happens(at, opened(5), event('TurnBegan'))
  for (const floor of [3, 5]) {
    expect([at.play.open?.floor, at.play.stage]).toEqual([floor, 'falling'])
    await vi.advanceTimersByTimeAsync(1790)
  }
  expect([at.play.open, at.play.stage]).toEqual([null, 'table'])
})

it('does not keep me from a choice that the open floor itself waits for', async () => {
  const at = sitting([event('TurnBegan')], { heard: 1 })
  happens(at, opened(3))
  await vi.advanceTimersByTimeAsync(0)
  expect([at.play.open?.floor, at.play.stage]).toEqual([3, 'table'])
})

it('lets a floor with a victim stay longer', async () => {
  const at = sitting([event('TurnBegan')], { heard: 1 })
  happens(at, opened(3), event('VictimsFound', { floor: 3, count: 1 }), event('TurnBegan'))
  await vi.advanceTimersByTimeAsync(1900)
  expect(at.ears.step).toMatchObject({ kind: 'look', victims: 1 })
  await vi.advanceTimersByTimeAsync(1000)
  expect(at.play.stage).toBe('table')
})

it('tells of the last drop while it is played, where bots wait for me, and keeps to its own time', async () => {
  const at = sitting([drop('a'), drop('b')], { pace: 'brisk' })
  await vi.advanceTimersByTimeAsync(2400)
  expect([told(), at.ears.step?.seq]).toEqual([[1, 2], 2])
  at.table.feed.takeRoom(roomFrame({ game: 'arosa', stage: 'playing', me: 0, heard: 2, pace: 'brisk' }))
  at.ears.notice()
  await vi.advanceTimersByTimeAsync(1000)
  expect([at.play.stage, at.ears.step?.seq]).toEqual(['falling', 2])
  await vi.advanceTimersByTimeAsync(1100)
  expect(at.play.stage).toBe('table')
})

it('waits for the note of whoever makes notes, where bots wait for me, and goes on without one that is let go', async () => {
  const at = sitting([drop('a'), drop('b'), drop('c')], { pace: 'brisk' })
  await vi.advanceTimersByTimeAsync(500)
  note(at, 4)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([at.ears.step?.seq, at.ears.lingers, told()]).toEqual([2, true, [1]])
  note(at, 3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([at.ears.step?.seq, at.ears.lingers]).toEqual([3, true])
  at.ears.skip()
  await vi.advanceTimersByTimeAsync(0)
  expect([at.play.stage, told().at(-1)]).toEqual(['table', 3])
})

it('holds what falls while an earlier drop is heard again, where bots wait for me', async () => {
  const at = sitting([drop('a'), drop('b'), drop('c')], { pace: 'brisk', again: ['a', 'b', 'c'] })
  await vi.advanceTimersByTimeAsync(2500)
  void at.ears.replay(at.ears.heard[0] as never)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sounded.mock.calls.flat(), at.ears.step?.seq, at.ears.held]).toEqual([['a', 'b', 'a'], 2, true])
  at.ears.skip()
  await vi.advanceTimersByTimeAsync(9000)
  expect([sounded.mock.calls.flat(), at.play.stage]).toEqual([['a', 'b', 'a', 'c'], 'table'])
})

it('holds nothing at a table of many', async () => {
  const at = sitting([drop('a'), drop('b')], { again: ['a', 'b'] })
  await vi.advanceTimersByTimeAsync(500)
  note(at, 4)
  at.ears.hold()
  await vi.advanceTimersByTimeAsync(9000)
  expect([at.play.stage, at.ears.held, patience.wanted]).toEqual(['table', false, false])
})

it('tells drops in silence where nothing waits: pictures of all since I acted, no sound, no queue', async () => {
  way.mode = 'ask'
  const at = sitting([drop('a'), opened(3), drop('b')], { pace: 'at_once' })
  await vi.advanceTimersByTimeAsync(0)
  expect([at.play.stage, at.ears.busy, sounded.mock.calls.length, told()]).toEqual(['table', false, 0, []])
  expect(at.ears.heard.map(({ clip }) => clip)).toEqual(['a', 'b'])
  expect([...at.ears.pictures.keys()]).toEqual(['a', 'b'])
  vi.spyOn(at.table, 'act').mockImplementation(() => {
    happens(at, drop('c')) // before the reply
    return Promise.resolve(true)
  })
  void at.play.act({ type: 'Inspect', floor: 3 })
  await vi.advanceTimersByTimeAsync(9000)
  expect([at.ears.heard.map(({ clip }) => clip), told()]).toEqual([['c'], [3]])
})

it('plays nothing afterwards that was told in silence', async () => {
  const at = sitting([drop('a')], { pace: 'at_once' })
  await vi.advanceTimersByTimeAsync(0)
  at.table.feed.takeRoom(roomFrame({ game: 'arosa', stage: 'playing', me: 0, pace: 'brisk' }))
  at.ears.notice()
  await vi.advanceTimersByTimeAsync(9000)
  expect([sounded.mock.calls.length, at.play.stage]).toEqual([0, 'table'])
})

it('keeps nobody waiting for drops while I hurry on, and plays none of them afterwards', async () => {
  const at = sitting([drop('a'), drop('b')], { pace: 'brisk', again: ['a', 'b', 'c'] })
  await vi.advanceTimersByTimeAsync(500)
  settings.haste = 'at_once'
  at.ears.notice()
  await vi.advanceTimersByTimeAsync(0)
  expect([at.play.stage, told().at(-1)]).toEqual(['table', 2])
  expect([...at.ears.pictures.keys()]).toEqual(['a']) // the other must not be fetched before its release
  happens(at, drop('c'))
  await vi.advanceTimersByTimeAsync(0)
  expect(told().at(-1)).toBe(3)
  settings.haste = 'brisk'
  at.ears.notice()
  await vi.advanceTimersByTimeAsync(9000)
  expect([sounded.mock.calls.flat(), at.play.stage]).toEqual([['a'], 'table'])
  expect(at.ears.heard.map(({ clip }) => clip)).toEqual(['a', 'b', 'c'])
})
