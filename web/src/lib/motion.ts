import type { Pace } from './protocol'
import { settings, type Haste } from './settings.svelte'

/** How long whatever goes from one seat to another is on its way: the same for everything and everybody. */
export const FLIGHT_MS = 420
const RIM_MS = 400
/** What fits between two moves of a brisk table. */
const BRISK_MS = 400

/**
 * How much time a table leaves for movement: none while somebody hurries on to their next decision, all of it once
 * nothing follows any more.
 */
export function hasteOf(pace: Pace, skipping: boolean, over: boolean): Haste {
  if (skipping || pace === 'at_once') return 'at_once'
  return pace === 'brisk' && !over ? 'brisk' : 'none'
}

/** How long a movement lasts that would like to last so long. */
export const lasting = (ms: number): number =>
  settings.still ? 0 : settings.haste === 'brisk' ? Math.min(ms, BRISK_MS) : ms

/** Let a tap, wherever it falls, end what moves inside a node: movement explains a change and never delays it. */
export function skippable(node: Element): { destroy: () => void } {
  const skip = () => {
    for (const moving of node.getAnimations({ subtree: true })) moving.finish()
  }
  window.addEventListener('pointerdown', skip)
  return { destroy: () => window.removeEventListener('pointerdown', skip) }
}

/** A seat as the page shows it, if it does. */
export const seatAt = (seat: number) => document.querySelector<HTMLElement>(`.players [data-seat="${seat}"]`)

/** Where something stands, a seat where its badge is; nowhere while it is hidden. */
function place(node: Element | null): DOMRect | null {
  const box = (node?.querySelector('svg') ?? node)?.getBoundingClientRect()
  return box?.width ? box : null
}

/** Let a node, unseen otherwise, go from one place to another and vanish there; without movement both get a rim. */
export function travel(node: HTMLElement, from: Element | null, to: Element | null): void {
  const [start, end] = [place(from), place(to)]
  if (!start || !end) return
  if (settings.still) {
    for (const spot of [from, to]) rim(spot as Element)
    return
  }
  const at = ({ x, y, width, height }: DOMRect) => `translate(${x + width / 2}px, ${y + height / 2}px)`
  node.animate(
    [
      { transform: `${at(start)} scale(0.6)`, opacity: 0 },
      { transform: `${at(start)} scale(1)`, opacity: 1, offset: 0.12 },
      { transform: `${at(end)} scale(1)`, opacity: 1, offset: 0.88 },
      { transform: `${at(end)} scale(0.6)`, opacity: 0 },
    ],
    { duration: lasting(FLIGHT_MS), easing: 'ease-in-out' },
  )
}

/** For a moment a rim round what changed: what is told where nothing may move. Its look stands in app.css. */
export function rim(node: Element): void {
  node.setAttribute('data-rim', '')
  setTimeout(() => node.removeAttribute('data-rim'), RIM_MS)
}
