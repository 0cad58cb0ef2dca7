import { Refusal, socket } from '../lib/socket.svelte'
import type { Archive, Today } from './types'

const AGAIN_MS = 1_000

/** Ask until the line is there; whatever else is wrong is told. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason !== 'connection') throw error
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}

/** The cases of the day and of the days before, as this house has them. */
export class Desk {
  today = $state.raw<Today | null>(null)
  days = $state.raw<Archive['days']>([])
  /** Whether there may be days before those. */
  more = $state(false)
  failed = $state.raw<string | null>(null)
  /** When today was told, by this page's clock. */
  #at = 0

  async read(): Promise<void> {
    try {
      this.today = await patiently(() => socket.ask({ type: 'read_today' }))
      this.#at = Date.now()
      await this.older()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.failed = error.reason
    }
  }
  /** Ask for the day once more; what is there stays until it comes. */
  async again(): Promise<void> {
    try {
      this.today = await socket.ask({ type: 'read_today' })
      this.#at = Date.now()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  /** The days before those that are here. */
  async older(): Promise<void> {
    const before = this.days.at(-1)?.day ?? null
    const { days } = await patiently(() => socket.ask({ type: 'read_archive', before }))
    this.days = [...this.days, ...days]
    this.more = days.length > 0
  }
  /** How many seconds the next cases are away. */
  left(now: number): number {
    const { today } = this
    return today ? Math.max(0, (today.next_at - today.now - (now - this.#at)) / 1000) : 0
  }
}
