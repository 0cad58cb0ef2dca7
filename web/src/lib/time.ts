import { t } from './i18n.svelte'
import type { Bank, Days, Untimed } from './protocol'

export type Allowance = Untimed | Bank | Days

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** From here on a bank is low, in seconds, and a day's move. */
export const LOW_BANK = 30
export const LOW_DAYS = 6 * HOUR

const UNITS = [
  ['days', DAY],
  ['hours', HOUR],
  ['minutes', MINUTE],
] as const

/** A length of time in the largest unit that says it; what has begun of what is left counts whole. */
export function measured(seconds: number, whole = Math.ceil) {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? (['seconds', 1] as const)
  return { unit, count: Math.max(0, whole(seconds / length)) }
}

/** How long ago something was; what has only begun does not count. */
export const since = (ms: number) => measured(Math.max(1, ms / 1000), Math.floor)

/** A length of time in words. */
export function inWords(seconds: number): string {
  const { unit, count } = measured(seconds)
  return t(`time.${unit}`, { count })
}

/** In how many days something is; what has begun of a day counts whole. */
export const daysLeft = (ms: number) => Math.max(1, Math.ceil(ms / 1000 / DAY))

/** A length of time as a clock shows it. */
export function asClock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  const two = (number: number) => String(number).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE), whole % MINUTE]
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

export const isLow = (allowance: Allowance, seconds: number) =>
  seconds <= (allowance.type === 'days' ? LOW_DAYS : LOW_BANK)

/** What was agreed about time, in words. */
export function agreed(allowance: Allowance): string {
  switch (allowance.type) {
    case 'bank':
      return t('time.agreed.bank', { bank: inWords(allowance.bank_s), increment: inWords(allowance.increment_s) })
    case 'days':
      return t('time.agreed.days', { days: inWords(allowance.days * DAY) })
    default:
      return t('time.agreed.untimed')
  }
}
