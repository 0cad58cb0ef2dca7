// Made by python -m whodunit.server.protocol_schema; do not edit.

export type Game = State | AnyEvent | AnyAction
export type Colour = 'blue' | 'green' | 'red' | 'white' | 'yellow'
export type Card =
  | 'Bar-12'
  | 'Bar-3'
  | 'Bar-6'
  | 'Bar-9'
  | 'Library-12'
  | 'Library-3'
  | 'Library-6'
  | 'Library-9'
  | 'Restaurant-12'
  | 'Restaurant-3'
  | 'Restaurant-6'
  | 'Restaurant-9'
  | 'SunDeck-12'
  | 'SunDeck-3'
  | 'SunDeck-6'
  | 'SunDeck-9'
export type Assistant = 'Captain' | 'Cook' | 'Journalist' | 'Priest' | 'Psychiatrist'
export type Symbol = 'clock' | 'wheel'
export type Element = '12' | '3' | '6' | '9' | 'Bar' | 'Library' | 'Restaurant' | 'SunDeck'
export type AnyEvent =
  | Opened
  | CardHidden
  | HandDealt
  | CardsOpened
  | RivalDealt
  | RowLaid
  | AssistantPicked
  | TurnBegan
  | ChipTaken
  | AssistantChanged
  | ReplacementTaken
  | Asked
  | Answered
  | CardShown
  | CardDrawn
  | CookLeft
  | ChipReplaced
  | Slammed
  | MissingSeen
  | TimeRanOut
  | TurnHurried
  | ConfirmationAsked
  | AnswerConfirmed
  | AnswerFoundWrong
  | AnswerCorrected
  | TreacheryClaimed
  | Revealed
  | GameEnded
  | Undone
export type AnyAction =
  | PickAssistant
  | TakeChip
  | ChangeAssistant
  | TakeReplacement
  | Ask
  | AskFreely
  | AskLast
  | Answer
  | Announce
  | Show
  | DrawCard
  | LetShow
  | Name
  | Slam
  | Confirm
  | Correct
  | ShowLate
  | Accuse
  | RunOut
  | Hurry
  | GoOn

/**
 * The table; as a view it is the same with None for whatever that viewer does not know.
 */
export interface State {
  options: Options
  colours: Colour[]
  turn: number
  on_turn: number
  phase:
    | Dealing
    | Picking
    | Beginning
    | Changing
    | Replacing
    | Asking
    | Answering
    | Choosing
    | Showing
    | Naming
    | Pausing
    | Correcting
    | Over
  missing: Card | null
  open: Card[]
  sizes: number[]
  hands: (Card[] | null)[]
  rivals: (Assistant | null)[]
  assistants: (Assistant | null)[]
  pool: Assistant[]
  row: Chip[]
  stack: Chip[]
  discard: Chip[]
  taken: number | null
  log: Question[]
  challengeable: number[][]
  out: boolean[]
  informed: number[]
}
/**
 * The constants of section 7; lower case, same meaning, same defaults.
 */
export interface Options {
  rival: boolean
  unforgiving: boolean
  answer_mode: 'by_hand' | 'enforced'
  max_elements: number
  cook_optional: boolean
  lie_bounds: 'literal' | 'possible'
  last_question_protected: boolean
  colours: Colour[] | null
  wheel_chips: number
  clock_chips: number
  wheel_arrow_chips: number
  clock_arrow_chips: number
  bot_error_rate: number
  bot_slam_delay_least_s: number
  bot_slam_delay_most_s: number
  slam_window_s: number
  answer_limit_s: number
  turn_limit_s: number | null
  guess_limit_s: number | null
}
/**
 * The table is being laid.
 */
export interface Dealing {
  type: 'Dealing'
}
/**
 * The players pick their assistants, counter-clockwise.
 */
export interface Picking {
  type: 'Picking'
}
/**
 * The player on turn takes a chip, uses the Journalist, or calls one last question.
 */
export interface Beginning {
  type: 'Beginning'
}
/**
 * The chip shows arrows: the player on turn changes his assistant.
 */
export interface Changing {
  type: 'Changing'
  answerer: number
}
/**
 * The answerer has lost his assistant and takes another.
 */
export interface Replacing {
  type: 'Replacing'
  answerer: number
}
/**
 * The player on turn asks the answerer about what his chip shows.
 */
export interface Asking {
  type: 'Asking'
  answerer: number
}
/**
 * The last question of the log is being answered; what the answerer holds makes no difference here.
 */
