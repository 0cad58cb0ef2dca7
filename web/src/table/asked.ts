import { t } from '../lib/i18n.svelte'
import type { TableState } from './state.svelte'

/**
 * What the time of my answer tells, where the table waits for me; nothing where a clock says all of it. Whether I have a
 * choice makes no difference to anybody else.
 */
export function patience(table: TableState, free: boolean): string {
  if (!table.awaitsMe || (free && !table.unclocked)) return ''
  // Among bots alone nothing is drawn: what I give is given.
  if (table.alone) return t('asked.alone')
  if (table.due?.chosen) return t('asked.soon')
  return t(table.unclocked ? 'asked.unhurried' : 'asked.until')
}
