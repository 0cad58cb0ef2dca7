// Made by python -m whodunit.server.protocol_schema; do not edit.

export type Game = State | AnyEvent | AnyAction
export type AnyEvent =
  | Opened
  | InvestigationBegan
  | HandDealt
  | MurdererHidden
  | RoomsLit
  | RoundBegan
  | CardPlayed
  | Parked
  | Guessed
  | DeskTaken
  | Relocated
  | Exchanged
  | Looked
  | LookDeclined
  | LotLeft
  | LastCardLaid
  | MurdererFound
  | Scored
  | GameEnded
  | Undone
export type Department = 'BONUS' | 'DUPLICATE' | 'EXCHANGE' | 'LOOK' | 'RELOCATE'
export type AnyAction = Play | Guess | TakeDesk | Relocate | Exchange | Look | LayLast

/**
 * The table; as a view it is the same with None for whatever that viewer does not know.
 */
export interface State {
  options: Options
  investigation: number
  round: number
  turn: number
  on_turn: number
  phase: Dealing | Playing | Guessing | Assisting | Revealing | Over
  car: number
  hidden: number | null
  lit: number[]
  sizes: number[]
  hands: (number[] | null)[]
  trick: (number | null)[]
  lots: number[]
  unused: number[]
  guesses: string[][]
  figures: (number | null)[][]
  desks: number[][]
  shared: number[]
  trades: Trade[]
  points: number[][]
}
/**
 * The rule constants of section 2; lower case, same meaning, same defaults.
 */
export interface Options {
  beginner: boolean
  bonus_per_correct_guess: boolean
  guess_on_lit_room: boolean
  duplicate_uses: number | null
  first_car: number | null
  investigations: number
  rounds: number
  floor_points: number
  column_points: number
  room_points: number
}
/**
 * The table is being laid, or something is being counted.
 */
export interface Dealing {
  type: 'Dealing'
}
/**
 * The player on turn plays a card; how many he may choose from makes no difference here.
 */
export interface Playing {
  type: 'Playing'
}
/**
 * The player on turn, on the first or the last lot, guesses.
 */
export interface Guessing {
  type: 'Guessing'
}
/**
 * The player on turn, on a lot between, takes a desk.
 */
export interface Assisting {
  type: 'Assisting'
}
/**
 * The player on turn lays his last card open.
 */
export interface Revealing {
  type: 'Revealing'
}
export interface Over {
  type: 'Over'
  winners: number[]
  how: string
}
/**
 * What everybody knows of an exchange.
 */
export interface Trade {
  seat: number
  partner: number
  count: number
}
export interface Opened {
  type: 'Opened'
  game: 'crime_hotel'
  rules: number
  seats: number
  options: Options
  car: number
  known_to: number[]
}
export interface InvestigationBegan {
  type: 'InvestigationBegan'
  number: number
  known_to: number[]
}
export interface HandDealt {
  type: 'HandDealt'
  seat: number
  size: number
  cards: number[] | null
  known_to: number[]
}
export interface MurdererHidden {
  type: 'MurdererHidden'
  card: number | null
  known_to: number[]
}
/**
 * The cards that are left over lie open from the start (HOTEL-8).
 */
export interface RoomsLit {
  type: 'RoomsLit'
  cards: number[]
  known_to: number[]
}
export interface RoundBegan {
  type: 'RoundBegan'
  number: number
  seat: number
  known_to: number[]
}
export interface CardPlayed {
  type: 'CardPlayed'
  seat: number
  card: number
  lacks: number | null
  known_to: number[]
}
/**
 * The cards lie on their rooms, a meeple stands on every lot, and the first of them has the car.
 */
export interface Parked {
  type: 'Parked'
  lots: number[]
  known_to: number[]
}
export interface Guessed {
  type: 'Guessed'
  seat: number
  place: string
  known_to: number[]
}
export interface DeskTaken {
  type: 'DeskTaken'
  seat: number
  department: Department
  desk: number
  known_to: number[]
}
export interface Relocated {
  type: 'Relocated'
  seat: number
  origin: string
  to: string
  known_to: number[]
}
export interface Exchanged {
  type: 'Exchanged'
  seat: number
  partner: number
  count: number
  given: number[] | null
  drawn: number[] | null
  known_to: number[]
}
export interface Looked {
  type: 'Looked'
  seat: number
  target: number
  count: number
  cards: number[] | null
  known_to: number[]
}
export interface LookDeclined {
  type: 'LookDeclined'
  seat: number
  known_to: number[]
}
/**
 * A meeple leaves its lot without effect: `back` to its owner (HOTEL-V1) or out of play (HOTEL-29).
 */
export interface LotLeft {
  type: 'LotLeft'
  seat: number
  back: boolean
  known_to: number[]
}
export interface LastCardLaid {
  type: 'LastCardLaid'
  seat: number
  card: number
  known_to: number[]
}
export interface MurdererFound {
  type: 'MurdererFound'
  card: number
  known_to: number[]
}
export interface Scored {
  type: 'Scored'
  points: number[]
  known_to: number[]
}
export interface GameEnded {
  type: 'GameEnded'
  winners: number[]
  how: 'car' | 'late_points' | 'points' | 'tie'
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
export interface Play {
  type: 'Play'
  card: number
}
export interface Guess {
  type: 'Guess'
  place: string
}
/**
 * Take a desk with which nothing is to be chosen: one looks at nobody, or has no guess that could move.
 */
export interface TakeDesk {
  type: 'TakeDesk'
  department: Department
}
/**
 * Take a desk of RELOCATE and move one of your guesses.
 */
export interface Relocate {
  type: 'Relocate'
  origin: string
  to: string
}
/**
 * Take a desk of EXCHANGE and give these cards for as many drawn from the partner's hand.
 */
export interface Exchange {
  type: 'Exchange'
  partner: number
  cards: number[]
}
/**
 * Take a desk of LOOK and see some cards of this player.
 */
export interface Look {
  type: 'Look'
  target: number
}
/**
 * Lay the last card open on its room (HOTEL-37).
 */
export interface LayLast {
  type: 'LayLast'
}
