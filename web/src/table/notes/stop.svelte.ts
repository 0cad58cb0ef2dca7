import { tick } from 'svelte'
import { markOf, STEPS } from './keys'

/** A sheet's one tab stop: the arrows move it, and other keys write my mark where it is. */
export class TabStop {
  at = $state.raw({ row: 0, column: 0 })
  readonly #rows: () => number
  readonly #columns: () => number
  readonly #write: (row: number, column: number, mark: string) => void

  constructor(rows: () => number, columns: () => number, write: (row: number, column: number, mark: string) => void) {
    this.#rows = rows
    this.#columns = columns
    this.#write = write
  }

  /** The tabindex of a cell. */
  index(row: number, column: number): 0 | -1 {
    return this.at.row === row && this.at.column === column ? 0 : -1
  }

  readonly pressed = async (event: KeyboardEvent & { currentTarget: HTMLElement }): Promise<void> => {
    const { currentTarget: grid, key } = event
    const step = STEPS[key]
    const mark = markOf(event)
    if (!step && mark === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const { row, column } = this.at
    if (step) {
      this.at = { row: within(row + step[0], this.#rows()), column: within(column + step[1], this.#columns()) }
      await tick()
      grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    } else this.#write(row, column, mark ?? '')
  }
}

const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, value))

/** Whether a cell got the focus by a key. A pointer chooses with its click: a bar that came up before would take that click. */
export const byKey = ({ target }: FocusEvent) => (target as Element).matches(':focus-visible')
