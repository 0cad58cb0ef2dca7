/* eslint svelte/prefer-svelte-reactivity: off -- nobody looks at the private maps; what is looked at is $state */
import { SvelteMap } from 'svelte/reactivity'
import { TableFeed } from './feed.svelte'
import type {
  Addresses,
  Advised,
  AnyAsk,
  AnyTell,
  Challenge,
  Archive,
  Case,
  Checked,
  Digest,
  Duel,
  DuelMade,
  Goodbye,
  Hint,
  Lobby,
  Looked,
  Made,
  Practice,
  Proof,
  Room,
  Sheet,
  Table,
  Today,
  Welcome,
} from './protocol'
import type { SeatReview, Verdict, Whole } from '../review/types'

export { TableFeed } from './feed.svelte'

/** What the server answers to an ask, by the ask's type; to all others it answers null. */
interface Answers {
  create_table: Made
  first_case: Made
  rematch: Made
  look: Looked
  peek: Looked
  notes: Sheet
  why: Proof
  give_hint: Hint
  give_advice: Advised
  since_away: Digest
  check_seal: Checked
  open_network: Addresses
  practise: Practice
  read_review: SeatReview | Whole
  retry: Verdict | null
  read_challenge: Challenge
  begin_challenge: Made
  make_duel: DuelMade
  read_duel: Duel
  begin_duel: Made
  read_today: Today
  read_archive: Archive
  open_case: Case
  turn_line: Case
  claim_case: Case
  check_mark: Case
  give_up: Case
}
type WithoutNumber<A> = A extends AnyAsk ? Omit<A, 'n'> : never
export type Wish = WithoutNumber<AnyAsk>
type AnswerTo<W extends Wish> = W['type'] extends keyof Answers ? Answers[W['type']] : null

/** The server, or the lack of one, said no. `reason` is a key of the shell's texts under `refused.` */
export class Refusal extends Error {
  constructor(
    readonly reason: string,
    readonly detail = '',
  ) {
    super(detail ? `${reason}: ${detail}` : reason)
    this.name = 'Refusal'
  }
}

interface Pending {
  frame: string
  sent: boolean
  /** Whether the reply comes when it is due: then what is heard meanwhile says that the line is alive. */
  patient: boolean
  resolve: (value: never) => void
  reject: (refusal: Refusal) => void
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Refusals after which a table is not to be seen at all. */
const UNSEEN = new Set(['private', 'still_played', 'no_table', 'not_installed'])
const FIRST_WAIT_MS = 300
const LONGEST_WAIT_MS = 5_000
/** Without a reply for so long the line is dead, whatever the browser thinks. */
const REPLY_MS = 20_000
/** What is replied to when its moment comes; that it has arrived is told at once, by another frame. */
const PATIENT: ReadonlySet<string> = new Set(['select'] satisfies Wish['type'][])
/** What takes as long as it takes: its silence says nothing about the line. */
const SLOW: ReadonlySet<string> = new Set(['read_review', 'retry', 'make_duel'] satisfies Wish['type'][])
/** The size of a short ask. */
const LEAST_BYTES = 256

/** Fill an ask up to a power of two: whoever watches the encrypted line sees its length, and cards have names. */
function padded(frame: string): string {
  const size = new TextEncoder().encode(frame).length
  return frame + ' '.repeat(Math.max(LEAST_BYTES, 2 ** Math.ceil(Math.log2(size))) - size)
}

/** One line to the server for the whole page. It mends itself, and after a break asks only for what is new. */
export class Socket {
  state = $state.raw<'connecting' | 'open' | 'offline'>('connecting')
  welcome = $state.raw<Welcome | null>(null)
  lobby = $state.raw<Lobby | null>(null)
  goodbye = $state.raw<Goodbye['reason'] | null>(null)
  /** Whether the server lets no more pages in from where we are. */
  full = $state.raw(false)
  readonly tables = new SvelteMap<string, TableFeed>()

