import { expect, test } from 'vitest'
import type { Told } from '../lib/protocol'
import { grouped } from './log'

const told = (seq: number, batch: number, seat?: number): Told => ({
  seq,
  batch,
  at: 0,
  event: { type: 'Some' },
  line: { key: 'some', params: seat === undefined ? {} : { seat: { type: 'who', seat } } },
})

test('what one action brought about is one entry, also where many happen in one moment', () => {
  const [laid, dealt, asked, shown, began] = [told(1, 1), told(2, 1), told(3, 3, 0), told(4, 4, 1), told(5, 4, 2)]
  expect(grouped([laid, dealt, asked, shown, began])).toEqual([
    { seat: null, lines: [laid, dealt], quiet: true },
    { seat: 0, number: 1, lines: [asked] },
    { seat: 1, number: 2, lines: [shown, began] },
  ])
})
