/* eslint svelte/prefer-svelte-reactivity: off -- nobody looks at the private maps; what is looked at is $state */
import { SvelteMap } from 'svelte/reactivity'
import type { Table } from '../../lib/protocol'
import { settings } from '../../lib/settings.svelte'
import { Refusal, socket } from '../../lib/socket.svelte'
import { awake, hush, play as cue, playSamples, whenAwake } from '../../lib/sound'
import { keep, recall } from '../../lib/store'
import { complain } from '../../lib/toasts.svelte'
import type { TableState } from '../../table/state.svelte'
import { fetched, Gone, type Clip } from './clip'
import type { Drop } from './hotel'
import { guessKey } from './guess'
import { dropsOf, openAt, turnAt } from './log'
import type { Ears as Picture } from './loud'
import type { AnyEvent, State } from './types'

/** How this page takes the drops in; `ask` until somebody has said. */
export type Mode = 'ask' | 'sound' | 'silent'

/** What the page shows before the present: a floor that was opened, and how many victims lay there; or a cube that falls. */
export type Step = { kind: 'look'; seq: number; victims: number } | { kind: 'drop'; seq: number; drop: Drop }

/**
 * How long an open floor stays before the first cube falls: at a table of many; and, where one plays alone, for a beat.
 * What lay there can be read for as long as it falls back.
 */
const LOOK_MS = 1800
const BRISK_LOOK_MS = 500
/** A floor that gives up a victim stays longer. */
export const VICTIMS_MS = 2600
const CLIP_MS = 2000
const BREATH_MS = 250
const AGAIN_MS = 2000
/** After a note there is time for another one: "perhaps". */
const NOTE_MS = 600

/** The choice holds for every table of this browser. */
class Way {
  #mode = $state<Mode>(recall<Mode>('arosa.ear', 'ask'))
  get mode(): Mode {
    return this.#mode
  }
  set mode(mode: Mode) {
    this.#mode = mode
    keep('arosa.ear', mode)
  }
  /** Whether pictures take the place of sound: by choice, or because the page's sound is off. */
  get silent(): boolean {
    return this.#mode === 'silent' || (this.#mode === 'sound' && (!settings.sound || settings.volume === 0))
  }
}
export const way = new Way()

/** Whether the page waits for my note after each drop, where the table waits for me. */
class Patience {
  #wanted = $state(recall<boolean>('arosa.notes', false))
  get wanted(): boolean {
    return this.#wanted
  }
  set wanted(wanted: boolean) {
    this.#wanted = wanted
    keep('arosa.notes', wanted)
  }
}
export const patience = new Patience()

/** Plays a table's drops to this page, in order and each at its release or later, and keeps what was heard this turn. */
export class Ears {
  /** What is shown now, until the page has caught up. */
  step = $state.raw<Step | null>(null)
  /** A drop that I hear again. */
  again = $state.raw<Drop | null>(null)
  /** Whether the browser wants a tap before anything sounds. */
  locked = $state(false)
  /** Whether drops wait that fell while I was away. */
  behind = $state(false)
  /** Whether I have said that it shall not go on before I say so. */
  held = $state(false)
  /** Whether a drop has been played, and what follows waits for me. */
  lingers = $state(false)
  /** The pictures of the drops that may be heard again, by clip. */
  readonly pictures = new SvelteMap<string, Picture>()
  /** The last event that this page has shown and played. */
  #done = $state(-1)
  #clips = new Map<string, Clip>()
  #drawing = new Set<string>()
  #released = new Map<string, number>()
  #frame: Table | null = null
  #running = false
  #skip: (() => void) | null = null
  #nudge: (() => void) | null = null
  /** The drop that I have let go without a note. */
  #passed = -1
  /** What had happened before this page looked: of looks into the hotel only the last is news. */
  #before = -1
  #silently = false
  /** How far the server knows of, from this page; it may be told of a drop while that is still played. */
  #said = -1
  #reached = -1
  #telling = false
  #left = false
  readonly #table: TableState

  constructor(table: TableState) {
    this.#table = table
  }

