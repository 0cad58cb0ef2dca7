import { afterEach, expect, test, vi } from 'vitest'
import { hasteOf, lasting, rim, seatAt, skippable, travel } from './motion'
import { settings } from './settings.svelte'

afterEach(() => {
  settings.motion = 'system'
  settings.haste = 'none'
  document.body.innerHTML = ''
})

function movingNode() {
  const node = document.createElement('ol')
  const moving = [{ finish: vi.fn() }, { finish: vi.fn() }]
  node.getAnimations = vi.fn(() => moving as unknown as Animation[])
  return { node, moving }
}

/** Something that stands there, or nowhere. */
function standing(x: number, width = 20) {
  const node = document.createElement('li')
  node.getBoundingClientRect = () => new DOMRect(x, 0, width, width)
  const animate = vi.fn()
  node.animate = animate
  return { node, animate }
}

test('a tap anywhere ends every movement inside', () => {
  const { node, moving } = movingNode()
  const { destroy } = skippable(node)
  expect(moving[0]?.finish).not.toHaveBeenCalled()

  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))

  for (const { finish } of moving) expect(finish).toHaveBeenCalledOnce()
  expect(node.getAnimations).toHaveBeenCalledWith({ subtree: true })
  destroy()
})

test('what has gone listens no longer', () => {
  const { node, moving } = movingNode()
  skippable(node).destroy()

  window.dispatchEvent(new Event('pointerdown'))

  expect(moving[0]?.finish).not.toHaveBeenCalled()
})

test('what goes from seat to seat moves by transform and opacity alone', () => {
  settings.motion = 'full'
  const [from, to, card] = [standing(0), standing(300), standing(0)]
  travel(card.node, from.node, to.node)

  const [frames] = card.animate.mock.calls[0] as [Keyframe[]]
  expect(new Set(frames.flatMap((frame) => Object.keys(frame)))).toEqual(new Set(['transform', 'opacity', 'offset']))
  expect([frames[0]?.transform, frames.at(-1)?.transform]).toEqual([
    'translate(10px, 10px) scale(0.6)',
    'translate(310px, 10px) scale(0.6)',
  ])
})

test('where nothing may move, a rim shows whom it concerns', () => {
  settings.motion = 'reduced'
  const [from, to, card] = [standing(0), standing(300), standing(0)]
  travel(card.node, from.node, to.node)

  for (const { animate } of [from, to, card]) expect(animate).not.toHaveBeenCalled()
  for (const { node } of [from, to]) expect(node.hasAttribute('data-rim')).toBe(true)
})

test('to a seat that the page does not show nothing goes', () => {
  settings.motion = 'full'
  const [hidden, to, card] = [standing(0, 0), standing(300), standing(0)]
  travel(card.node, hidden.node, to.node)
  travel(card.node, seatAt(3), to.node)

  expect(card.animate).not.toHaveBeenCalled()
})

test('a rim lasts a moment', () => {
  vi.useFakeTimers()
  const { node } = standing(0)
  rim(node)
  vi.advanceTimersByTime(300)
  expect(node.hasAttribute('data-rim')).toBe(true)

  vi.advanceTimersByTime(200)
  expect(node.hasAttribute('data-rim')).toBe(false)
  vi.useRealTimers()
})

test('movement follows the pace: half a second at a brisk table, none where nobody waits for it', () => {
  expect(hasteOf('normal', false, false)).toBe('none')
  expect(hasteOf('brisk', false, false)).toBe('brisk')
  expect(hasteOf('at_once', false, false)).toBe('at_once')
  expect(hasteOf('brisk', true, false)).toBe('at_once')
  expect(hasteOf('brisk', false, true)).toBe('none') // nothing follows the end
})

test.each([
  ['none', 'full', 900],
  ['brisk', 'full', 400],
  ['at_once', 'full', 0],
  ['none', 'reduced', 0],
  ['brisk', 'reduced', 0],
] as const)('in haste %s and with motion %s what would last 900 ms lasts %i', (haste, motion, ms) => {
  Object.assign(settings, { haste, motion })
  expect(lasting(900)).toBe(ms)
  expect(settings.still).toBe(ms === 0)
})
