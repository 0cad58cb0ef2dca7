// Made by python -m whodunit.server.protocol_schema; do not edit.

export type Protocol = AnyAsk | AnyTell | Join | TakeSeat | Forget | Joined | Door | Plain
export type AnyAsk =
  | WatchLobby
  | LeaveLobby
  | CreateTable
  | FirstCase
  | WatchTable
  | LeaveTable
  | SitDown
  | StandUp
  | SetChair
  | Start
  | HandOver
  | TakeBack
  | CallStandIn
  | Pause
  | Resume
  | SetPace
  | Rematch
  | Act
  | Undo
  | Select
  | SetOrder
  | SetHook
  | Looking
  | Look
  | Agree
  | Peek
  | Notes
  | Why
  | GiveHint
  | GiveAdvice
  | SinceAway
  | Mark
  | Jot
  | Heard
  | Practise
  | Say
  | SayPhrase
  | Mute
  | CheckSeal
  | ReadReview
  | Retry
  | ReadToday
  | ReadArchive
  | OpenCase
  | TurnLine
  | ClaimCase
  | CheckMark
  | GiveUp
  | ReadChallenge
  | BeginChallenge
  | MakeDuel
  | ReadDuel
  | BeginDuel
  | OpenNetwork
export type Level = 'detective' | 'mastermind' | 'random' | 'rookie'
export type Assistance = 'facts' | 'logic' | 'paper' | 'probabilities'
export type Pace = 'at_once' | 'brisk' | 'normal' | 'quick' | 'slow' | 'steady' | 'unhurried'
export type StandingOrder = 'least' | 'seen'
export type Language = 'de' | 'en' | 'fr' | 'nb'
export type Difficulty = 'clear' | 'hard' | 'normal'
export type Phrase =
  | 'again'
  | 'good_luck'
  | 'hello'
  | 'nice'
  | 'one_moment'
  | 'sorry'
  | 'thanks'
  | 'thinking'
  | 'well_played'
  | 'your_turn'
export type AnyTell = Welcome | Done | Refused | Lobby | Room | Asked | Chat | Table | Goodbye
export type Part = 'asked' | 'gift' | 'new' | 'rest'
export type Unit = 'bits' | 'chance' | 'points'
export type Label = 'best' | 'blunder' | 'good' | 'inaccuracy' | 'masterstroke' | 'mistake'
export type CaseState = 'begun' | 'missed' | 'new' | 'solved'
export type DuelState = 'begun' | 'done' | 'mine' | 'new' | 'outdated'
export type Farewell = 'forgotten' | 'restarting' | 'too_many' | 'too_slow'

/**
 * From now on tell me the open tables and mine.
 */
export interface WatchLobby {
  type: 'watch_lobby'
  n: number
}
export interface LeaveLobby {
  type: 'leave_lobby'
  n: number
}
/**
 * Lay a table and sit down at its first chair; replies `Made`.
 */
export interface CreateTable {
  type: 'create_table'
  game: string
  options: {
    [k: string]: unknown
  }
  /**
   * @minItems 2
   * @maxItems 8
   */
  chairs: (Level | null)[]
  public: boolean
  assistance: Assistance
  name: string
  salt: string
  pace?: Pace | null
  allowance?: Untimed | Bank | Days
  start?: boolean
  n: number
}
/**
 * Everybody takes as long as they like over a move.
 */
export interface Untimed {
  type: 'untimed'
}
/**
 * Everybody has so much time for all their moves together, and gets some more with each.
 */
export interface Bank {
  type: 'bank'
  bank_s: number
  increment_s: number
  answer_s: number
}
/**
 * Everybody has so many days for each move; such a table never sleeps.
 */
export interface Days {
  type: 'days'
  days: number
  answer_s: number
}
/**
 * Lay a game's guided first case for me alone, against bots and on a staged deal, and begin it; replies `Made`.
 */
export interface FirstCase {
  type: 'first_case'
  game: string
  name: string
  n: number
}
/**
 * From now on tell me this table: first `room` and `table` with all events behind `after`, then what is new.
 */
export interface WatchTable {
  type: 'watch_table'
  table: string
  after?: number
  n: number
}
/**
 * Tell me no more of this table; the seat stays mine.
 */
