import { keep, recall } from './store'

export type Theme = 'system' | 'paper' | 'lamp'
export type Motion = 'system' | 'reduced' | 'full'
/** How little time the table on this page leaves for movement. */
export type Haste = 'none' | 'brisk' | 'at_once'

function media(query: string): MediaQueryList | null {
  return typeof matchMedia === 'function' ? matchMedia(query) : null
}

/** What this browser's user wants; kept here and nowhere else. */
class Settings {
  #theme = $state<Theme>(recall('theme', 'system'))
  #motion = $state<Motion>(recall('motion', 'system'))
  #volume = $state<number>(recall('volume', 0.7))
  #sound = $state<boolean>(recall('sound', true))
  #shortcuts = $state<boolean>(recall('shortcuts', true))
  #name = $state<string>(recall('name', ''))
  #dark = $state(media('(prefers-color-scheme: dark)')?.matches ?? false)
  #still = $state(media('(prefers-reduced-motion: reduce)')?.matches ?? false)
  /** By how fast the table plays, so nobody's wish, and not kept. */
  haste = $state<Haste>('none')

  /** Apply what is chosen to the document now and whenever it or the system changes; called once, by the page. */
  follow(): void {
    media('(prefers-color-scheme: dark)')?.addEventListener('change', (event) => (this.#dark = event.matches))
    media('(prefers-reduced-motion: reduce)')?.addEventListener('change', (event) => (this.#still = event.matches))
    const apply = () => {
      document.documentElement.dataset.theme = this.look
      document.documentElement.dataset.motion = this.still ? 'reduced' : this.haste === 'brisk' ? 'brisk' : 'full'
    }
    apply() // before the first paint; the effect only runs after it
    $effect.root(() => {
      $effect(apply)
    })
  }

  get theme(): Theme {
    return this.#theme
  }
  set theme(theme: Theme) {
    this.#theme = theme
    keep('theme', theme)
  }

  /** The theme that shows now. */
  get look(): 'paper' | 'lamp' {
    return this.#theme === 'system' ? (this.#dark ? 'lamp' : 'paper') : this.#theme
  }

  get motion(): Motion {
    return this.#motion
  }
  set motion(motion: Motion) {
    this.#motion = motion
    keep('motion', motion)
  }

  /** Whether this user wants nothing to move. */
  get calm(): boolean {
    return this.#motion === 'system' ? this.#still : this.#motion === 'reduced'
  }

  /** Whether nothing should move: because the user wants it so, or because there is no time for it. */
  get still(): boolean {
    return this.calm || this.haste === 'at_once'
  }

  /** From 0 to 1. */
  get volume(): number {
    return this.#volume
  }
  set volume(volume: number) {
    this.#volume = Math.min(1, Math.max(0, volume))
    keep('volume', this.#volume)
  }

  get sound(): boolean {
    return this.#sound
  }
  set sound(sound: boolean) {
    this.#sound = sound
    keep('sound', sound)
  }

  /** Whether single letters are shortcuts. */
  get shortcuts(): boolean {
    return this.#shortcuts
  }
  set shortcuts(shortcuts: boolean) {
    this.#shortcuts = shortcuts
    keep('shortcuts', shortcuts)
  }

  /** How this player was called last time. */
  get name(): string {
    return this.#name
  }
  set name(name: string) {
    this.#name = name.trim()
    keep('name', this.#name)
  }
}

export const settings = new Settings()
