import { beforeEach, describe, expect, test, vi } from 'vitest'
import { LANGUAGES } from './i18n.svelte'
import { ALL } from './sound'

/** Notes what is built and played, and is asleep until a gesture wakes it. */
class Context extends EventTarget {
  static all: Context[] = []
  state = 'suspended'
  currentTime = 0
  sampleRate = 1000
  destination = {}
  resume = vi.fn(() => {
    this.state = 'running'
    return Promise.resolve()
  })
  createBuffer = () => ({ getChannelData: () => new Float32Array(500) })
  constructor() {
    super()
    Context.all.push(this)
  }
}

let started: { from: number; until: number }[]

class Source {
  frequency = { exponentialRampToValueAtTime: () => undefined }
  #from = 0
  connect = (next: unknown) => next
  start(from: number) {
    this.#from = from
  }
  stop(until: number) {
    started.push({ from: this.#from, until })
  }
}
class Gain {
  gain = {
    setValueAtTime: () => undefined,
    linearRampToValueAtTime: () => undefined,
    exponentialRampToValueAtTime: () => undefined,
  }
  connect = (next: unknown) => next
}

beforeEach(() => {
  vi.resetModules()
  Context.all = []
  started = []
  vi.stubGlobal('AudioContext', Context)
  vi.stubGlobal('GainNode', Gain)
  vi.stubGlobal('BiquadFilterNode', Gain)
  vi.stubGlobal('DynamicsCompressorNode', Gain)
  vi.stubGlobal('OscillatorNode', Source)
  vi.stubGlobal('AudioBufferSourceNode', Source)
})

describe('sound', () => {
  test('nothing is built before a gesture', async () => {
    const { listenForGesture, play } = await import('./sound')
    listenForGesture()
    play('my_turn')

    expect(Context.all).toEqual([])
  })

  test('the first click wakes it, and already wants to be heard', async () => {
    const { listenForGesture, play } = await import('./sound')
    listenForGesture()
    document.body.addEventListener('click', () => play('asked'), { once: true })
    document.body.click()
    await Promise.resolve()

    expect(Context.all[0]?.resume).toHaveBeenCalledOnce()
    expect(started.length).toBeGreaterThan(0)
  })

  test('off is off', async () => {
    const { listenForGesture, play } = await import('./sound')
    const { settings } = await import('./settings.svelte')
    listenForGesture()
    document.body.click()
    settings.sound = false
    play('asked')
    settings.sound = true

    expect(started).toEqual([])
  })

  test('what happens many times at once sounds once', async () => {
    const { listenForGesture, play } = await import('./sound')
    listenForGesture()
    document.body.click()
    play('step')
    const once = started.length
    play('step')
    play('step')

    expect(once).toBeGreaterThan(0)
    expect(started.length).toBe(once)
  })

  test('what follows waits', async () => {
    const { listenForGesture, play, THEN_S } = await import('./sound')
    listenForGesture()
    document.body.click()
    play('slam')
    started = []
    play('right', THEN_S)

    expect(Math.min(...started.map(({ from }) => from))).toBeGreaterThanOrEqual(THEN_S)
  })

  test.each(ALL)('%s is over in half a second', async (cue) => {
    const { make } = await import('./sound')
    make(cue, new Context() as never, {} as never, 0)

    expect(started.length).toBeGreaterThan(0)
    expect(Math.max(...started.map(({ until }) => until))).toBeLessThanOrEqual(0.5)
  })

  test('whoever hears a card being shown hears the same length', async () => {
    const { make } = await import('./sound')
    const length = (cue: 'shown_to_me' | 'shown_to_others') => {
      started = []
      make(cue, new Context() as never, {} as never, 0)
      return started
    }

    expect(length('shown_to_me')).toEqual(length('shown_to_others'))
  })
})

describe('a shake', () => {
  test.each([
    [false, 0],
    [true, 1],
  ])('comes only where the page has been touched (%s)', async (hasBeenActive, times) => {
    const vibrate = vi.fn()
    vi.stubGlobal('navigator', { vibrate, userActivation: { hasBeenActive } })
    const { shake } = await import('./sound')
    const { settings } = await import('./settings.svelte')
    settings.motion = 'full'

    shake(40)
    expect(vibrate).toHaveBeenCalledTimes(times)
    vi.unstubAllGlobals()
  })
})

describe('every cue', () => {
  const TEXTS = import.meta.glob<Record<string, string>>('../texts/later/sound.*.json', {
    eager: true,
    import: 'default',
  })
  const [readme] = Object.values(
    import.meta.glob<string>('../../README.md', { eager: true, query: '?raw', import: 'default' }),
  )

  test.each(ALL)('%s can be tried, says what is seen instead, and is described', (cue) => {
    for (const { id } of LANGUAGES) {
      const texts = TEXTS[`../texts/later/sound.${id}.json`] ?? {}
      expect([id, texts[`sound.cue.${cue}`], texts[`sound.seen.${cue}`]]).not.toContain(undefined)
    }
    expect(readme).toContain(`\n| \`${cue}\` `)
  })
})