export interface LeaveTable {
  type: 'leave_table'
  table: string
  n: number
}
export interface SitDown {
  type: 'sit_down'
  table: string
  seat: number
  name: string
  salt: string
  n: number
}
/**
 * Give my seat up: before the start it is free again, afterwards a bot plays on until I return.
 */
export interface StandUp {
  type: 'stand_up'
  table: string
  n: number
}
/**
 * Before the start, by the host: put a bot into a chair, or free it (also from a person).
 */
export interface SetChair {
  type: 'set_chair'
  table: string
  seat: number
  level: Level | null
  n: number
}
/**
 * By the host; free chairs become bots of this level.
 */
export interface Start {
  type: 'start'
  table: string
  fill?: Level
  n: number
}
/**
 * Let a bot play my seat, with what the seat knows.
 */
export interface HandOver {
  type: 'hand_over'
  table: string
  level?: Level
  n: number
}
/**
 * I play my seat again.
 */
export interface TakeBack {
  type: 'take_back'
  table: string
  n: number
}
/**
 * Let a bot play for somebody who has been away too long.
 */
export interface CallStandIn {
  type: 'call_stand_in'
  table: string
  seat: number
  n: number
}
/**
 * I wish for a pause, or no longer; the game pauses when everybody wishes it who plays.
 */
export interface Pause {
  type: 'pause'
  table: string
  wish?: boolean
  n: number
}
/**
 * Let a paused game go on.
 */
export interface Resume {
  type: 'resume'
  table: string
  n: number
}
/**
 * I wish for another pace; the table plays at it, from the next question on, when everybody wishes for it.
 */
export interface SetPace {
  type: 'set_pace'
  table: string
  pace: Pace
  n: number
}
/**
 * Lay the same table again for the same people, with the next of them to begin; replies `Made`.
 */
export interface Rematch {
  type: 'rematch'
  table: string
  salt: string
  n: number
}
/**
 * Do what an offer of `since` admits. Sent again after a lost reply it is refused as stale and does no harm.
 */
export interface Act {
  type: 'act'
  table: string
  since: number
  action: unknown
  n: number
}
export interface Undo {
  type: 'undo'
  table: string
  n: number
}
/**
 * Choose the answer that will be given when its moment comes.
 */
export interface Select {
  type: 'select'
  table: string
  since: number
  action: unknown
  n: number
}
/**
 * By what my seat answers when I choose nothing, from the next question on; null: as the house does.
 */
export interface SetOrder {
  type: 'set_order'
  table: string
  order: StandingOrder | null
  n: number
}
/**
 * Tell me at this address when it is my turn and I am not looking; null: nowhere. A first word goes there now.
 */
export interface SetHook {
  type: 'set_hook'
  table: string
  url: string | null
  language?: Language
  n: number
}
/**
 * Whether I have this table before my eyes on this page; it counts as long as the page watches it.
 */
export interface Looking {
  type: 'looking'
  table: string
  looking: boolean
  n: number
}
/**
 * Replies `Looked`: the table as it stood after event `seq`, as I saw it.
 *
 *     When the case is closed also through another seat's eyes, TABLE's (-1), or `all` for everything.
 */
export interface Look {
  type: 'look'
  table: string
  seq: number
  eyes?: number | 'all' | null
  n: number
}
/**
 * Let whoever watches see all hands, `room.late_ms` late, if everybody who plays does; or no longer.
 */
export interface Agree {
  type: 'agree'
  table: string
  agreed: boolean
  n: number
}
/**
 * Replies `Looked`: everything as it stood `room.late_ms` ago; for who watches, where all players have agreed.
 */
export interface Peek {
  type: 'peek'
  table: string
  n: number
}
/**
 * Replies a `Sheet` of the table's level, now or as of an event.
 *
 *     With eyes, when the case is closed: any seat's, or TABLE's (-1), of the highest level.
 */
export interface Notes {
  type: 'notes'
  table: string
  seq?: number | null
  eyes?: number | null
  n: number
}
/**
 * Replies a `Proof` for a mark of the sheet; with eyes as `notes`.
 */
export interface Why {
  type: 'why'
  table: string
  row: string
  column: string
  seq?: number | null
  eyes?: number | null
  n: number
}
/**
 * Replies a `Hint`: the newest thing that my notes are certain of without having seen it, as plainly as wanted.
 */
