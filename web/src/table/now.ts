/** What the NOW panel is about; exactly one holds at any time. */
export type NowKind =
  | 'offline' // no line to the server
  | 'back' // I look at an earlier moment
  | 'over'
  | 'paused' // nobody may move
  | 'watching' // I have no seat here
  | 'stand_in' // a bot plays my seat
  | 'asked' // somebody waits for my answer
  | 'yours' // the table waits for me
  | 'out' // I can no longer win
  | 'others' // the table waits for somebody else

export interface Situation {
  online: boolean
  looking: boolean
  over: boolean
  paused: boolean
  me: number | null
  standIn: boolean
  /** Whether I am asked: an answer of mine is due, or the offers are answers. */
  asked: boolean
  offers: number
  out: boolean
}

/** Say what NOW is about. What must be known first comes first. */
export function nowKind(at: Situation): NowKind {
  if (!at.online) return 'offline'
  if (at.looking) return 'back'
  if (at.over) return 'over'
  if (at.paused) return 'paused'
  if (at.me === null) return 'watching'
  if (at.standIn) return 'stand_in'
  if (at.asked) return 'asked'
  if (at.offers > 0) return 'yours'
  return at.out ? 'out' : 'others'
}

/** Whether the lamp shines on me. */
export const isLit = (kind: NowKind) => kind === 'yours' || kind === 'asked'
