import type { Group } from '../games'
import type { TableState } from './state.svelte'

/** Px that a finger may tremble before a tap becomes something else. */
const TREMBLE = 7
const PRESSABLE = 'a, button, input, label, select, summary, textarea, [role="button"], [tabindex]:not([tabindex="-1"])'

/**
 * On to my next decision: until it is there this page shows no movement and plays no cues; then it tells in short what I
 * passed over. The server knows nothing of it and goes its way.
 */
export class Hurry {
  /** After which event I stopped looking on. */
  #from = $state<number | null>(null)
  /** What was passed over last, until it is read. */
  passed = $state.raw<readonly Group[]>([])
  readonly #table: TableState

  constructor(table: TableState) {
    this.#table = table
  }

  /** Whether there is nothing for me to do but to look on. */
  readonly #idle = $derived.by(() => this.#table.kind === 'others' || this.#table.kind === 'out')
  readonly on = $derived(this.#from !== null && this.#idle)
  readonly offered = $derived.by(() => {
    const { alone, game } = this.#table
    // What lies open before me I put away first, but for what is only told.
    const open = game.asksFirst?.(this.#table) || (game.holds?.(this.#table) && !game.telling?.(this.#table))
    return this.#idle && !this.on && alone && !open
  })

  /** By a tap, which may slip: not while something is told that nobody would want to miss by chance. */
  tap(): void {
    if (!this.#table.game.telling?.(this.#table)) this.start()
  }
  start(): void {
    if (!this.offered) return
    this.#from = this.#table.now.seq
    this.passed = []
  }
  /** Look on again from here. */
  stop(): void {
    this.#from = null
  }
  /** My decision, or the end, is there: gather what was passed over. To be called whenever it may be so. */
  arrive(): void {
    const from = this.#from
    // Looking back or losing the line is no decision.
    if (from === null || this.#idle || ['back', 'offline'].includes(this.#table.kind)) return
    this.#from = null
    const asked = this.#table.kind === 'asked'
    const last = this.#table.log.at(-1)?.seq
    // What I am asked just now stands before me anyway.
    this.passed = this.#table.groups.filter(({ lines }) => {
      const until = lines.at(-1)?.seq ?? 0
      return until > from && !(asked && until === last)
    })
  }
}

/** A tap on a place where nothing else can be pressed hurries on; the button in NOW is its twin for everybody. */
export function hurries(node: HTMLElement, hurry: Hurry): { destroy: () => void } {
  let [x, y] = [0, 0]
  const down = (event: PointerEvent) => ([x, y] = [event.clientX, event.clientY])
  function tapped(event: MouseEvent) {
    const far = Math.hypot(event.clientX - x, event.clientY - y) > TREMBLE
    if (event.detail === 0 || far || (event.target as Element).closest(PRESSABLE)) return
    hurry.tap()
  }
  node.addEventListener('pointerdown', down)
  node.addEventListener('click', tapped)
  return {
    destroy() {
      node.removeEventListener('pointerdown', down)
      node.removeEventListener('click', tapped)
    },
  }
}