export interface GiveHint {
  type: 'give_hint'
  table: string
  grade: 'fact' | 'nudge'
  /**
   * @maxItems 1000
   */
  known?: [string, string][]
  n: number
}
/**
 * Replies an `Advised`: in my first case, what I had better do now, by what I have been told and nothing else.
 */
export interface GiveAdvice {
  type: 'give_advice'
  table: string
  n: number
}
/**
 * Replies a `Digest` of what happened while nobody held my seat.
 */
export interface SinceAway {
  type: 'since_away'
  table: string
  n: number
}
/**
 * Set my own mark in a cell of my notes, or with an empty mark remove it.
 */
export interface Mark {
  type: 'mark'
  table: string
  cell: string
  mark: string
  n: number
}
/**
 * Keep this as the free text of my notes.
 */
export interface Jot {
  type: 'jot'
  table: string
  text: string
  n: number
}
/**
 * My page has played me every clip up to event `seq`; that only grows.
 */
export interface Heard {
  type: 'heard'
  table: string
  seq: number
  n: number
}
/**
 * Let something fall for my ear alone; with a floor, something that comes to lie there. Replies `Practice`.
 */
export interface Practise {
  type: 'practise'
  game: string
  difficulty: Difficulty
  floor?: number | null
  n: number
}
/**
 * Say something at this table; while a game runs, whoever has no seat there says it to those who watch.
 */
export interface Say {
  type: 'say'
  table: string
  text: string
  name?: string
  n: number
}
/**
 * Say something that everybody reads in their own language.
 */
export interface SayPhrase {
  type: 'say_phrase'
  table: string
  phrase: Phrase
  name?: string
  n: number
}
/**
 * Tell me no more of what this speaker says, or again.
 */
export interface Mute {
  type: 'mute'
  table: string
  speaker: number
  muted: boolean
  n: number
}
/**
 * Replies `Checked`: whether a closed case's chance and moves are what they say.
 */
export interface CheckSeal {
  type: 'check_seal'
  table: string
  n: number
}
/**
 * Replies a part of a closed case's review when it is ready: a `SeatReview` (TABLE: -1), or of all the `Whole`.
 */
export interface ReadReview {
  type: 'read_review'
  table: string
  viewer: number | 'whole'
  n: number
}
/**
 * Replies a `Verdict`: what the review would say, had the seat done this where event `seq` came of what it did.
 *
 *     Null, where such a decision is not graded. Only of a closed case.
 */
export interface Retry {
  type: 'retry'
  table: string
  seat: number
  seq: number
  action: unknown
  n: number
}
/**
 * Replies `Today`: the day's cases, and how I stand with them.
 */
export interface ReadToday {
  type: 'read_today'
  n: number
}
/**
 * Replies an `Archive`: the days before this one that have cases, or the last ones.
 */
export interface ReadArchive {
  type: 'read_archive'
  before?: string | null
  n: number
}
/**
 * Show me a case as far as I have turned it; the first time, that begins it, with its first line.
 */
export interface OpenCase {
  type: 'open_case'
  case: string
  n: number
}
/**
 * Turn the next line.
 */
export interface TurnLine {
  type: 'turn_line'
  case: string
  turned: number
  n: number
}
/**
 * Say that this is the answer: of each group of the question's form one entry.
 */
export interface ClaimCase {
  type: 'claim_case'
  case: string
  turned: number
  /**
   * @minItems 1
   * @maxItems 16
   */
  claim: [string, string][]
  n: number
}
/**
 * Ask whether this follows by now; that costs a hint.
 */
export interface CheckMark {
  type: 'check_mark'
  case: string
  turned: number
  row: string
  column: string
  held: boolean
  n: number
}
/**
 * End it unsolved, and show me how.
 */
export interface GiveUp {
  type: 'give_up'
  case: string
  turned: number
  n: number
}
/**
 * Replies `Challenge`: the one of a day, or of today.
 */
export interface ReadChallenge {
  type: 'read_challenge'
  day?: string | null
  n: number
}
/**
 * Let me play today's challenge; replies `Made`. There is one try: asked again, it leads back to that table.
 */