export interface Answering {
  type: 'Answering'
  answerer: number
  last: boolean
}
/**
 * The Cook's holder chooses whether to draw (ALIBI-R8).
 */
export interface Choosing {
  type: 'Choosing'
  answerer: number
  last: boolean
}
/**
 * The answerer shows a card.
 */
export interface Showing {
  type: 'Showing'
  answerer: number
  last: boolean
}
/**
 * The last question is answered: its caller must name the missing alibi.
 */
export interface Naming {
  type: 'Naming'
}
/**
 * The question is done with; before the next turn there is time to slam (SLAM_WINDOW_S).
 */
export interface Pausing {
  type: 'Pausing'
}
/**
 * An answer is being corrected; the others may go on meanwhile with what they could do before.
 */
export interface Correcting {
  type: 'Correcting'
  due: Due[]
  then: Picking | Beginning | Changing | Replacing | Asking | Answering | Choosing | Showing | Naming | Pausing
}
/**
 * What is owed for an answer that was found wrong: the right number, then perhaps a card.
 */
export interface Due {
  question: number
  seat: number
  what: 'card' | 'number'
}
export interface Over {
  type: 'Over'
  winner: number
  how: string
}
export interface Chip {
  colour: Colour
  symbol: Symbol
  arrows: boolean
}
/**
 * One entry of the log; whoever did not hear the answer has None for what was said.
 */
export interface Question {
  asker: number
  answerer: number
  elements: Element[]
  holding: Assistant[]
  answered: boolean
  said: number | null
}
export interface Opened {
  type: 'Opened'
  game: 'perfect_alibi'
  rules: number
  seats: number
  options: Options
  colours: Colour[]
  known_to: number[]
}
export interface CardHidden {
  type: 'CardHidden'
  card: Card | null
  known_to: number[]
}
export interface HandDealt {
  type: 'HandDealt'
  seat: number
  size: number
  cards: Card[] | null
  known_to: number[]
}
export interface CardsOpened {
  type: 'CardsOpened'
  cards: Card[]
  known_to: number[]
}
export interface RivalDealt {
  type: 'RivalDealt'
  seat: number
  tile: Assistant | null
  known_to: number[]
}
export interface RowLaid {
  type: 'RowLaid'
  chips: Chip[]
  first: number
  known_to: number[]
}
export interface AssistantPicked {
  type: 'AssistantPicked'
  seat: number
  assistant: Assistant
  known_to: number[]
}
export interface TurnBegan {
  type: 'TurnBegan'
  seat: number
  known_to: number[]
}
export interface ChipTaken {
  type: 'ChipTaken'
  seat: number
  place: number
  chip: Chip
  answerer: number
  known_to: number[]
}
export interface AssistantChanged {
  type: 'AssistantChanged'
  seat: number
  gave: Assistant
  took: Assistant
  taken_from: number | null
  known_to: number[]
}
export interface ReplacementTaken {
  type: 'ReplacementTaken'
  seat: number
  assistant: Assistant
  known_to: number[]
}
export interface Asked {
  type: 'Asked'
  question: number
  seat: number
  answerer: number
  elements: Element[]
  holding: Assistant[]
  way: 'chip' | 'journalist' | 'last'
  known_to: number[]
}
export interface Answered {
  type: 'Answered'
  question: number
  seat: number
  said: number | null
  due: boolean
  known_to: number[]
}
export interface CardShown {
  type: 'CardShown'
  question: number
  seat: number
  to: number
  card: Card | null
  known_to: number[]
}
/**
 * The Cook's holder has drawn from the answerer's hand, looked and given back (ALIBI-49).
 */
export interface CardDrawn {
  type: 'CardDrawn'
  question: number
  seat: number
  answerer: number
  card: Card | null
  known_to: number[]
}
/**
 * The Cook's holder lets the answerer choose the card (ALIBI-R8).
 */
export interface CookLeft {
  type: 'CookLeft'
  seat: number
  known_to: number[]
}
export interface ChipReplaced {
  type: 'ChipReplaced'
  place: number
  chip: Chip
  reshuffled: boolean
  known_to: number[]
}
export interface Slammed {
  type: 'Slammed'
  seat: number
  card: Card | null
  right: boolean
  known_to: number[]
}
/**
 * The slammer alone has looked (ALIBI-52).
 */
export interface MissingSeen {
  type: 'MissingSeen'
  seat: number
  card: Card | null
  known_to: number[]
}
export interface TimeRanOut {
  type: 'TimeRanOut'
  seat: number
  known_to: number[]
}
/**
 * The player has taken too long: what follows of his turn is drawn, for there is no passing (ALIBI-16).
 */
