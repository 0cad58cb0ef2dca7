import { settings } from './settings.svelte'

/**
 * Our own cues, made of oscillators and noise on the spot: no file, no request, and each under half a second.
 * Every one has a silent equal somewhere in the page; nothing is ever said by sound alone.
 */
export type Cue =
  | 'my_turn'
  | 'asked'
  | 'question'
  | 'answer'
  | 'die'
  | 'step'
  | 'card'
  | 'shown_to_me'
  | 'shown_to_others'
  | 'nobody_could'
  | 'lift'
  | 'slam'
  | 'right'
  | 'wrong'
  | 'low'
  | 'tick'
  | 'message'
  | 'sat_down'
  | 'left'
  | 'won'
  | 'over'

type Maker = (desk: Desk) => void

/** Where a cue is put together; times are seconds from its start. */
class Desk {
  constructor(
    readonly context: BaseAudioContext,
    readonly out: AudioNode,
    readonly start: number,
  ) {}

  /** A tone that dies away; a bell or a piece of wood is a few of them. */
  tone(at: number, frequency: number, seconds: number, level: number, type: OscillatorType = 'sine', glideTo?: number) {
    const from = this.start + at
    const oscillator = new OscillatorNode(this.context, { type, frequency })
    if (glideTo) oscillator.frequency.exponentialRampToValueAtTime(glideTo, from + seconds)
    oscillator.connect(this.#fading(from, seconds, level))
    oscillator.start(from)
    oscillator.stop(from + seconds)
  }

  /** A breath of noise round a frequency: paper, wood, a palm. */
  noise(at: number, frequency: number, seconds: number, level: number, q = 1, attack = 0.002) {
    const from = this.start + at
    const source = new AudioBufferSourceNode(this.context, { buffer: hiss(this.context) })
    const filter = new BiquadFilterNode(this.context, { type: 'bandpass', frequency, Q: q })
    source.connect(filter).connect(this.#fading(from, seconds, level, attack))
    source.start(from)
    source.stop(from + seconds)
  }

  bell(at: number, level: number) {
    this.tone(at, 1568, 0.34, level)
    this.tone(at, 2349, 0.26, level * 0.4)
    this.tone(at, 4186, 0.12, level * 0.2)
  }

  wood(at: number, frequency: number, level: number) {
    this.tone(at, frequency, 0.09, level, 'triangle', frequency * 0.7)
    this.noise(at, frequency * 4, 0.03, level * 0.8, 2)
  }

  paper(at: number, level: number, bright: number) {
    this.noise(at, bright, 0.2, level, 0.7, 0.07)
    this.noise(at + 0.16, bright * 0.6, 0.08, level * 0.7, 1)
  }

  #fading(from: number, seconds: number, level: number, attack = 0.004): AudioNode {
    const gain = new GainNode(this.context, { gain: 0 })
    gain.gain.setValueAtTime(0, from)
    gain.gain.linearRampToValueAtTime(level, from + attack)
    gain.gain.exponentialRampToValueAtTime(0.0001, from + seconds)
    return (gain.connect(this.out), gain)
  }
}

const CUES: Record<Cue, Maker> = {
  my_turn: (desk) => [0, 0.16].forEach((at) => desk.bell(at, 0.3)),
  asked: (desk) => desk.bell(0, 0.3),
  // A voice that goes up, and one that comes down: no words, and the same whatever is asked or answered.
  question: (desk) => desk.tone(0, 196, 0.22, 0.16, 'triangle', 262),
  answer: (desk) => desk.tone(0, 247, 0.22, 0.16, 'triangle', 185),
  die: (desk) => [0, 0.07, 0.13, 0.21, 0.32].forEach((at, hit) => desk.wood(at, 420 - 45 * hit, 0.32 - 0.04 * hit)),
  step: (desk) => desk.wood(0, 300, 0.14),
  card: (desk) => desk.paper(0, 0.22, 3200),
  shown_to_me: (desk) => desk.paper(0, 0.3, 3600),
  // Equal length near and far: who hears it learns nothing about the card.
  shown_to_others: (desk) => desk.paper(0, 0.1, 1500),
  nobody_could: (desk) => [0, 0.17].forEach((at) => desk.wood(at, 150, 0.5)),
  lift: (desk) => {
    desk.noise(0, 420, 0.36, 0.3, 1.2, 0.2)
    desk.wood(0.34, 190, 0.3)
  },
  slam: (desk) => {
    desk.noise(0, 260, 0.22, 0.9, 0.6)
    desk.tone(0, 110, 0.3, 0.6, 'sine', 55)
  },
  right: (desk) =>
    [523.25, 659.25].forEach((frequency, place) => desk.tone(place * 0.15, frequency, 0.3, 0.3, 'triangle')),
  wrong: (desk) => {
    desk.tone(0, 130, 0.35, 0.5, 'sine', 70)
    desk.noise(0, 180, 0.15, 0.4, 0.8)
  },
  low: (desk) => [0, 0.12, 0.24].forEach((at) => desk.wood(at, 780, 0.22)),
  tick: (desk) => desk.wood(0, 900, 0.14),
  message: (desk) => [0, 0.08, 0.15].forEach((at) => desk.noise(at, 5200, 0.06, 0.12, 1.5, 0.02)),
  sat_down: (desk) => [220, 330].forEach((frequency, place) => desk.wood(place * 0.11, frequency, 0.25)),
  left: (desk) => [330, 220].forEach((frequency, place) => desk.wood(place * 0.11, frequency, 0.25)),
  won: (desk) =>
    [523.25, 659.25, 783.99].forEach((frequency, place) => desk.tone(place * 0.11, frequency, 0.28, 0.28, 'triangle')),
  // A file is closed and laid down.
  over: (desk) => {
    desk.paper(0, 0.2, 1800)
    desk.wood(0.3, 130, 0.4)
  },
}
/** Every cue there is. */
export const ALL = Object.keys(CUES) as Cue[]

const noises = new WeakMap<BaseAudioContext, AudioBuffer>()

function hiss(context: BaseAudioContext): AudioBuffer {
  let buffer = noises.get(context)
  if (!buffer) {
    buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate)
    const samples = buffer.getChannelData(0)
    for (let place = 0; place < samples.length; place++) samples[place] = Math.random() * 2 - 1
    noises.set(context, buffer)
  }
  return buffer
}

