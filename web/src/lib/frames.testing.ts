import type { Chair, Room, Table, Told } from './protocol'

/** Frames for tests: just enough of each, with whatever the test cares about. */
export function told(seq: number): Told {
  return { seq, batch: seq, at: 0, event: { type: 'Tested' }, line: { key: 'tested', params: {} } }
}

export function tableFrame(after: number, seq: number, more: Partial<Table> = {}): Table {
  const events = Array.from({ length: seq - after }, (_, place) => told(after + place + 1))
  return {
    type: 'table',
    table: 'x',
    after,
    seq,
    events,
    view: null,
    offers: [],
    awaiting: [],
    may_undo: false,
    outcome: null,
    informed: [],
    closed: false,
    clips: [],
    ...more,
  }
}

export function chairFrame(seat: number, more: Partial<Chair> = {}): Chair {
  const nobody = {
    level: null,
    away_ms: null,
    stand_in: null,
    lapsed: false,
    time: null,
    wants_pause: false,
    wants_pace: null,
    agrees: false,
    called: false,
  }
  return { seat, kind: 'open', name: '', ...nobody, may: [], ...more }
}

export function roomFrame(more: Partial<Room> = {}): Room {
  return {
    type: 'room',
    table: 'x',
    game: 'clue',
    options: {},
    public: false,
    assistance: 'facts',
    pace: 'normal',
    paces: [],
    allowance: { type: 'untimed' },
    stage: 'gathering',
    me: null,
    host: 0,
    chairs: [],
    may: [],
    code: null,
    seat_key: null,
    limit_ms: null,
    closes_ms: null,
    paused: false,
    commitment: '',
    answer: null,
    orders: [],
    order: null,
    hook: null,
    open_hands: false,
    late_ms: 600_000,
    marks: {},
    jotting: '',
    away_from: null,
    rematch: null,
    heard: 0,
    lesson: false,
    deal: null,
    duel: null,
    ...more,
  }
}
