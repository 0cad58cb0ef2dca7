import type { Decision, Label, SeatReview, Step, Verdict, Whole } from './types'

/** Parts of a review for tests: just enough of each, with whatever the test cares about. */
export function verdict(more: Partial<Verdict> = {}): Verdict {
  const option = (card: string, value: number) => ({
    action: { type: 'Ask', guests: [card] },
    line: { key: 'action.Ask', params: { guests: [{ type: 'term' as const, word: card }] } },
    value,
  })
  return {
    kind: 'question',
    unit: 'bits',
    label: 'blunder',
    loss: 1.2,
    share: 0.1,
    taken: option('Cook', 0.1),
    best: [option('Nurse', 1.3), option('OldMaid', 1.2), option('Butler', 0.9)],
    weight: 1.3,
    ...more,
  }
}
export const decision = (seq: number, label: Label | null, more: Partial<Verdict> = {}): Decision => ({
  seq,
  turn: seq,
  verdict: verdict({ label, ...more }),
})
export const step = (seq: number, left: number, more: Partial<Step> = {}): Step => ({
  seq,
  left,
  logic: left,
  part: 'asked',
  ...more,
})
export function seatReview(seat: number, more: Partial<SeatReview> = {}): SeatReview {
  const account = { asked: 1.5, answer_luck: -0.4, gifts: 0.9, gift_luck: 0, reading: 0, rest: 0 }
  return { type: 'seat', seat, began: 3, since: 2, steps: [], account, ...more }
}
export const whole = (more: Partial<Whole> = {}): Whole => ({ type: 'whole', findings: {}, ...more })
