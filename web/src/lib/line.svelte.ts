import { t } from './i18n.svelte'
import { interrupt } from './live.svelte'
import { socket } from './socket.svelte'
import { toast } from './toasts.svelte'

/** A blink of the line is nobody's business; only a longer break is told. */
const PATIENCE_MS = 1_200
/** After this "trying again" alone would sound like a machine. */
const LONG_MS = 20_000

/** Whether the line to the house is broken, for so long that somebody should be told. */
class Line {
  #broken = $state<'' | 'now' | 'long'>('')

  get broken(): boolean {
    return this.#broken !== ''
  }
  /** What is wrong: a key of the shell's texts under `connection.` */
  get reason(): 'full' | 'too_many' | 'forgotten' | 'long' | 'restarting' | 'offline' {
    if (socket.full) return 'full'
    if (this.#broken === 'long') return 'long'
    return socket.goodbye === null || socket.goodbye === 'too_slow' ? 'offline' : socket.goodbye
  }

  /** Tell of every break and of its end; called inside an effect, once, by the page. */
  follow(): () => void {
    if (socket.state === 'connecting') return () => undefined
    if (socket.state === 'open') {
      if (this.#broken) toast(t('connection.back'))
      this.#broken = ''
      return () => undefined
    }
    const soon = setTimeout(() => {
      this.#broken ||= 'now'
      interrupt(t(`connection.${this.reason}`))
    }, PATIENCE_MS)
    const late = setTimeout(() => (this.#broken = 'long'), LONG_MS)
    return () => [soon, late].forEach(clearTimeout)
  }
}

export const line = new Line()
