/** Let a tap, wherever it falls, end what moves inside a node: movement explains a change and never delays it. */
export function skippable(node: Element): { destroy: () => void } {
  const skip = () => {
    for (const moving of node.getAnimations({ subtree: true })) moving.finish()
  }
  window.addEventListener('pointerdown', skip)
  return { destroy: () => window.removeEventListener('pointerdown', skip) }
}
