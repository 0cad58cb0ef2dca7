import type { Told } from '../../lib/protocol'
import { play as sound } from '../../lib/sound'
import type { Deed, TableState } from '../../table/state.svelte'
import { Ears, way } from './ears.svelte'
import type { Drop, Floor } from './hotel'
import { guessKey, readGuess, tapped, writeGuess, type Guess } from './guess'
import { dropsOf, openAt, openedIn } from './log'
import type { AnyEvent, State } from './types'

/** What is half chosen. */
export interface Picks {
  floor?: Floor
  suspects?: readonly number[]
  /** In act II, to cover tracks instead of suspecting. */
  cover?: boolean
  /** Whether I choose the order in which what was found falls back. */
  arrange?: boolean
  count?: number
  order?: readonly number[]
  /** What is costly is pressed twice. */
  warned?: boolean
}

/** What this page keeps of a game of Mord im Arosa: its ears, and what is half chosen. */
export class Play {
  readonly ears: Ears
  /** The floor that was tapped when there was nothing to choose: what is known of it. */
  asked = $state<Floor | null>(null)
  /** Whether I have decided, and cubes are still falling. */
  waits = $state(false)
  /** How high a drop stands in NOW, in pixels. */
  tall = $state(0)
  /** Whether the end is still to be seen as it came; and how often one has. */
  ending = $state(false)
  endings = $state(0)
  #picked = $state.raw<{ moment: string; picks: Picks }>({ moment: '', picks: {} })
  readonly #table: TableState

  constructor(table: TableState) {
    this.#table = table
    this.ears = new Ears(table)
  }

  get #moment(): string {
    const { turn, phase } = this.#table.now.view as State
    return `${turn} ${phase.type}`
  }
  get picks(): Picks {
    return this.#picked.moment === this.#moment ? this.#picked.picks : {}
  }
  /** What is half chosen holds until the table moves on. */
  pick(more: Picks): void {
    this.#picked = { moment: this.#moment, picks: { ...this.picks, warned: false, ...more } }
  }

  /** What NOW is about besides my turn: how I listen, what I have missed, what falls. */
  readonly stage = $derived.by<'table' | 'prompt' | 'behind' | 'falling'>(() => {
    const { ears } = this
    const table = this.#table
    if (table.over || table.looked || table.standsIn) return 'table'
    if (ears.told) return 'table' // in silence there is nothing to be asked about listening
    if (way.mode === 'ask') return 'prompt'
    if (!ears.busy) return 'table'
    if (ears.locked) return 'prompt'
    return ears.behind ? 'behind' : 'falling'
  })
  /** Which action a tap on a floor is for. */
  readonly choosing = $derived.by<'Inspect' | 'Suspect' | 'CoverTracks' | null>(() => {
    const table = this.#table
    if (this.stage !== 'table' || table.kind !== 'yours') return null
    if (table.offer('Inspect')) return 'Inspect'
    if (this.picks.cover && table.offer('CoverTracks')) return 'CoverTracks'
    return table.offer('Suspect') ? 'Suspect' : null
  })
  /** Whom I suspect: whoever I have chosen, or the only other player. */
  readonly suspects = $derived.by<readonly number[]>(() => {
    const others = this.#table.choices<number>('Suspect', 'suspects')
    return this.picks.suspects ?? (others.length === 1 ? others : [])
  })
  /** The floor that stands open before everybody. */
  readonly open = $derived.by(() => openAt(this.#table.log, this.#table.looked?.seq ?? this.ears.cursor))
  /** What was found in this turn: to be read also while it falls back. */
  readonly found = $derived.by(() => {
    if (this.open) return this.open
    return this.falling && !this.ears.again ? openedIn(this.#table.log, this.falling.seq) : null
  })
  /** The cube above the roof. */
  readonly falling = $derived.by<Drop | null>(() => {
    if (this.#table.looked) return dropsOf(this.#table.log).find(({ seq }) => seq === this.#table.looked?.seq) ?? null
    if (this.ears.again) return this.ears.again
    return this.ears.step?.kind === 'drop' ? this.ears.step.drop : null
  })

  /** Act as soon as the last cube has come to rest. */
  async act(deed: Deed): Promise<void> {
    if (this.waits) return
    this.waits = true
    await this.ears.released()
    this.waits = false
    const seen = this.#table.now.seq // what this brings about is news
    if (await this.#table.act(deed)) this.ears.putAway(seen)
  }
  /** Whether something of mine is on its way. */
  readonly busy = $derived.by(() => this.waits || this.#table.busy)

  tap(floor: Floor): void {
    if (this.choosing) this.pick({ floor })
    else this.asked = this.asked === floor ? null : floor
  }
  toggle(seat: number): void {
    const others = this.#table.choices<number>('Suspect', 'suspects')
    if (others.length === 1) return // there is nobody else to suspect
    const now = this.suspects
    const suspects = now.includes(seat) ? now.filter((other) => other !== seat) : [...now, seat].sort()
    this.pick({ suspects })
  }

  /** What my ear made of a drop. */
  guess(drop: Drop): Guess {
    return readGuess(this.#table.notes.mark(...guessKey(drop.nth)))
  }
  note(drop: Drop, floor: Floor | null): void {
    const guess = floor === null ? { sure: null, perhaps: [] } : tapped(this.guess(drop), floor)
    void this.#table.notes.write(...guessKey(drop.nth), writeGuess(guess))
    this.ears.noted()
  }

  /** Sounds; drops have their own. */
  hear(fresh: readonly Told[]): void {
    for (const { event: any, line } of fresh) {
      const event = any as AnyEvent
      switch (event.type) {
        case 'Exposed':
          sound('lift')
          break
        case 'Suspected':
          sound('slam')
          // Where all of it is told at once, a band would only lie over what is to be chosen.
          if (event.seat !== this.#table.me && !this.ears.told)
            this.#table.bang = { icon: 'accuse', title: this.#table.say(line) }
          break
        case 'VictimsFound':
          sound('slam')
          break
        case 'CluesPlaced':
          sound('card')
          break
        case 'GameEnded':
          this.ending = true
          this.endings++
          break
      }
    }
  }
}

export const playOf = (table: TableState) => table.own as Play
export const viewOf = (table: TableState) => table.view as State
/** The table as it stands, whatever is looked at. */
export const presentOf = (table: TableState) => table.now.view as State
/** The event up to which everything is shown. */
export const seqOf = (table: TableState) => table.looked?.seq ?? table.now.seq