export interface BeginChallenge {
  type: 'begin_challenge'
  day: string
  name: string
  n: number
}
/**
 * Let whoever has the link play the deal of this game, which I played alone and is over; replies `DuelMade`.
 *
 *     Whoever has finished it too may then see how I played, and my name.
 */
export interface MakeDuel {
  type: 'make_duel'
  table: string
  n: number
}
/**
 * Replies `Duel`: what I may know of it.
 */
export interface ReadDuel {
  type: 'read_duel'
  duel: string
  n: number
}
/**
 * Let me play the deal of a duel; replies `Made`, the same whenever it is asked.
 */
export interface BeginDuel {
  type: 'begin_duel'
  duel: string
  name: string
  n: number
}
/**
 * Let the local network reach this site, or end that; only from this machine. Replies `Addresses`.
 */
export interface OpenNetwork {
  type: 'open_network'
  open: boolean
  n: number
}
/**
 * The first frame on every socket.
 */
export interface Welcome {
  type: 'welcome'
  version: number
  games: string[]
  levels: string[]
  local: boolean
  address: string
  shared: boolean
  haste: number
}
/**
 * The ask is granted; what it was asked for, if anything.
 */
export interface Done {
  type: 'done'
  n: number
  value:
    | Made
    | Looked
    | Sheet
    | Proof
    | Hint
    | Advised
    | Digest
    | Checked
    | SeatReview
    | Whole
    | Verdict
    | Today
    | Archive
    | Case
    | Practice
    | Challenge
    | DuelMade
    | Duel
    | Addresses
    | null
}
export interface Made {
  table: string
}
export interface Looked {
  seq: number
  view: unknown
  offers?: OfferNow[]
}
/**
 * What I may do: an action's type with its open choices. Answer with the same `since`.
 */
export interface OfferNow {
  action: string
  choices: {
    [k: string]: One | Some | Order
  }
  since: number
}
/**
 * Exactly one of these values.
 */
export interface One {
  type: 'one'
  of: (boolean | number | string)[]
}
/**
 * From `least` to `most` different ones of these values, written in the order in which they stand here.
 */
export interface Some {
  type: 'some'
  of: (boolean | number | string)[]
  least: number
  most: number
}
/**
 * All of these values, in an order of the seat's choice.
 */
export interface Order {
  type: 'order'
  of: (boolean | number | string)[]
}
/**
 * Everything that writes itself at one level of assistance, as of one event.
 */
export interface Sheet {
  seq: number
  cells: Cell[]
  solutions: number | null
  worlds: string | null
  bits: number | null
  assumes: Message[]
  clash: number[]
}
/**
 * One entry of a sheet: what is known of a thing (row) and a holder (column).
 */
export interface Cell {
  row: string
  column: string
  mark: ('no' | 'yes') | null
  source: ('follows' | 'seen') | null
  share: number | null
}
/**
 * One sentence for people in no language yet: a key into the game's texts, and what to fill in.
 */
export interface Message {
  key: string
  params: {
    [k: string]: number | string | Term[] | Who | Term
  }
}
/**
 * A parameter of a message that stands for a word of the game: a card, a room, a token.
 */
export interface Term {
  type: 'term'
  word: string
}
/**
 * A parameter of a message that stands for the player in a seat.
 */
export interface Who {
  type: 'who'
  seat: number
}
/**
 * Why an entry is certain, and how hard it is to see, from 1 to 5.
 */
export interface Proof {
  grade: number
  reasons: Reason[]
}
/**
 * One step of a proof: what was seen, and at which event, unless it is the seat's own hand.
 */
export interface Reason {
  message: Message
  seq: number | null
}
/**
 * Something certain that was not simply seen: where to look, and if more was wanted what is to be found there.
 */
export interface Hint {
  seq: number | null
  row: string | null
  column: string | null
  mark: ('no' | 'yes') | null
}
/**
 * What a learner had better do.
 */
export interface Advised {
  seq: number
  action: unknown | null
  line: Message | null
}
/**
 * What happened from event `after` on, while nobody held the seat.
 */
export interface Digest {
  after: number
  events: Told[]
  stood_in: number[]
}
/**
 * One event as this viewer may see it, with its log line.
 */
