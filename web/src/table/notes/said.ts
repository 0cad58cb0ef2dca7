import { t } from '../../lib/i18n.svelte'
import { percent } from './share'

const SIGNS: Readonly<Record<string, string>> = { yes: '✓', no: '✗', maybe: '?' }

/** My own mark as it stands in a cell. */
export const signOf = (mark: string): string => SIGNS[mark] ?? mark

/** My own mark in a word. */
export const markName = (mark: string): string => (mark in SIGNS ? t(`mark.${mark}`) : mark)

/** My own mark as it is read out behind what the sheet says, if there is one. */
export const mineSaid = (mark: string): string => (mark ? ` ${t('notes.mine', { mark: markName(mark) })}` : '')

/** A share in words: "37 per cent", "under 1 per cent". */
export function shareSaid(share: number): string {
  const { figure, bound } = percent(share)
  return t(bound ? `notes.share.${bound}` : 'notes.share', { figure })
}