  #steps = $derived.by<readonly Step[]>(() => {
    const drops = new Map(dropsOf(this.#table.log).map((drop) => [drop.seq, drop]))
    return this.#table.log.flatMap<Step>(({ seq, event }, place, log) => {
      const drop = drops.get(seq)
      if (drop) return [{ kind: 'drop', seq, drop }]
      if ((event as AnyEvent).type !== 'Exposed') return []
      const next = log[place + 1]?.event as AnyEvent | undefined
      return [{ kind: 'look', seq, victims: next?.type === 'VictimsFound' ? next.count : 0 }]
    })
  })
  /**
   * Whether drops are told in silence, and all at once: the table plays so, or I hurry on to my next decision. There is
   * nothing to wait for then.
   */
  readonly told = $derived.by(() => this.#table.room.pace === 'at_once' || settings.haste === 'at_once')
  /** Whether the table waits until I have heard what fell. */
  readonly patient = $derived.by(() => this.#table.room.pace === 'brisk' && this.#table.me !== null)
  /** Whether a drop is seen and not heard. */
  readonly silent = $derived.by(() => this.told || way.silent)
  #queue = $derived.by(() => (this.#done < 0 || this.told ? [] : this.#steps.filter(({ seq }) => seq > this.#done)))
  /** How many drops have not been played to me. */
  readonly waiting = $derived.by(() => this.#queue.filter(({ kind }) => kind === 'drop').length)
  /** Whether the page is still behind what has happened. */
  readonly busy = $derived.by(() => !this.#table.over && this.#queue.length > 0)
  /** Up to which event the board stands; the present once everything was played. */
  readonly cursor = $derived.by(() => (this.step ? this.step.seq : this.busy ? this.#done : this.#table.now.seq))
  /**
   * The drops that may be heard again, as far as they were played, and the one that falls: those of the turn that this
   * page shows, which may be over elsewhere. Where they are told in silence, all since I have acted.
   */
  readonly heard = $derived.by<readonly Drop[]>(() => {
    const { log, now } = this.#table
    const view = now.view as State
    const drops = dropsOf(log)
    const may = new Set(view.heard.map(([, , clip]) => clip))
    if (this.told) return drops.filter(({ clip, seq }) => seq > this.#done || may.has(clip))
    const falling = this.step?.kind === 'drop' ? this.step.seq : null
    const shown = this.step?.seq ?? this.#done
    if (!view.options.sound_replay) return drops.filter(({ seq }) => seq === falling)
    if (falling === null) return drops.filter(({ clip, seq }) => may.has(clip) && seq <= shown)
    const since = turnAt(log, falling)
    return drops.filter(({ clip, seq }) => seq >= since && seq <= falling && (may.has(clip) || this.pictures.has(clip)))
  })

  /** A frame has come, or the seat has heard something elsewhere. */
  notice(): void {
    const { now, room, me } = this.#table
    if (now !== this.#frame) {
      this.#frame = now
      // The time that is left counts from the frame that says so, not from whatever else makes us look.
      for (const { id, left_ms } of now.clips) this.#released.set(id, performance.now() + left_ms)
    }
    if (this.#done < 0) {
      this.#before = now.seq
      // Whoever merely watches begins with what is falling now.
      const falling = dropsOf(this.#table.log).find(({ clip }) => (this.#released.get(clip) ?? 0) > performance.now())
      this.#done = me === null ? (falling ? falling.seq - 1 : now.seq) : room.heard
      // What fell before the last look is no news to anybody but me.
      const last = this.#steps.findLast(({ kind }) => kind === 'look')?.seq ?? 0
      this.behind = this.#queue.some(({ kind, seq }) => kind === 'drop' && seq < last)
    } else if (me !== null && room.heard > this.#said) this.#done = Math.max(this.#done, room.heard) // heard elsewhere
    this.#forget()
    if (this.told) this.#pass()
    else if (this.#silently) this.#done = now.seq // nothing that was told in silence is played afterwards
    this.#silently = this.told
    this.#draw()
    this.#nudge?.()
    void this.#run()
  }

  /** Let go what is being played; where the table waits until I have heard it, it need not. */
  #pass(): void {
    this.#skip?.()
    if (this.patient) void this.#tell(this.#table.now.seq)
  }
  /** Draw what fell this turn without having been played to this page: told in silence, or before it was opened anew. */
  #draw(): void {
    for (const { clip } of this.heard) {
      const early = (this.#released.get(clip) ?? 0) > performance.now() // whoever hurries let it go before its release
      if (early || this.#clips.has(clip) || this.#drawing.has(clip)) continue
      this.#drawing.add(clip)
      this.#load(clip)
        .catch(() => undefined) // the next frame asks anew
        .finally(() => this.#drawing.delete(clip))
    }
  }
  /** I have seen what was told in silence until then. */
  putAway(seq: number): void {
    if (!this.told) return
    this.#done = Math.max(this.#done, seq)
    void this.#tell()
  }

  /** Wait until every drop is released: whoever acts before has to wait for it anyway, and better here than on the line. */
  async released(): Promise<void> {
    const last = Math.max(0, ...this.#table.now.clips.map(({ id }) => this.#released.get(id) ?? 0))
    const left = last - performance.now()
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
  }

  /** Listen, or look at pictures instead; whatever waits then begins. */
  use(mode: Mode): void {
    way.mode = mode
    this.behind = false
    void this.#run()
  }
  /** Play what fell while I was away. */
  catchUp(): void {
    this.behind = false
    void this.#run()
  }
  /** Go on to the next at once. */
  skip(): void {
    this.#passed = this.step?.seq ?? -1
    this.goOn()
    this.#skip?.()
  }
  /** Let everything go that waits; it was offered. */
  skipAll(): void {
    this.#passed = this.#done = Math.max(this.#done, this.#queue.at(-1)?.seq ?? 0)
    this.behind = false
    this.goOn()
    this.#skip?.()
    void this.#tell()
  }
  /** Let nothing more fall before I say so. */
  hold(): void {
    this.held = this.patient
  }
  goOn(): void {
    this.held = false
    this.#nudge?.()
  }
  /** Wait for my note after each drop, or do not. */
  wait(wanted: boolean): void {
    patience.wanted = wanted
    this.goOn()
  }
  /** I have noted what I heard. Whoever does so once means to do it again: from then on the page waits for it. */
  noted(): void {
    if (this.patient && this.busy && !patience.wanted) patience.wanted = true
    this.#nudge?.()
  }
  /** Fall silent for good: the page is left, and what was not played stays unheard. */
  leave(): void {
    this.#left = true
    this.#skip?.()
    this.#nudge?.()
  }

  /** Hear or see a drop of this turn once more; where the table waits for me, what falls waits as well. */
  async replay(drop: Drop): Promise<void> {
    if (this.again || this.told) return
    if (this.busy) this.hold()
    if (this.busy && !this.held) return
    this.#skip?.()
    try {
      this.again = drop
      const clip = await this.#load(drop.clip)
      if ((!this.#running || this.held) && !this.#left) await this.#present(clip, 1)
    } catch (error) {
      if (!(error instanceof Gone)) complain(new Refusal('connection'))
    } finally {
      this.again = null
    }
  }

  get #haste(): number {
    return Math.min(1, socket.welcome?.haste ?? 1)
  }
  get #may(): boolean {
    if (this.#left || way.mode === 'ask' || this.behind || this.#table.over) return false
    this.locked = !way.silent && !awake()
    if (this.locked) void whenAwake().then(() => this.#run())
    return !this.locked
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    const speak = hush()
    let played = false
    try {
      for (let step = this.#queue[0]; step && this.#may; step = this.#queue[0]) {
        played = true
        this.#skip?.() // what is heard again gives way to what is new
        const sounded = step.kind === 'look' ? await this.#look(step) : await this.#drop(step)
        if (this.#left) return
        this.#done = Math.max(this.#done, step.seq)
        void this.#tell()
        if (sounded && this.#queue.length) await this.#pause(BREATH_MS * this.#haste)
      }
    } finally {
      this.step = null
      this.#running = false
      speak()
    }
    if (!played || this.busy) return
    // Notes are told nothing of a drop before its release.
    void this.#table.notes.refresh()
    // The bell that called me rang unheard.
    if (this.#table.kind === 'yours') cue('my_turn')
  }

  async #look(step: Step & { kind: 'look' }): Promise<boolean> {
    // Of several looks before this page came only the last is shown: the others have been dropped back long ago.
    const late = step.seq <= this.#before
    if (late && this.#queue.some(({ kind, seq }) => kind === 'look' && seq > step.seq)) return false
    this.step = step
    const { log, now, room } = this.#table
    // While somebody chooses, the floor stays open by itself.
    const stays = openAt(log, now.seq) === log.find(({ seq }) => seq === step.seq)?.event
    if ((stays && !step.victims) || (late && !this.waiting)) return false
    const ms = step.victims ? VICTIMS_MS : room.pace === 'brisk' ? BRISK_LOOK_MS : LOOK_MS
    await this.#pause(ms * this.#haste)
    return false
  }

  /** Returns whether it sounded to its end. */
  async #drop(step: Step & { kind: 'drop' }): Promise<boolean> {
    await this.#pause((this.#released.get(step.drop.clip) ?? 0) - performance.now())
    const clip = await this.#patiently(step)
    if (!clip || this.#left) return false
    this.step = step
    // Where the table waits for me, whoever is next thinks while I hear the last one; unless I want to make notes.
    if (this.patient && !patience.wanted && this.#queue.at(-1) === step) void this.#tell(step.seq)
    const end = await this.#present(clip, this.#haste)
    await this.#listened(step)
    return end === 'over' && !this.silent
  }

  /** Where the table waits for me: as long as I hold on, or until I have noted what I heard. */
  async #listened({ seq, drop }: Step & { kind: 'drop' }): Promise<void> {
    const noted = () => this.#table.notes.mark(...guessKey(drop.nth)) !== ''
    const before = noted()
    const waits = () => this.held || (patience.wanted && this.#haste > 0 && !noted())
    while (!this.#left && this.patient && this.#passed < seq && waits()) {
      this.lingers = true
      await new Promise<void>((resolve) => (this.#nudge = resolve))
      this.#nudge = null
    }
    this.lingers = false
    if (!before && noted() && this.#passed < seq) await this.#pause(NOTE_MS * this.#haste)
  }

  /** Load a drop's clip, however often the line breaks; null if it is gone, was skipped, or was heard elsewhere. */
  async #patiently({ seq, drop }: Step & { kind: 'drop' }): Promise<Clip | null> {
    while (!this.#left && this.#done < seq) {
      // What is skipped is not fetched any more: once it is told as heard, there would be nothing to be had.
      const errand = new AbortController()
      this.#skip = () => errand.abort()
      try {
        const clip = await this.#load(drop.clip, errand.signal)
        return errand.signal.aborted ? null : clip
      } catch (error) {
        if (error instanceof Gone || errand.signal.aborted || (await this.#pause(AGAIN_MS)) === 'skipped') return null
      } finally {
        this.#skip = null
      }
    }
    return null
  }

  async #present(clip: Clip, haste: number): Promise<'over' | 'skipped'> {
    if (this.silent) return this.#pause(CLIP_MS * haste)
    const { stop } = playSamples(clip.buffer)
    const end = await this.#pause(CLIP_MS * haste)
    // In haste clips overlap; else what is skipped falls silent.
    if (haste > 0 && end === 'skipped') stop()
    return end
  }

  #pause(ms: number): Promise<'over' | 'skipped'> {
    if (ms <= 0) return Promise.resolve('over')
    return new Promise((resolve) => {
      const end = (how: 'over' | 'skipped') => {
        clearTimeout(timer)
        if (this.#skip === skip) this.#skip = null
        resolve(how)
      }
      const skip = () => end('skipped')
      const timer = setTimeout(() => end('over'), ms)
      this.#skip = skip
    })
  }

  async #load(id: string, signal?: AbortSignal): Promise<Clip> {
    const kept = this.#clips.get(id)
    if (kept) return kept
    const clip = await fetched(this.#table.id, id, signal)
    this.#clips.set(id, clip)
    this.pictures.set(id, clip.ears)
    return clip
  }

  /** Keep no clip that may not be heard again. */
  #forget(): void {
    const view = this.#table.now.view as State
    const kept = new Set([
      ...view.heard.map(([, , clip]) => clip),
      ...this.heard.map(({ clip }) => clip),
      ...this.#queue.flatMap((step) => (step.kind === 'drop' ? [step.drop.clip] : [])),
    ])
    for (const id of [...this.#clips.keys()]) {
      if (kept.has(id)) continue
      this.#clips.delete(id)
      this.pictures.delete(id)
    }
  }

  /** Tell the server how far this seat has been played; one ask at a time, the latest counts. */
  async #tell(seq = this.#done): Promise<void> {
    this.#reached = Math.max(this.#reached, seq)
    if (this.#table.me === null || this.#telling) return
    this.#telling = true
    try {
      while (this.#said < this.#reached) {
        const told = (this.#said = this.#reached)
        await socket.ask({ type: 'heard', table: this.#table.id, seq: told })
      }
    } catch {
      this.#said = -1 // the line is down, or the game has gone on without us; the next drop tells it anew
    } finally {
      this.#telling = false
    }
  }
}