/** Put a cue into a context; apart so that a test can render it offline. */
export function make(cue: Cue, context: BaseAudioContext, out: AudioNode, start: number): void {
  CUES[cue](new Desk(context, out, start))
}

let context: AudioContext | null = null
let master: GainNode | null = null
let waking: Promise<void> | null = null
let hushes = 0
/** Many events may come at once, as after a break: the same cue on top of itself would only be loud. */
const APART_S = 0.08
const last = new Map<Cue, number>()
const sleepers = new Set<() => void>()

/** The page was touched: from now on it may be heard. Browsers want this inside the gesture itself. */
function wake(): void {
  if (typeof AudioContext === 'undefined') return
  if (!context) {
    context = new AudioContext({ latencyHint: 'interactive' })
    master = new GainNode(context, { gain: 0 })
    // Several cues at once must not crackle.
    master.connect(new DynamicsCompressorNode(context)).connect(context.destination)
    context.addEventListener('statechange', rouse)
  }
  if (context.state !== 'running') waking = context.resume()
}

function rouse(): void {
  if (!awake()) return
  for (const resolve of sleepers) resolve()
  sleepers.clear()
}

/** Whether this page can be heard: it was touched, and the browser lets it. */
export const awake = () => context?.state === 'running'

/** Wait until this page can be heard. */
export const whenAwake = () =>
  awake() ? Promise.resolve() : new Promise<void>((resolve) => void sleepers.add(resolve))

/** Keep all cues back while something is listened to; returns how to let them sound again. */
export function hush(): () => void {
  hushes++
  return () => void hushes--
}

/** Play samples as they are, at the page's volume; returns how to stop, and when it is over. */
export function playSamples(buffer: AudioBuffer): { stop: () => void; ended: Promise<void> } {
  if (!context) return { stop: () => undefined, ended: Promise.resolve() }
  const source = new AudioBufferSourceNode(context, { buffer })
  // Not through the cues' compressor: it would lift what lies deep.
  source.connect(new GainNode(context, { gain: settings.volume ** 2 })).connect(context.destination)
  const ended = new Promise<void>((resolve) => source.addEventListener('ended', () => resolve(), { once: true }))
  source.start()
  return { stop: () => source.stop(), ended }
}

/** Wait for the first gesture; called once, by the page. */
export function listenForGesture(): void {
  // A finger's pointerdown counts for nothing, its click does; it comes before the click's own handlers here.
  for (const kind of ['click', 'keydown'] as const) addEventListener(kind, wake, { capture: true })
}

/** Play a cue, if sound is on and the page was ever touched; otherwise nothing happens. What follows another waits `after` it. */
export function play(cue: Cue, after = 0): void {
  if (!settings.sound || settings.volume === 0 || !context || hushes > 0) return
  if (context.state === 'running') now(cue, after)
  else void waking?.then(() => now(cue, after)) // the very gesture that wakes it wants to be heard
}

function now(cue: Cue, after: number): void {
  if (!context || !master || context.state !== 'running') return
  const start = context.currentTime + 0.01 + after
  if (Math.abs(start - (last.get(cue) ?? -Infinity)) < APART_S) return
  last.set(cue, start)
  master.gain.setValueAtTime(settings.volume ** 2, context.currentTime) // ears are logarithmic
  make(cue, context, master, start)
}

/** How long what is decided waits for what announced it: a palm on the table, then right or wrong. */
export const THEN_S = 0.35

/** A small shake where the device can, and has been touched: before that browsers complain. The silent equal of being asked. */
export function shake(ms: number): void {
  if (!settings.calm && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(ms)
}
