import { describe, expect, test } from 'vitest'
import { TableFeed } from './feed.svelte'
import { roomFrame, tableFrame, told } from './frames.testing'

const seqs = (feed: TableFeed) => feed.log.map(({ seq }) => seq)

describe('a feed takes frames in', () => {
  test('appends what follows', () => {
    const feed = new TableFeed('x')

    expect(feed.take(tableFrame(0, 3))).toBe(true)
    expect(feed.take(tableFrame(3, 5))).toBe(true)
    expect(seqs(feed)).toEqual([1, 2, 3, 4, 5])
    expect(feed.seq).toBe(5)
  })

  test('drops what it has already', () => {
    const feed = new TableFeed('x')
    feed.take(tableFrame(0, 3))

    expect(feed.take(tableFrame(1, 5))).toBe(true)
    expect(seqs(feed)).toEqual([1, 2, 3, 4, 5])
  })

  test('takes a frame twice without harm', () => {
    const feed = new TableFeed('x')
    const frame = tableFrame(0, 3)
    feed.take(frame)

    expect(feed.take(frame)).toBe(true)
    expect(seqs(feed)).toEqual([1, 2, 3])
  })

  test('takes a frame without events: offers can change alone', () => {
    const feed = new TableFeed('x')
    feed.take(tableFrame(0, 3))
    const frame = tableFrame(3, 3, { may_undo: true })

    expect(feed.take(frame)).toBe(true)
    expect(feed.now).toBe(frame)
  })

  test('keeps the newer state when an old frame is late', () => {
    const feed = new TableFeed('x')
    const newest = tableFrame(0, 5)
    feed.take(newest)

    expect(feed.take(tableFrame(0, 3))).toBe(true)
    expect(feed.now).toBe(newest)
    expect(feed.seq).toBe(5)
  })

  test('refuses a frame behind a gap, and changes nothing', () => {
    const feed = new TableFeed('x')
    feed.take(tableFrame(0, 3))
    const before = feed.now

    expect(feed.take(tableFrame(4, 6))).toBe(false)
    expect(seqs(feed)).toEqual([1, 2, 3])
    expect(feed.now).toBe(before)
  })

  test('refuses a frame with a hole in it', () => {
    const feed = new TableFeed('x')

    expect(feed.take(tableFrame(0, 3, { events: [told(1), told(3)] }))).toBe(false)
    expect(feed.take(tableFrame(0, 3, { events: [told(1), told(2)] }))).toBe(false)
    expect(feed.log).toEqual([])
  })

  test('a room that can be seen is no longer refused', () => {
    const feed = new TableFeed('x')
    feed.refused = 'no_table'
    feed.takeRoom(roomFrame())

    expect(feed.refused).toBeNull()
  })
})