export interface TurnHurried {
  type: 'TurnHurried'
  seat: number
  known_to: number[]
}
export interface ConfirmationAsked {
  type: 'ConfirmationAsked'
  seat: number
  question: number
  answerer: number
  known_to: number[]
}
export interface AnswerConfirmed {
  type: 'AnswerConfirmed'
  seat: number
  question: number
  known_to: number[]
}
export interface AnswerFoundWrong {
  type: 'AnswerFoundWrong'
  seat: number
  question: number
  known_to: number[]
}
export interface AnswerCorrected {
  type: 'AnswerCorrected'
  seat: number
  question: number
  said: number | null
  due: boolean
  known_to: number[]
}
export interface TreacheryClaimed {
  type: 'TreacheryClaimed'
  seat: number
  accused: number
  questions: number[]
  right: boolean
  known_to: number[]
}
export interface Revealed {
  type: 'Revealed'
  missing: Card
  hands: Card[][]
  rivals: Assistant[]
  said: number[]
  known_to: number[]
}
export interface GameEnded {
  type: 'GameEnded'
  winner: number
  how: 'last_left' | 'solved' | 'treachery'
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
 * Pick one before the first turn (ALIBI-13).
 */
export interface PickAssistant {
  type: 'PickAssistant'
  assistant: Assistant
}
/**
 * Take the chip at a place of the row, 1 to 4, and so choose whom to ask (ALIBI-17, 18).
 */
export interface TakeChip {
  type: 'TakeChip'
  place: number
  answerer: number
}
/**
 * Put down one's own and take this one, from the pool or from the answerer (ALIBI-36).
 */
export interface ChangeAssistant {
  type: 'ChangeAssistant'
  assistant: Assistant
}
/**
 * Take one from the pool for the one that was taken (ALIBI-37).
 */
export interface TakeReplacement {
  type: 'TakeReplacement'
  assistant: Assistant
}
/**
 * Ask about what the chip shows (ALIBI-20).
 */
export interface Ask {
  type: 'Ask'
  elements: Element[]
}
/**
 * Ask without a chip, by the Journalist (ALIBI-42).
 */
export interface AskFreely {
  type: 'AskFreely'
  answerer: number
  elements: Element[]
}
/**
 * Call one last question (ALIBI-58).
 */
export interface AskLast {
  type: 'AskLast'
  answerer: number
  elements: Element[]
}
/**
 * Give the number that the rules leave: the true count, or a lie where one is due.
 */
export interface Answer {
  type: 'Answer'
  number: number
}
/**
 * Give a number counted by hand (ALIBI-75).
 */
export interface Announce {
  type: 'Announce'
  number: number
}
export interface Show {
  type: 'Show'
  card: Card
}
/**
 * Use the Cook where that is left to its holder (ALIBI-R8).
 */
export interface DrawCard {
  type: 'DrawCard'
}
/**
 * Do without the Cook (ALIBI-R8).
 */
export interface LetShow {
  type: 'LetShow'
}
/**
 * Name the missing alibi after one last question (ALIBI-60).
 */
export interface Name {
  type: 'Name'
  card: Card
}
/**
 * Mark a card and slam the table (ALIBI-50).
 */
export interface Slam {
  type: 'Slam'
  card: Card
}
/**
 * Ask for an earlier answer, counted by hand, to be checked, by its number in the log from 1 (ALIBI-69).
 */
export interface Confirm {
  type: 'Confirm'
  question: number
}
/**
 * Give the right number instead of a wrong one (ALIBI-69).
 */
export interface Correct {
  type: 'Correct'
  number: number
}
/**
 * Show the card that became due by a correction (ALIBI-R27).
 */
export interface ShowLate {
  type: 'ShowLate'
  card: Card
}
/**
 * Accuse a player of treachery in one or more answers (ALIBI-70).
 */
export interface Accuse {
  type: 'Accuse'
  accused: number
  questions: number[]
}
/**
 * The time of whoever must name a card is over; only the TABLE can say so (ALIBI-R24).
 */
export interface RunOut {
  type: 'RunOut'
}
/**
 * The time of the player on turn is over, and what he asks is drawn; only the TABLE can say so (ALIBI-R24).
 */
export interface Hurry {
  type: 'Hurry'
  seat: number
}
/**
 * The pause after an answer is over; only the TABLE can say so (SLAM_WINDOW_S).
 */
export interface GoOn {
  type: 'GoOn'
}
