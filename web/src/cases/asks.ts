import { socket, type Wish } from '../lib/socket.svelte'
import type { Archive, Case, Entry, Today } from './types'

/** What the page asks of the house about its cases. */
interface Answers {
  read_today: Today
  read_archive: Archive
  open_case: Case
  turn_line: Case
  claim_case: Case
  check_mark: Case
  give_up: Case
}
export type CaseWish =
  | { type: 'read_today' }
  | { type: 'read_archive'; before: string | null }
  | { type: 'open_case'; case: string }
  | { type: 'turn_line' | 'give_up'; case: string; turned: number }
  | { type: 'claim_case'; case: string; turned: number; claim: readonly Entry[] }
  | { type: 'check_mark'; case: string; turned: number; row: string; column: string; held: boolean }

export const askHouse = <W extends CaseWish>(wish: W): Promise<Answers[W['type']]> =>
  socket.ask(wish as unknown as Wish) as unknown as Promise<Answers[W['type']]>
