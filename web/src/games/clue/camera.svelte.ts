import type { Point } from './places'

/** Squares round the grid that the frame of the board takes. */
export const MARGIN = 0.6
const COLUMNS = 24 + 2 * MARGIN
const ROWS = 25 + 2 * MARGIN
/** In px: below this a finger cannot hit a square, and the board is shown in part. */
const TOUCHABLE = 26
/** A whole board down to this is fine: a list of the squares is the twin for small targets. */
const READABLE = 17.5
const LARGEST = 52

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

const CORNERS = [
  { right: true, bottom: false },
  { right: false, bottom: false },
  { right: false, bottom: true },
  { right: true, bottom: true },
] as const

export interface Corner {
  readonly right: boolean
  readonly bottom: boolean
  readonly covered: number
}

/** Which part of the board shows in its frame, and how large. */
export class Camera {
  width = $state(0)
  height = $state(0)
  #wanted = $state<number | null>(null)
  #middle = $state.raw<Point>([12, 12.5])

  /** Px per square when the whole board shows. */
  readonly fit = $derived(Math.min(this.width / COLUMNS, this.height / ROWS))
  /** Px per square. */
  readonly unit = $derived(
    this.#wanted === null
      ? this.fit >= READABLE
        ? this.fit
        : TOUCHABLE
      : within(this.#wanted, this.fit, Math.max(LARGEST, this.fit)),
  )
  readonly worldWidth = $derived(COLUMNS * this.unit)
  readonly worldHeight = $derived(ROWS * this.unit)
  /** Whether there is more than fits. */
  readonly zoomed = $derived(this.unit > this.fit + 0.01)
  readonly left = $derived(this.#offset(this.#middle[0], this.worldWidth, this.width))
  readonly top = $derived(this.#offset(this.#middle[1], this.worldHeight, this.height))
  /** The visible part, in squares. */
  readonly window = $derived({
    x: Math.max(0, -this.left) / this.unit - MARGIN,
    y: Math.max(0, -this.top) / this.unit - MARGIN,
    width: Math.min(this.width, this.worldWidth) / this.unit,
    height: Math.min(this.height, this.worldHeight) / this.unit,
  })

  #offset(middle: number, world: number, frame: number): number {
    if (world <= frame) return (frame - world) / 2
    return within(frame / 2 - (middle + MARGIN) * this.unit, frame - world, 0)
  }

  /**
   * The corner of the frame that covers the fewest of these points, for what stands in one, and how many; where that is
   * the same, the fewest of the lesser ones.
   */
  corner(points: readonly Point[], [width, height]: Point, lesser: readonly Point[] = []): Corner {
    // Read once: each of them asks all that it follows from whether it still holds, and there are many points.
    const { unit, left, top, width: frameWidth, height: frameHeight } = this
    const covered = (some: readonly Point[], { right, bottom }: (typeof CORNERS)[number]) =>
      some.filter(([px, py]) => {
        const x = (px + MARGIN) * unit + left
        const y = (py + MARGIN) * unit + top
        const across = right ? x > frameWidth - width && x < frameWidth : x < width && x > 0
        return across && (bottom ? y > frameHeight - height && y < frameHeight : y < height && y > 0)
      }).length
    const costs = CORNERS.map((corner) => covered(points, corner) + covered(lesser, corner) / (lesser.length + 1))
    const best = CORNERS[costs.indexOf(Math.min(...costs))] ?? CORNERS[0]
    return { ...best, covered: covered(points, best) }
  }

  look([x, y]: Point): void {
    this.#middle = [x, y]
  }
  /** Move the picture by so many px. */
  pan(dx: number, dy: number): void {
    // From where the frame really stands: at an edge the wish may lie beyond it.
    const { x, y, width, height } = this.window
    this.look([x + width / 2 - dx / this.unit, y + height / 2 - dy / this.unit])
  }
  zoom(by: number): void {
    this.#wanted = within(this.unit * by, this.fit, Math.max(LARGEST, this.fit))
  }
  whole(): void {
    this.#wanted = this.zoomed ? this.fit : TOUCHABLE * 1.2
  }
  /** Bring a point into the frame, if it is not well inside. */
  reveal([x, y]: Point): void {
    const { x: left, y: top, width, height } = this.window
    const inside = x > left + 1.5 && x < left + width - 1.5 && y > top + 1.5 && y < top + height - 1.5
    if (this.zoomed && !inside) this.look([x, y])
  }
}
