import { hear, type Heard } from './chat'
import type { Chat, Room, Table, Told } from './protocol'

/** What the page knows of one table; the socket fills it, components read it. */
export class TableFeed {
  /** Everything round the game; null until the first frame. */
  room = $state.raw<Room | null>(null)
  /** The last frame of the game: view, offers, who is awaited; null until the first. */
  now = $state.raw<Table | null>(null)
  /** Every event so far, in order, without gaps or doubles. */
  log = $state.raw<readonly Told[]>([])
  /** Why the table cannot be watched, as a reason under `refused.`; null while it can. */
  refused = $state.raw<string | null>(null)
  /** When the last `room` frame came, by this page's clock: `away_ms` counts from here. */
  roomAt = $state.raw(0)
  /** When the answer in the room was told: `answer.left_ms` counts from here. */
  answerAt = $state.raw(0)

  /** What was said round the table, as far as I hear it. */
  chat = $state.raw<Heard>({ lines: [], me: null, muted: [] })
  /** How many lines have come one by one since the page opened. */
  spoken = $state.raw(0)
  /** How many of them nobody has looked at here; a panel that shows them sets it to 0. */
  unread = $state(0)

  constructor(readonly id: string) {}

  /** The number of the last event that is here. */
  get seq(): number {
    return this.log.at(-1)?.seq ?? 0
  }

  takeRoom(room: Room): void {
    this.room = room
    this.roomAt = this.answerAt = performance.now()
    this.refused = null
  }

  takeAnswer(answer: Room['answer']): void {
    if (!this.room) return
    this.room = { ...this.room, answer }
    this.answerAt = performance.now()
  }

  takeChat(frame: Chat): void {
    this.chat = hear(this.chat, frame)
    if (frame.whole) return
    this.spoken += frame.lines.length
    this.unread += frame.lines.filter(({ speaker }) => speaker !== frame.me).length
  }

  /** Take a frame in; false if events between it and what is here are missing, and nothing has changed. */
  take(frame: Table): boolean {
    const mine = this.seq
    if (frame.after > mine) return false
    if (frame.seq < mine) return true // an old frame that was overtaken: everything in it is known
    const fresh = frame.events.filter((told) => told.seq > mine)
    if (fresh.some((told, place) => told.seq !== mine + place + 1)) return false
    if (fresh.length !== frame.seq - mine) return false
    if (fresh.length) this.log = [...this.log, ...fresh]
    this.now = frame
    this.refused = null
    return true
  }

  /** Forget the log, to be told everything anew. */
  forget(): void {
    this.log = []
  }
}