export interface Told {
  seq: number
  batch: number
  at: number
  event: unknown
  line: Message
}
export interface Checked {
  statements: Statement[]
}
/**
 * One finding about a closed case.
 */
export interface Statement {
  ok: boolean | null
  about: 'bot' | 'commitment' | 'draws' | 'events'
  count: number
  seat: number | null
  text: string
}
/**
 * One viewer's game: how its knowledge grew, and for a seat how it decided.
 */
export interface SeatReview {
  type: 'seat'
  seat: number
  began: number
  since: number
  steps: Step[]
  account: Account
  decisions?: Decision[]
  certain?: Certain | null
  later?: Certain[]
  asked?: number
  offered?: number
  counts?: {
    [k: string]: number
  }
  assumes?: Message[]
  findings?: Message[]
}
/**
 * What one event changed for a viewer.
 */
export interface Step {
  seq: number
  left: number
  logic: number
  part: Part
  expected?: number
  read?: number
  by?: number | null
}
/**
 * Where a seat's knowledge came from, in bits; the parts sum to how many fewer are missing in the end.
 */
export interface Account {
  asked: number
  answer_luck: number
  gifts: number
  gift_luck: number
  reading: number
  rest: number
  new: number
}
/**
 * A decision of the game, judged.
 */
export interface Decision {
  seq: number
  turn: number
  verdict: Verdict
}
/**
 * How good a decision was, from what its seat could know when it was made.
 */
export interface Verdict {
  kind: string
  unit: Unit
  label: Label | null
  loss: number
  share: number
  taken: Option
  best: Option[]
  weight: number
  offered?: number
  answers?: PossibleAnswer[]
  assumes?: Message[]
  error?: number
}
/**
 * Something that could be done, and what it promised; without an action, to wait.
 */
export interface Option {
  action: Action | null
  line: Message
  value: number
  gain?: number
  error?: number
}
export interface Action {
  [k: string]: unknown
}
/**
 * One way in which it might have been answered.
 */
export interface PossibleAnswer {
  line: Message
  chance: number
  left: number
  passes?: number
}
/**
 * From when on a seat could have known the solution, and why.
 */
export interface Certain {
  seq: number
  cells: [string, string][]
  proofs: Proof[]
  turns: number
  named: number | null
}
/**
 * What only all seats together say.
 */
export interface Whole {
  type: 'whole'
  findings: {
    [k: string]: Message[]
  }
  chances?: [number, number[]][]
  told?: number[][]
  heard?: Trace[]
}
/**
 * Of an event of a closed case that could be heard: what was true, and what the trained listener makes of it.
 */
export interface Trace {
  seq: number
  truth: string
  guess: string | null
  chance: number
}
/**
 * The cases of the day.
 */
export interface Today {
  day: string
  now: number
  next_at: number
  cards: CaseCard[]
  streak: number
  best_streak: number
  making: boolean
  fault: boolean
}
/**
 * A case in a list, and how I stand with it.
 */
export interface CaseCard {
  case: string
  game: string
  weekday: number
  heard: boolean
  seats: number
  state: CaseState
  turned: number
  total: number
  guesses: number
  hints: number
  par: number | null
  solved_here: number
}
export interface Archive {
  days: ArchiveDay[]
  fault: boolean
}
export interface ArchiveDay {
  day: string
  cards: CaseCard[]
}
/**
 * A case to solve, as far as I have turned it: nothing in this depends on what I have not turned, until the end.
 */
export interface Case {
  case: string
  game: string
  weekday: number
  question: Question
  seats: number
  seat: number
  state: CaseState
  turned: number
  total: number
  given: Told[]
  lines: Told[][]
  rows: string[]
  columns: string[]
  groups: string[][]
  view: unknown
  tries: Claim[]
  hints: CheckedMark[]
  started_at: number
  ended_at: number | null
  result: CaseResult | null
}
/**
 * What a case asks.
 */
export interface Question {
  kind: string
  form: [string, string][][]
  subject: string | null
}
/**
 * What I have claimed, after how many lines, and what was said of it.
 */
export interface Claim {
  turned: number
  claim: [string, string][]
  ruling: Proved | Unproved | Impossible | HeardRuling
}
/**
 * It follows from the lines that are turned.
 */
