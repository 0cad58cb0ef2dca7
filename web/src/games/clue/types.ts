// Made by python -m whodunit.server.protocol_schema; do not edit.

export type Game = State | AnyEvent | AnyAction
export type Suspect = 'Green' | 'Mustard' | 'Peacock' | 'Plum' | 'Scarlet' | 'White'
export type Room =
  'Ballroom' | 'BilliardRoom' | 'Conservatory' | 'DiningRoom' | 'Hall' | 'Kitchen' | 'Library' | 'Lounge' | 'Study'
export type Weapon = 'Candlestick' | 'Knife' | 'LeadPipe' | 'Revolver' | 'Rope' | 'Wrench'
export type AnyEvent =
  | Opened
  | WeaponsPlaced
  | EnvelopeFilled
  | HandDealt
  | SideCardsLaid
  | TurnBegan
  | DiceThrown
  | Moved
  | PassageTaken
  | Stayed
  | NotMoved
  | Suggested
  | CouldNotShow
  | CardShown
  | SideCardSeen
  | Accused
  | EnvelopeSeen
  | TokenStoodAside
  | EnvelopeOpened
  | GameEnded
  | Undone
export type AnyAction =
  Roll | Move | TakePassage | StayAndSuggest | NoMove | Suggest | Show | CannotShow | LookAside | Accuse | EndTurn

/**
 * The table; as a view it is the same with None for whatever that viewer does not know.
 */
export interface State {
  options: Options
  tokens: Suspect[]
  turn: number
  on_turn: number
  phase: Dealing | Beginning | Walking | Arrived | Answering | LookingAside | Concluding | Over
  places: (number | Room)[]
  weapons: Room[]
  envelope: Trio | null
  sizes: number[]
  hands: ((Suspect | Weapon | Room)[] | null)[]
  side: (Suspect | Weapon | Room | null)[]
  looked: number[][]
  summoned: (Room | null)[]
  out: boolean[]
}
/**
 * The rule constants of section 2; lower case, same meaning, same defaults.
 */
export interface Options {
  dice_count: 1 | 2
  suggestion_mandatory: boolean
  accuse_after_disproof: boolean
  last_active_wins: boolean
  two_player_side_cards: 0 | 4
  exact_roll: boolean
  room_entry_cost: 0 | 1
  min_players: number
  max_players: number
  tokens: Suspect[] | null
  weapon_rooms: Room[] | null
  starter: number | null
  max_turns: number | null
}
/**
 * The table is being laid.
 */
export interface Dealing {
  type: 'Dealing'
}
/**
 * The player on turn has the movement choice, or accuses.
 */
export interface Beginning {
  type: 'Beginning'
}
/**
 * The die is thrown; the token must move.
 */
export interface Walking {
  type: 'Walking'
  throw: number
}
/**
 * The movement choice is made; `may_suggest` if it led into a room.
 */
export interface Arrived {
  type: 'Arrived'
  may_suggest: boolean
}
/**
 * `asked` answers the suggestion of the player on turn; what `asked` holds makes no difference here.
 */
export interface Answering {
  type: 'Answering'
  trio: Trio
  asked: number
}
/**
 * A suspect, a weapon and a room: what is hidden, suggested or accused.
 */
export interface Trio {
  suspect: Suspect
  weapon: Weapon
  room: Room
}
/**
 * Nobody could show; the suggester looks at a side card (CLUE-V5).
 */
export interface LookingAside {
  type: 'LookingAside'
}
/**
 * The suggestion is answered; the player on turn may still accuse.
 */
