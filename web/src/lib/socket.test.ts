import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { roomFrame, tableFrame } from './frames.testing'
import { Refusal, Socket } from './socket.svelte'

/** The other end of a line, in the test's hand. */
class Line extends EventTarget {
  static all: Line[] = []
  sent: Record<string, unknown>[] = []
  sizes: number[] = []
  constructor() {
    super()
    Line.all.push(this)
  }
  send(frame: string) {
    this.sent.push(JSON.parse(frame) as Record<string, unknown>)
    this.sizes.push(new TextEncoder().encode(frame).length)
  }
  close() {
    this.dispatchEvent(new Event('close'))
  }
  tell(frame: object) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
  }
  welcome() {
    this.tell({ type: 'welcome', version: 1, games: [], levels: [], local: false, address: 'http://x', shared: true })
  }
  asked(type: string) {
    return this.sent.filter((ask) => ask.type === type)
  }
}

let socket: Socket
const line = () => Line.all.at(-1) as Line

beforeEach(() => {
  vi.useFakeTimers()
  Line.all = []
  socket = new Socket(() => new Line() as unknown as WebSocket)
  socket.open()
})
afterEach(() => vi.useRealTimers())

function reconnect() {
  line().close()
  vi.advanceTimersByTime(6_000)
  line().welcome()
}

describe('asking', () => {
  test('settles with what the reply carries', async () => {
    line().welcome()
    const made = socket.ask({ type: 'rematch', table: 'x', salt: '0'.repeat(32) })
    line().tell({ type: 'done', n: 1, value: { table: 'y' } })

    expect(await made).toEqual({ table: 'y' })
  })

  test('rejects with the reason', async () => {
    line().welcome()
    const asked = socket.ask({ type: 'undo', table: 'x' })
    line().tell({ type: 'refused', n: 1, reason: 'stale', detail: 'why' })

    await expect(asked).rejects.toEqual(new Refusal('stale', 'why'))
  })

  test('waits until the line stands', () => {
    void socket.ask({ type: 'watch_lobby' })
    expect(line().sent).toEqual([])

    line().welcome()
    expect(line().sent).toEqual([{ type: 'watch_lobby', n: 1 }])
  })

  test('what was sent before a break is not sent twice, and rejected', async () => {
    line().welcome()
    const asked = socket.ask({ type: 'act', table: 'x', since: 1, action: {} })
    const settled = expect(asked).rejects.toMatchObject({ reason: 'connection' })
    reconnect()

    await settled
    expect(line().asked('act')).toEqual([])
  })

  test('a line that stays silent is given up', async () => {
    line().welcome()
    const settled = expect(socket.ask({ type: 'undo', table: 'x' })).rejects.toMatchObject({ reason: 'connection' })
    vi.advanceTimersByTime(21_000)
    await settled

    expect(Line.all.length).toBeGreaterThan(1)
  })

  test('a choice is replied to when it is stored, on a line that is heard meanwhile', async () => {
    line().welcome()
    const chosen = socket.ask({ type: 'select', table: 'x', since: 1, action: {} })
    vi.advanceTimersByTime(100)
    line().tell({ type: 'asked', table: 'x', answer: null })
    vi.advanceTimersByTime(200_000)
    line().tell({ type: 'done', n: 1, value: null })

    expect(await chosen).toBeNull()
    expect(Line.all.length).toBe(1)
  })

  test('a choice of which nothing is heard at all was sent on a dead line', async () => {
    line().welcome()
    vi.advanceTimersByTime(100)
    const chosen = socket.ask({ type: 'select', table: 'x', since: 1, action: {} })
    const settled = expect(chosen).rejects.toMatchObject({ reason: 'connection' })
    vi.advanceTimersByTime(21_000)
    await settled

    expect(Line.all.length).toBeGreaterThan(1)
  })
})

describe('the length of an ask', () => {
  test('is the same whatever card it names', () => {
    line().welcome()
    for (const card of ['Rope', 'Conservatory', 'Colonel Mustard'])
      void socket.ask({ type: 'select', table: 'x', since: 1, action: { type: 'Show', card } })

    expect(line().sizes).toEqual([256, 256, 256])
  })

  test('grows by doubling, in bytes and not in letters', () => {
    line().welcome()
    for (const text of ['a'.repeat(250), 'é'.repeat(400), 'a'.repeat(4000)])
      void socket.ask({ type: 'jot', table: 'x', text })

    expect(line().sizes).toEqual([512, 1024, 4096])
  })
})

describe('a socket that is refused', () => {
  test('is told apart from a broken line by asking why', async () => {
    let full = true
    socket = new Socket(
      () => new Line() as unknown as WebSocket,
      () => Promise.resolve(full),
    )
    socket.open()
    line().close()
    await vi.advanceTimersByTimeAsync(10)
    expect([socket.state, socket.full]).toEqual(['offline', true])

    full = false
    reconnect()
    expect([socket.state, socket.full]).toEqual(['open', false])
    line().close() // a line that stood was not refused
    await vi.advanceTimersByTimeAsync(10)
    expect(socket.full).toBe(false)
  })
})

