import { describe, expect, test } from 'vitest'
import { chairFrame, roomFrame } from './frames.testing'
import { paceNews, pacesFor, paceWishes, unfolded } from './paces'

test('two paces are for one person alone', () => {
  expect(pacesFor(true).filter((pace) => !pacesFor(false).includes(pace))).toEqual(['brisk', 'at_once'])
})

test('alone, three paces lie open; among people there is no fold for the rest', () => {
  expect(unfolded(pacesFor(true)).open).toEqual(['brisk', 'at_once', 'normal'])
  expect(unfolded(pacesFor(true)).more).toEqual(['quick', 'steady', 'slow', 'unhurried'])
  expect(unfolded(pacesFor(false)).more).toEqual([])
  expect(unfolded(pacesFor(false)).open).toEqual(['normal', 'quick', 'steady', 'slow', 'unhurried'])
  expect(unfolded([])).toEqual({ open: [], more: [] })
})

describe('what is said of the pace', () => {
  const alone = roomFrame({ me: 0, pace: 'brisk', paces: pacesFor(true) })

  test('nothing while it stays', () => {
    expect(paceNews(alone, { ...alone, paused: true })).toBeNull()
  })
  test('that it has changed, where it could have stayed', () => {
    expect(paceNews(alone, { ...alone, pace: 'normal' })).toBe('changed')
  })
  test('that somebody can watch, where it could not', () => {
    expect(paceNews(alone, { ...alone, pace: 'normal', paces: pacesFor(false) })).toBe('watched')
  })
  test('to whoever watches, only that it has changed', () => {
    const watched = roomFrame({ pace: 'normal' })
    expect(paceNews(watched, { ...watched, pace: 'steady' })).toBe('changed')
  })
})

test('who would like the same is named together', () => {
  const chairs = (['steady', 'slow', null, 'steady'] as const).map((pace, seat) =>
    chairFrame(seat, { wants_pace: pace }),
  )
  expect(paceWishes(chairs)).toEqual([
    { pace: 'steady', seats: [0, 3] },
    { pace: 'slow', seats: [1] },
  ])
})