  #connect: () => WebSocket
  #isFull: () => Promise<boolean>
  #socket: WebSocket | null = null
  #pending = new Map<number, Pending>()
  #number = 0
  #wait = FIRST_WAIT_MS
  #retry: ReturnType<typeof setTimeout> | undefined
  #watchers = new Map<string, number>()
  #lobbyWatchers = 0
  #looking = false
  /** Tables that were asked for anew after a gap; a second gap makes them start from nothing. */
  #gaps = new Set<string>()
  /** When the server was last heard. */
  #heardAt = 0

  constructor(connect: () => WebSocket, isFull: () => Promise<boolean> = () => Promise.resolve(false)) {
    this.#connect = connect
    this.#isFull = isFull
  }

  /** Begin; called once, by the page. */
  open(): void {
    if (this.#socket) return
    clearTimeout(this.#retry)
    const socket = this.#connect()
    this.#socket = socket
    socket.addEventListener('message', (message) => {
      if (this.#socket === socket) this.#hear(JSON.parse(String(message.data)) as AnyTell)
    })
    socket.addEventListener('close', () => {
      if (this.#socket !== socket) return
      if (this.state !== 'open') void this.#isFull().then((full) => (this.full = full && this.state !== 'open'))
      this.#lost()
    })
  }

  /** Try at once instead of waiting: the network is back, or the page is looked at again. */
  hurry(): void {
    if (this.#socket) return
    this.#wait = FIRST_WAIT_MS
    this.open()
  }

  /** Ask the server; settles with its answer, or rejects with a Refusal. */
  ask<W extends Wish>(wish: W): Promise<AnswerTo<W>> {
    const n = ++this.#number
    return new Promise((resolve, reject) => {
      const timer = SLOW.has(wish.type) ? undefined : setTimeout(() => this.#silent(n), REPLY_MS)
      const patient = PATIENT.has(wish.type)
      this.#pending.set(n, {
        frame: padded(JSON.stringify({ ...wish, n })),
        sent: false,
        patient,
        resolve,
        reject,
        timer,
      })
      if (this.state === 'open') this.#send(n)
    })
  }

  /** Follow a table until `unwatch` was called as often as this. */
  watch(table: string): TableFeed {
    const feed = this.tables.get(table) ?? this.#begin(table)
    const watchers = this.#watchers.get(table) ?? 0
    this.#watchers.set(table, watchers + 1)
    if (watchers === 0 && this.state === 'open') this.#askFor(feed)
    return feed
  }

  unwatch(table: string): void {
    const watchers = (this.#watchers.get(table) ?? 0) - 1
    if (watchers > 0) {
      this.#watchers.set(table, watchers)
      return
    }
    this.#watchers.delete(table)
    this.tables.delete(table)
    if (this.state === 'open') this.#quietly({ type: 'leave_table', table })
  }

  /** Ask for a table anew, for instance after the page has been given a seat at it. */
  refresh(table: string): void {
    const feed = this.tables.get(table)
    if (feed && this.state === 'open') this.#askFor(feed)
  }

  /** Say whether somebody has this page before their eyes: then nobody is told elsewhere that it is their turn. */
  look(looking: boolean): void {
    if (looking === this.#looking) return
    this.#looking = looking
    if (this.state !== 'open') return
    for (const table of this.#watchers.keys()) this.#quietly({ type: 'looking', table, looking })
  }

  /** Follow the lobby; returns how to stop. */
  watchLobby(): () => void {
    if (this.#lobbyWatchers++ === 0 && this.state === 'open') this.#quietly({ type: 'watch_lobby' })
    return () => {
      if (--this.#lobbyWatchers === 0 && this.state === 'open') this.#quietly({ type: 'leave_lobby' })
    }
  }

  /** Open the site to the local network, or end that; everybody in the page then shows the new address. */
  async openNetwork(open: boolean): Promise<void> {
    const { address, shared } = await this.ask({ type: 'open_network', open })
    if (this.welcome) this.welcome = { ...this.welcome, address, shared }
  }

  #hear(tell: AnyTell): void {
    this.#heardAt = performance.now()
    switch (tell.type) {
      case 'welcome':
        this.welcome = tell
        this.#opened()
        break
      case 'done':
        this.#settle(tell.n)?.resolve(tell.value as never)
        break
      case 'refused':
        this.#settle(tell.n)?.reject(new Refusal(tell.reason, tell.detail))
        break
      case 'lobby':
        this.lobby = tell
        break
      case 'room':
        this.#hearRoom(tell)
        break
      case 'asked':
        this.tables.get(tell.table)?.takeAnswer(tell.answer)
        break
      case 'chat':
        this.tables.get(tell.table)?.takeChat(tell)
        break
      case 'table':
        this.#hearTable(tell)
        break
      case 'goodbye':
        this.goodbye = tell.reason
        break
    }
  }

  #hearRoom(room: Room): void {
    const feed = this.tables.get(room.table)
    if (!feed?.room || !feed.now || feed.room.me === room.me) {
      feed?.takeRoom(room)
      return
    }
    // Another seat, or none any more: what was told before was told to somebody else.
    const anew = this.#begin(feed.id)
    anew.takeRoom(room)
    this.#askFor(anew)
  }

  /** Begin a table's feed from nothing; whatever was known goes. */
  #begin(table: string): TableFeed {
    const feed = new TableFeed(table)
    this.tables.set(table, feed)
    this.#gaps.delete(table)
    return feed
  }

  #hearTable(frame: Table): void {
    const feed = this.tables.get(frame.table)
    if (!feed) return
    if (feed.take(frame)) {
      this.#gaps.delete(frame.table)
      return
    }
    if (this.#gaps.has(frame.table)) feed.forget()
    this.#gaps.add(frame.table)
    this.#askFor(feed)
  }

  #opened(): void {
    this.state = 'open'
    this.goodbye = null
    this.full = false
    this.#wait = FIRST_WAIT_MS
    if (this.#lobbyWatchers > 0) this.#quietly({ type: 'watch_lobby' })
    for (const table of this.#watchers.keys()) {
      const feed = this.tables.get(table)
      if (feed) this.#askFor(feed)
    }
    for (const [n, pending] of this.#pending) if (!pending.sent) this.#send(n)
  }

  #lost(): void {
    this.#socket = null
    this.state = 'offline'
    this.#gaps.clear()
    for (const [n, pending] of [...this.#pending]) {
      // Whether a sent ask was granted is unknown; what has not been sent yet still can be.
      if (pending.sent) this.#settle(n)?.reject(new Refusal('connection'))
    }
    // Half of the wait is drawn: after a restart not everybody comes back in the same moment.
    this.#retry = setTimeout(() => this.open(), this.#wait * (0.5 + Math.random() / 2))
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
  }

  #askFor(feed: TableFeed): void {
    this.ask({ type: 'watch_table', table: feed.id, after: feed.seq }).catch((error: unknown) => {
      const known = this.tables.get(feed.id)
      if (!known || !(error instanceof Refusal) || error.reason === 'connection') return
      // Nothing of a table stays in sight of whoever may not look at it.
      const shown = known.room && UNSEEN.has(error.reason) ? this.#begin(feed.id) : known
      shown.refused = error.reason
    })
    if (this.#looking) this.#quietly({ type: 'looking', table: feed.id, looking: true })
  }

  /** Ask for something whose refusal changes nothing for the page. */
  #quietly(wish: Wish): void {
    this.ask(wish).catch(() => undefined)
  }

  #send(n: number): void {
    const pending = this.#pending.get(n)
    if (!pending || !this.#socket) return
    pending.sent = true
    this.#socket.send(pending.frame)
  }

  #settle(n: number): Pending | undefined {
    const pending = this.#pending.get(n)
    if (pending) clearTimeout(pending.timer)
    this.#pending.delete(n)
    return pending
  }

  #silent(n: number): void {
    const waiting = this.#pending.get(n)
    if (waiting?.patient && waiting.sent && performance.now() - this.#heardAt < REPLY_MS) return
    const pending = this.#settle(n)
    pending?.reject(new Refusal('connection'))
    const socket = this.#socket
    if (!pending?.sent || !socket) return
    socket.close()
    this.#lost() // a dead line does not even report its close
  }
}

function address(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`
}

/** Ask why a socket was refused: browsers do not tell, but where it stands a page is told the same. */
async function isFull(): Promise<boolean> {
  try {
    return (await fetch('/ws')).status === 429
  } catch {
    return false
  }
}

export const socket = new Socket(() => new WebSocket(address()), isFull)
