import { beforeEach, describe, expect, test, vi } from 'vitest'

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

const CUES = [
  ...['my_turn', 'asked', 'die', 'step', 'card', 'shown_to_me', 'shown_to_others', 'nobody_could', 'slam'],
  ...['right', 'wrong', 'tick', 'message', 'sat_down', 'left'],
] as const

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

  test.each(CUES)('%s is over in half a second', async (cue) => {
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
