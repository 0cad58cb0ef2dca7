import { socket } from '../../lib/socket.svelte'
import { awake, hush, playSamples, whenAwake } from '../../lib/sound'
import { complain } from '../../lib/toasts.svelte'
import { decoded, fromBase64, type Clip } from './clip'
import { way } from './ears.svelte'
import { restingOn, type Floor, type Lying } from './hotel'
import type { Options } from './types'

export type Difficulty = Options['difficulty']
const CLIP_MS = 2000
/** A cube of the first seat: whose it is does not matter here. */
const OWNED = 1

/** A drop of the practice room: the clip, and the truth about it. */
export interface Trial {
  clip: Clip
  floor: Floor
  /** What the trained listener would have said. */
  ear: Floor
  /** How the cube lies there. */
  cubes: Lying[]
}

/** Fresh drops outside of any game, one at a time. */
export class Trainer {
  trial = $state.raw<Trial | null>(null)
  /** Whether a drop is being made or sounds. */
  busy = $state(false)

  /** Let a cube fall, onto this floor if one is named, and play it. */
  async drop(difficulty: Difficulty, floor: Floor | null): Promise<void> {
    if (this.busy) return
    this.busy = true
    try {
      const made = await socket.ask({ type: 'practise', game: 'arosa', difficulty, floor })
      const clip = await decoded(fromBase64(made.clip))
      this.trial = {
        clip,
        floor: made.floor,
        ear: made.ear,
        cubes: restingOn(made.floor, [[OWNED, made.floor, made.pose]]),
      }
      await this.#sound(clip)
    } catch (error) {
      complain(error)
    } finally {
      this.busy = false
    }
  }

  async again(): Promise<void> {
    if (this.busy || !this.trial) return
    this.busy = true
    try {
      await this.#sound(this.trial.clip)
    } finally {
      this.busy = false
    }
  }

  async #sound(clip: Clip): Promise<void> {
    if (way.silent) return
    if (!awake()) await whenAwake()
    const speak = hush()
    playSamples(clip.buffer)
    await new Promise((resolve) => setTimeout(resolve, Math.min(1, socket.welcome?.haste ?? 1) * CLIP_MS))
    speak()
  }
}
