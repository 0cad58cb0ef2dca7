import type { Camera } from './camera.svelte'

/** Px that a finger may tremble before a tap becomes a drag. */
const TREMBLE = 7

/** Pan with one finger or the mouse, pinch with two; a tap stays a tap. */
export function dragging(node: HTMLElement, camera: Camera) {
  const pointers = new Map<number, { x: number; y: number }>()
  let moved = false
  let start = { x: 0, y: 0 }

  const spread = () => {
    const [a, b] = [...pointers.values()]
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0
  }
  function down(event: PointerEvent) {
    if (event.button > 0) return
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    if (pointers.size === 1) {
      moved = false
      start = { x: event.clientX, y: event.clientY }
    }
  }
  function move(event: PointerEvent) {
    const before = pointers.get(event.pointerId)
    if (!before) return
    const apart = spread()
    const far = Math.hypot(event.clientX - start.x, event.clientY - start.y) > TREMBLE
    if (!moved && !far && pointers.size === 1) return
    if (!moved) node.setPointerCapture(event.pointerId)
    moved = true
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    if (pointers.size === 1 && camera.zoomed) camera.pan(event.clientX - before.x, event.clientY - before.y)
    else if (apart > 0) camera.zoom(spread() / apart)
  }
  const up = (event: PointerEvent) => void pointers.delete(event.pointerId)
  // What ends a drag is no click on the square below the finger.
  function clicked(event: MouseEvent) {
    if (!moved || event.detail === 0) return
    event.stopPropagation()
    event.preventDefault()
    moved = false
  }
  function wheel(event: WheelEvent) {
    if (!event.ctrlKey) return
    event.preventDefault()
    camera.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15)
  }
  // The browser scrolls the frame to what gets the focus or is looked for; the camera follows, and takes it over.
  function scrolled() {
    const { scrollLeft, scrollTop } = node
    if (!scrollLeft && !scrollTop) return
    node.scrollTo(0, 0)
    camera.pan(-scrollLeft, -scrollTop)
  }

  node.addEventListener('pointerdown', down)
  node.addEventListener('pointermove', move)
  node.addEventListener('pointerup', up)
  node.addEventListener('pointercancel', up)
  node.addEventListener('click', clicked, { capture: true })
  node.addEventListener('wheel', wheel, { passive: false })
  node.addEventListener('scroll', scrolled)
  return {
    destroy() {
      node.removeEventListener('pointerdown', down)
      node.removeEventListener('pointermove', move)
      node.removeEventListener('pointerup', up)
      node.removeEventListener('pointercancel', up)
      node.removeEventListener('click', clicked, { capture: true })
      node.removeEventListener('wheel', wheel)
      node.removeEventListener('scroll', scrolled)
    },
  }
}