export interface Concluding {
  type: 'Concluding'
}
export interface Over {
  type: 'Over'
  winner: number | null
  how: string
}
export interface Opened {
  type: 'Opened'
  game: 'clue'
  rules: number
  seats: number
  options: Options
  tokens: Suspect[]
  starter: number
  known_to: number[]
}
export interface WeaponsPlaced {
  type: 'WeaponsPlaced'
  rooms: Room[]
  known_to: number[]
}
export interface EnvelopeFilled {
  type: 'EnvelopeFilled'
  trio: Trio | null
  known_to: number[]
}
export interface HandDealt {
  type: 'HandDealt'
  seat: number
  size: number
  cards: (Suspect | Weapon | Room)[] | null
  known_to: number[]
}
export interface SideCardsLaid {
  type: 'SideCardsLaid'
  count: number
  cards: (Suspect | Weapon | Room)[] | null
  known_to: number[]
}
export interface TurnBegan {
  type: 'TurnBegan'
  seat: number
  known_to: number[]
}
export interface DiceThrown {
  type: 'DiceThrown'
  seat: number
  dice: number[]
  known_to: number[]
}
export interface Moved {
  type: 'Moved'
  seat: number
  path: number[]
  to: number | Room
  known_to: number[]
}
export interface PassageTaken {
  type: 'PassageTaken'
  seat: number
  to: Room
  known_to: number[]
}
export interface Stayed {
  type: 'Stayed'
  seat: number
  known_to: number[]
}
export interface NotMoved {
  type: 'NotMoved'
  seat: number
  known_to: number[]
}
export interface Suggested {
  type: 'Suggested'
  seat: number
  trio: Trio
  known_to: number[]
}
export interface CouldNotShow {
  type: 'CouldNotShow'
  seat: number
  known_to: number[]
}
export interface CardShown {
  type: 'CardShown'
  seat: number
  to: number
  card: Suspect | Weapon | Room | null
  known_to: number[]
}
export interface SideCardSeen {
  type: 'SideCardSeen'
  seat: number
  position: number
  card: Suspect | Weapon | Room | null
  known_to: number[]
}
export interface Accused {
  type: 'Accused'
  seat: number
  trio: Trio
  right: boolean
  known_to: number[]
}
/**
 * The accuser alone has looked (CLUE-49).
 */
export interface EnvelopeSeen {
  type: 'EnvelopeSeen'
  seat: number
  trio: Trio | null
  known_to: number[]
}
/**
 * An out player's token made way for the door behind it (CLUE-52).
 */
export interface TokenStoodAside {
  type: 'TokenStoodAside'
  seat: number
  room: Room
  known_to: number[]
}
export interface EnvelopeOpened {
  type: 'EnvelopeOpened'
  trio: Trio
  known_to: number[]
}
export interface GameEnded {
  type: 'GameEnded'
  winner: number | null
  how: 'all_out' | 'last_active' | 'no_result' | 'solved'
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
 * Throw the die (CLUE-14 a).
 */
export interface Roll {
  type: 'Roll'
}
/**
 * Walk to a place that the throw allows.
 */
export interface Move {
  type: 'Move'
  to: number | Room
}
/**
 * Take the secret passage (CLUE-14 b).
 */
export interface TakePassage {
  type: 'TakePassage'
}
/**
 * Stay where a suggestion has brought you, and suggest there: one choice (CLUE-14 c).
 */
export interface StayAndSuggest {
  type: 'StayAndSuggest'
  suspect: Suspect
  weapon: Weapon
  room: Room
}
/**
 * Make no move, having none (CLUE-14 d).
 */
export interface NoMove {
  type: 'NoMove'
}
export interface Suggest {
  type: 'Suggest'
  suspect: Suspect
  weapon: Weapon
  room: Room
}
export interface Show {
  type: 'Show'
  card: Suspect | Weapon | Room
}
/**
 * Hold none of the three (CLUE-42).
 */
export interface CannotShow {
  type: 'CannotShow'
}
/**
 * Look at one of the side cards, by its place in the row, 1 to 4 (CLUE-V5).
 */
export interface LookAside {
  type: 'LookAside'
  position: number
}
export interface Accuse {
  type: 'Accuse'
  suspect: Suspect
  weapon: Weapon
  room: Room
}
export interface EndTurn {
  type: 'EndTurn'
}
