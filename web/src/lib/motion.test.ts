import { expect, test, vi } from 'vitest'
import { skippable } from './motion'

function movingNode() {
  const node = document.createElement('ol')
  const moving = [{ finish: vi.fn() }, { finish: vi.fn() }]
  node.getAnimations = vi.fn(() => moving as unknown as Animation[])
  return { node, moving }
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
