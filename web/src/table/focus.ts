/**
 * An update may remove what had the focus, and the browser then gives it to the page as a whole: whoever works with
 * the keyboard would start from the top after every move. Give it to NOW instead, which says what comes next.
 */
export function keepFocus(node: HTMLElement) {
  let inside = false
  const noticed = () => (inside = node.contains(document.activeElement))
  const check = () => {
    if (document.activeElement !== document.body && document.activeElement !== null) return
    if (!inside || document.querySelector('dialog[open]')) return
    const target =
      node.querySelector<HTMLElement>('[data-focus-first]') ?? node.querySelector<HTMLElement>('[data-now]')
    // On a phone NOW may be behind another tab.
    if (target?.offsetParent) target.focus({ preventScroll: true })
  }
  const left = (event: FocusEvent) => {
    // Leaving by Tab or a click elsewhere says where to; a removed element does not.
    if (event.relatedTarget) inside = node.contains(event.relatedTarget as Node)
  }
  const clicked = (event: PointerEvent) => {
    if (!node.contains(event.target as Node)) inside = false
  }
  const observer = new MutationObserver(check)
  observer.observe(node, { childList: true, subtree: true })
  node.addEventListener('focusin', noticed)
  node.addEventListener('focusout', left)
  addEventListener('pointerdown', clicked)
  return {
    destroy() {
      observer.disconnect()
      node.removeEventListener('focusin', noticed)
      node.removeEventListener('focusout', left)
      removeEventListener('pointerdown', clicked)
    },
  }
}
