// Made by python -m whodunit.server.protocol_schema; do not edit.

export type Game = State | AnyEvent | AnyAction
/**
 * @minItems 3
 * @maxItems 3
 */
export type Resting = [number, number, string]
/**
 * @minItems 3
 * @maxItems 3
 */
export type Heard = [number, Colour, string]
export type Colour = 'black' | 'blue' | 'brown' | 'gray' | 'red' | 'white' | 'yellow'
export type AnyEvent =
  | Opened
  | Dropped
  | TurnBegan
  | Suspected
  | CoveringAnnounced
  | Exposed
  | VictimsFound
  | CluesPlaced
  | CluesTakenBack
  | ReturnAwaited
  | OrderAwaited
  | GameEnded
  | Undone
export type AnyAction = Inspect | Suspect | CoverTracks | TakeBack | Arrange

/**
 * The table; as a view it is the same with None for the tower, into which nobody sees.
 */
export interface State {
  options: Options
  act: 1 | 2
  turn: number
  on_turn: number
  phase: Falling | Searching | Accusing | TakingBack | Arranging | Over
  supplies: number[]
  sheet: number[][]
  victims: number[]
  inside: number[]
  tower: Tower | null
  held: number[]
  fallen: number[]
  heard: Heard[]
  drops: number
  lifts: number
  record: number[]
  prices: number[]
  totals: number[]
}
/**
 * The constants of section 6 and the figures of the rules; lower case, same meaning, same defaults.
 */
export interface Options {
  difficulty: 'clear' | 'hard' | 'normal'
  sound_replay: boolean
  tower: 'physics' | 'scripted' | 'surrogate'
  lift_shake: number
  victim_dropper: number | null
  first_investigator: number | null
  ground_penalty_first: boolean
  cover_needs_clue_on_sheet: boolean
  clues: number
  prologue_clues: number
  sheet_limit: number
  scene_points: number
  near_points: number
  far_points: number
  show_drop_log: boolean
  show_running_score: boolean
}
/**
 * Cubes are being dropped, or what was found is being settled.
 */
export interface Falling {
  type: 'Falling'
}
/**
 * Act I: the investigator chooses a floor.
 */
export interface Searching {
  type: 'Searching'
}
/**
 * Act II: the investigator suspects, or covers tracks.
 */
export interface Accusing {
  type: 'Accusing'
}
/**
 * The investigator says how many clues he takes back from the open floor's space.
 */
export interface TakingBack {
  type: 'TakingBack'
  floor: number
  most: number
  arrange: boolean
}
/**
 * The investigator chooses the order in which what he holds is dropped back.
 */
export interface Arranging {
  type: 'Arranging'
  penalty: number
  penalty_first: boolean
}
export interface Over {
  type: 'Over'
  winners: number[]
  culprits: number[]
  totals: number[]
  how: string
}
/**
 * All cubes inside, in the order of their numbers.
 */
export interface Tower {
  resting: Resting[]
}
export interface Opened {
  type: 'Opened'
  game: 'arosa'
  rules: number
  seats: number
  options: Options
  victim_dropper: number
  investigator: number
  known_to: number[]
}
/**
 * A cube falls into the hotel. Everybody hears it; where it comes to lie is known to nobody (AROSA-8 to 12).
 */
export interface Dropped {
  type: 'Dropped'
  seat: number
  colour: Colour
  why: 'back' | 'fallen' | 'penalty' | 'prologue'
  clip: Blob
  moved: Resting[] | null
  known_to: number[]
}
/**
 * A public field of bytes, such as a sound; stored apart from its event under an unguessable id.
 */
export interface Blob {
  id: string
  media: string
  data: string
}
export interface TurnBegan {
  type: 'TurnBegan'
  seat: number
  act: 1 | 2
  known_to: number[]
}
export interface Suspected {
  type: 'Suspected'
  seat: number
  suspects: number[]
  floor: number
  known_to: number[]
}
export interface CoveringAnnounced {
  type: 'CoveringAnnounced'
  seat: number
  floor: number
  known_to: number[]
}
/**
 * A floor is open: all cubes lying there, in no order that tells anything (AROSA-23).
 */
export interface Exposed {
  type: 'Exposed'
  seat: number
  floor: number
  found: Found[]
  lift: Lift | null
  fallen: Colour[]
  known_to: number[]
}
/**
 * A cube that everybody sees on an open floor.
 */
export interface Found {
  colour: Colour
  at: number[]
}
/**
 * A floor has been exposed, and the tower stands without what was taken or fell out.
 */
export interface Lift {
  taken: Resting[]
  spilled: number[]
  moved: Resting[]
}
export interface VictimsFound {
  type: 'VictimsFound'
  floor: number
  count: number
  known_to: number[]
}
/**
 * Clues of a player go on the sheet; `missing` of them come from the open floor (AROSA-63).
 */
export interface CluesPlaced {
  type: 'CluesPlaced'
  seat: number
  floor: number
  count: number
  missing: number
  known_to: number[]
}
export interface CluesTakenBack {
  type: 'CluesTakenBack'
  seat: number
  floor: number
  count: number
  known_to: number[]
}
/**
 * The investigator has found own clues, and may take up to `most` back from this floor's space (AROSA-55).
 */
export interface ReturnAwaited {
  type: 'ReturnAwaited'
  seat: number
  floor: number
  most: number
  arrange: boolean
  known_to: number[]
}
/**
 * The investigator is to say in which order what was found is dropped back (AROSA-24).
 */
export interface OrderAwaited {
  type: 'OrderAwaited'
  seat: number
  penalty: number
  penalty_first: boolean
  known_to: number[]
}
export interface GameEnded {
  type: 'GameEnded'
  winners: number[]
  culprits: number[]
  totals: number[]
  how: 'sheet' | 'supply'
  known_to: number[]
}
/**
 * The last action was taken back: the game stands again as it stood at `back_to`.
 */
export interface Undone {
  type: 'Undone'
  back_to: number
  known_to: number[]
}
/**
 * Act I: look for victims on a floor (AROSA-29).
 */
export interface Inspect {
  type: 'Inspect'
  floor: number
  arrange?: boolean
}
/**
 * Act II: accuse these players on a floor (AROSA-42).
 */
export interface Suspect {
  type: 'Suspect'
  suspects: number[]
  floor: number
  arrange?: boolean
}
/**
 * Act II: look for your own clues on a floor, to take some back from the sheet (AROSA-53).
 */
export interface CoverTracks {
  type: 'CoverTracks'
  floor: number
  arrange?: boolean
}
/**
 * Take so many of your clues back from the sheet (AROSA-55).
 */
export interface TakeBack {
  type: 'TakeBack'
  count: number
}
/**
 * Drop what was found back in this order, by place among what was found.
 */
export interface Arrange {
  type: 'Arrange'
  order: number[]
}