export interface Proved {
  kind: 'proved'
}
/**
 * It does not follow yet: here is a deal that fits all these lines, and in which it is not so.
 */
export interface Unproved {
  kind: 'unproved'
  deal: Hand[]
}
/**
 * What one holder has in a deal.
 */
export interface Hand {
  column: string
  cards: string[]
}
/**
 * Then these lines cannot all be true; 0 is what is given.
 */
export interface Impossible {
  kind: 'impossible'
  lines: number[]
}
/**
 * Nothing can be proved by ear: how likely it is, and what the best listener would say, in millionths.
 */
export interface HeardRuling {
  kind: 'heard'
  chance: number
  /**
   * @minItems 2
   * @maxItems 2
   */
  listener: [string, string]
  listener_chance: number
}
/**
 * A mark that I have had checked.
 */
export interface CheckedMark {
  turned: number
  row: string
  column: string
  held: boolean
  ruling: Proved | Unproved | Impossible
}
/**
 * How my case has ended, and how it could be solved.
 */
export interface CaseResult {
  solved: boolean
  at: number
  par: number
  guesses: number
  hints: number
  answer: [string, string][]
  steps: ProofStep[]
  lines: Told[][]
  solved_here: number
}
/**
 * One inference of a proof.
 */
export interface ProofStep {
  kind: string
  lines: number[]
  rests: StepMark[]
  settles: StepMark[]
  cases: boolean
}
/**
 * That something is with somebody, or not.
 */
export interface StepMark {
  row: string
  column: string
  held: boolean
}
/**
 * A fall to train the ear on, made anew for each ask.
 */
export interface Practice {
  clip: string
  floor: number
  resting: number[]
  pose: string
  ear: number
}
/**
 * The challenge of a day, as far as I may know it.
 */
export interface Challenge {
  day: string
  left_ms: number | null
  game: string
  levels: (string | null)[]
  assistance: Assistance
  state: 'begun' | 'done' | 'new'
  table: string | null
  results: Result[]
}
/**
 * How somebody did at a deal that others play, too.
 */
export interface Result {
  place: number | null
  name: string
  me: boolean
  won: boolean
  left: boolean
  late: boolean
  turns: number
  chance: number | null
  points: number | null
  luck: number | null
  skill: number | null
  table: string
}
export interface DuelMade {
  duel: string
}
/**
 * A duel, as far as I may know it.
 */
export interface Duel {
  duel: string
  game: string
  levels: (string | null)[]
  assistance: Assistance
  state: DuelState
  table: string | null
  maker: Boast | null
  results: Result[]
}
/**
 * What whoever made a duel lets everybody know.
 */
export interface Boast {
  name: string
  won: boolean
  turns: number
}
export interface Addresses {
  address: string
  shared: boolean
}
/**
 * The ask is refused, and nothing has changed.
 */
export interface Refused {
  type: 'refused'
  n: number
  reason: string
  detail: string
  now: unknown
}
export interface Lobby {
  type: 'lobby'
  open: Listed[]
  mine: Listed[]
  shelved: Shelved[]
}
/**
 * A table in a list.
 */
export interface Listed {
  table: string
  game: string
  stage: 'gathering' | 'over' | 'playing'
  assistance: Assistance
  chairs: Sitter[]
  at: number
  me: number | null
  my_turn: boolean
  outcome: Outcome | null
  closes_ms: number | null
}
/**
 * Who sits at a listed table.
 */
export interface Sitter {
  name: string
  kind: 'bot' | 'open' | 'person'
}
/**
 * How a game ended: the winners (none, one or several), why, and the points where a game has them.
 */
export interface Outcome {
  winners: number[]
  how: string
  points: number[] | null
}
/**
 * A table of mine that is kept and cannot be opened: its game is not installed.
 */
export interface Shelved {
  table: string
  game: string
}
/**
 * Everything round the game that this viewer may know, whole, whenever it changes.
 */