describe('coming back', () => {
  test('tries again, each time later, and at once when hurried', () => {
    line().close()
    expect(socket.state).toBe('offline')
    vi.advanceTimersByTime(300)
    expect(Line.all.length).toBe(2)

    for (let round = 0; round < 8; round++) {
      line().close()
      vi.advanceTimersByTime(5_000)
    }
    expect(Line.all.length).toBe(10)

    line().close()
    socket.hurry()
    expect(Line.all.length).toBe(11)
  })

  test('asks for what is new only', () => {
    line().welcome()
    const feed = socket.watch('x')
    line().tell(tableFrame(0, 7))
    reconnect()

    expect(line().asked('watch_table')).toMatchObject([{ table: 'x', after: 7 }])
    line().tell(tableFrame(7, 9))
    expect(feed.seq).toBe(9)
  })

  test('follows the lobby again only while somebody looks', () => {
    line().welcome()
    const stop = socket.watchLobby()
    reconnect()
    expect(line().asked('watch_lobby').length).toBe(1)

    stop()
    reconnect()
    expect(line().asked('watch_lobby')).toEqual([])
  })

  test('says for every table, also after a break, that somebody looks', () => {
    line().welcome()
    socket.watch('x')
    socket.look(true)
    socket.look(true)
    expect(line().asked('looking')).toMatchObject([{ table: 'x', looking: true }])

    reconnect()
    expect(line().sent.map(({ type }) => type)).toEqual(['watch_table', 'looking'])
    socket.watch('y')
    expect(line().asked('looking').at(-1)).toMatchObject({ table: 'y', looking: true })

    socket.look(false)
    expect(
      line()
        .asked('looking')
        .filter(({ looking }) => !looking),
    ).toMatchObject([{ table: 'x' }, { table: 'y' }])
    reconnect()
    expect(line().asked('looking')).toEqual([])
  })

  test('a late word of an old line is not heard', () => {
    const old = line()
    old.welcome()
    const feed = socket.watch('x')
    reconnect()
    old.tell(tableFrame(0, 3))

    expect(feed.seq).toBe(0)
  })
})

describe('tables', () => {
  test('a gap is asked for from where the log ends, and a second one from the beginning', () => {
    line().welcome()
    const feed = socket.watch('x')
    line().tell(tableFrame(0, 3))
    line().tell(tableFrame(5, 6))
    expect(line().asked('watch_table').at(-1)).toMatchObject({ after: 3 })

    line().tell(tableFrame(5, 6))
    expect(line().asked('watch_table').at(-1)).toMatchObject({ after: 0 })

    line().tell(tableFrame(0, 6))
    expect(feed.log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('two who watch share one feed, and only the last one leaves', () => {
    line().welcome()
    expect(socket.watch('x')).toBe(socket.watch('x'))
    expect(line().asked('watch_table').length).toBe(1)

    socket.unwatch('x')
    expect(line().asked('leave_table')).toEqual([])
    socket.unwatch('x')
    expect(line().asked('leave_table').length).toBe(1)
    expect(socket.tables.has('x')).toBe(false)
  })

  test('a refused table says why', async () => {
    line().welcome()
    const feed = socket.watch('x')
    line().tell({ type: 'refused', n: 1, reason: 'no_table', detail: '' })
    await vi.advanceTimersByTimeAsync(0)

    expect(feed.refused).toBe('no_table')
  })

  test('another seat, or none any more, begins from nothing: no line of the old one stays', () => {
    line().welcome()
    socket.watch('x')
    line().tell(roomFrame({ stage: 'playing', me: 2 }))
    line().tell(tableFrame(0, 7))
    reconnect()
    line().tell(roomFrame({ stage: 'playing', me: null }))
    line().tell(tableFrame(7, 7))

    const feed = socket.tables.get('x')
    expect([feed?.room?.me, feed?.now, feed?.log]).toEqual([null, null, []])
    expect(line().asked('watch_table').at(-1)).toMatchObject({ table: 'x', after: 0 })
    line().tell(tableFrame(0, 7))
    expect(feed?.seq).toBe(7)
    expect(socket.tables.get('x')).toBe(feed)
  })

  test('the same seat goes on with what it knows', () => {
    line().welcome()
    const feed = socket.watch('x')
    line().tell(roomFrame({ stage: 'playing', me: 2 }))
    line().tell(tableFrame(0, 7))
    line().tell(roomFrame({ stage: 'playing', me: 2, paused: true }))

    expect(socket.tables.get('x')).toBe(feed)
    expect(feed.seq).toBe(7)
    expect(line().asked('watch_table').length).toBe(1)
  })

  test.each([
    ['private', null],
    ['not_stored', 2],
  ])('a table that was seen and is then refused as %s', async (reason, me) => {
    line().welcome()
    socket.watch('x')
    line().tell(roomFrame({ stage: 'playing', me: 2 }))
    line().tell(tableFrame(0, 7))
    reconnect()
    const n = line().asked('watch_table')[0]?.n
    line().tell({ type: 'refused', n, reason, detail: '' })
    await vi.advanceTimersByTimeAsync(0)

    const feed = socket.tables.get('x')
    expect([feed?.refused, feed?.room?.me ?? null, feed?.seq]).toEqual([reason, me, me === null ? 0 : 7])
  })

  test('a room goes to its own table', () => {
    line().welcome()
    const [one, other] = [socket.watch('x'), socket.watch('y')]
    line().tell(roomFrame({ table: 'y' }))

    expect(one.room).toBeNull()
    expect(other.room?.table).toBe('y')
  })
})

test('opening the network changes the address for the whole page', async () => {
  line().welcome()
  const opened = socket.openNetwork(true)
  line().tell({ type: 'done', n: 1, value: { address: 'http://y', shared: true } })
  await opened

  expect(socket.welcome?.address).toBe('http://y')
})
