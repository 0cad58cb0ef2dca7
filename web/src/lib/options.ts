import type { Option } from './catalogue'
import { gt, has, t, term } from './i18n.svelte'

/** One value of an option in words. */
export function optionValue(game: string, option: Option, value: unknown): string {
  if (value === null) return t('create.option.open')
  if (typeof value === 'boolean') return t(value ? 'create.option.on' : 'create.option.off')
  if (Array.isArray(value)) return value.map((each) => optionValue(game, option, each)).join(', ')
  // People count chairs from 1.
  if (option.kind === 'seat') return t('create.seat', { number: Number(value) + 1 })
  const word = String(value)
  const key = `option.${option.name}.${word}`
  if (has(game, key)) return gt(game, key)
  return has(game, `term.${word}`) ? term(game, word) : word
}