export interface Room {
  type: 'room'
  table: string
  game: string
  options: {
    [k: string]: unknown
  }
  public: boolean
  assistance: Assistance
  pace: Pace
  paces: Pace[]
  allowance: Untimed | Bank | Days
  stage: 'gathering' | 'over' | 'playing'
  me: number | null
  host: number | null
  chairs: Chair[]
  may: ('hand_over' | 'pause' | 'rematch' | 'resume' | 'stand_up' | 'start' | 'take_back')[]
  code: string | null
  seat_key: string | null
  commitment: string
  answer: Answer | null
  orders: StandingOrder[]
  order: StandingOrder | null
  hook: Hook | null
  open_hands: boolean
  late_ms: number
  limit_ms: number | null
  closes_ms: number | null
  paused: boolean
  marks: {
    [k: string]: string
  }
  jotting: string
  away_from: number | null
  rematch: string | null
  heard: number
  lesson: boolean
  deal: SharedDeal | null
  duel: string | null
}
/**
 * A chair as everybody sees it, and what I may do about it.
 */
export interface Chair {
  seat: number
  kind: 'bot' | 'open' | 'person'
  name: string
  level: string | null
  away_ms: number | null
  stand_in: string | null
  lapsed: boolean
  time: Time | null
  wants_pause: boolean
  wants_pace: Pace | null
  agrees: boolean
  called: boolean
  may: ('call_stand_in' | 'set' | 'sit')[]
}
/**
 * How much time a person has for moves.
 */
export interface Time {
  left_ms: number
  running: boolean
}
/**
 * I am asked: what will be answered, and when. Nobody else is told either.
 */
export interface Answer {
  since: number
  left_ms: number | null
  selected: unknown
  chosen: boolean
  kept: boolean
}
/**
 * Where I am told that it is my turn.
 */
export interface Hook {
  host: string
  failed: boolean
}
/**
 * A deal that several people play, each at a table of their own: who has not finished it learns nothing of it.
 */
export interface SharedDeal {
  kind: 'challenge' | 'duel'
  item: string
}
/**
 * `room.answer` has changed, and nothing else in the room.
 */
export interface Asked {
  type: 'asked'
  table: string
  answer: Answer | null
}
/**
 * What was said at a table, as far as I am to hear it.
 */
export interface Chat {
  type: 'chat'
  table: string
  whole: boolean
  lines: Line[]
  me: number | null
  muted: Silenced[]
}
/**
 * Something that was said.
 */
export interface Line {
  at: number
  speaker: number
  seat: number | null
  name: string
  text: string
  phrase: Phrase | null
  apart: boolean
}
export interface Silenced {
  speaker: number
  name: string
}
/**
 * The events behind number `after` and where they have led, as this viewer may see it.
 *
 *     What all viewers are told alike comes first, then what some are, then what is one viewer's own: so frames are put
 *     together from pieces that are encoded once.
 */
export interface Table {
  type: 'table'
  table: string
  after: number
  seq: number
  awaiting: number[]
  outcome: Outcome | null
  informed: number[]
  closed: boolean
  clips: Clip[]
  events: Told[]
  view: unknown
  offers: OfferNow[]
  may_undo: boolean
}
/**
 * A clip that was not to be fetched by anybody before this frame.
 */
export interface Clip {
  id: string
  left_ms: number
}
/**
 * The last frame before the server closes the socket.
 */
export interface Goodbye {
  type: 'goodbye'
  reason: Farewell
}
/**
 * POST /api/join: the code of an invitation, from a link's fragment or typed; answers `Joined`.
 */
export interface Join {
  code: string
}
/**
 * POST /api/seat: the secret of a seat, from its link's fragment; answers `Joined`.
 */
export interface TakeSeat {
  key: string
}
/**
 * POST /api/forget: take everything about me out of what is stored; answers 204 and takes the cookie back.
 */
export interface Forget {
  sure: true
}
export interface Joined {
  table: string
}
/**
 * GET /api/doors/<language>: a list of these, one for each game that can be played, in that language.
 */
export interface Door {
  id: string
  name: string
  facts: string
  text: string
  colour: string
  /**
   * @minItems 2
   * @maxItems 2
   */
  seats: [number, number]
  lesson: boolean
  rules: boolean
  art: string | null
}
/**
 * GET /api/games/<game>/plain: what the plain table must know of a game beyond its frames and its texts.
 */
export interface Plain {
  answers: string[]
  final: string[]
  interrupts: string[]
  by_seat: string[]
  hidden: string[]
  rows: string[]
  columns: string[]
}
