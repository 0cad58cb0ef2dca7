import type { Told } from '../table/picture'
import { c, daySaid } from './words.svelte'
import { dayOf, type Case, type Result } from './types'

/** "solved at 8", "not solved" */
export const endSaid = ({ solved, at }: Result) => (solved ? c('share.solved', { at }) : c('share.missed'))

/** "Whodunit 2026-11-17 · the game · par 7 · solved at 8 · 1 guess" */
export function shareLine(posed: Case, game: string): string {
  const result = posed.result as Result
  return [
    `Whodunit ${dayOf(posed.case)}`,
    game,
    ...(posed.question.kind === 'ear' ? [] : [c('share.par', { par: result.par })]),
    endSaid(result),
    ...(result.guesses ? [c('share.guesses', { count: result.guesses })] : []),
    ...(result.hints ? [c('share.hints', { count: result.hints })] : []),
  ].join(' · ')
}

/** The same as a picture. */
export function sharePicture(posed: Case, game: string, colour: string): Told {
  const result = posed.result as Result
  const about = [
    ...(posed.question.kind === 'ear' ? [] : [c('share.par', { par: result.par })]),
    c('share.guesses', { count: result.guesses }),
    ...(result.hints ? [c('share.hints', { count: result.hints })] : []),
    daySaid(dayOf(posed.case)),
  ]
  return {
    game: `${game} · ${c('share.title')}`,
    colour,
    headline: c(result.solved ? 'share.headline' : 'share.headline.missed', { at: result.at }),
    about: about.join(' · '),
    players: [],
    solution: null,
  }
}
