import type { OfferNow } from '../lib/protocol'

/** An action as it goes over the line. */
export interface Deed {
  type: string
  [field: string]: unknown
}

type Choice = OfferNow['choices'][string]

function leaves(choice: Choice, value: unknown): boolean {
  if (choice.type === 'one') return choice.of.includes(value as string | number)
  if (!Array.isArray(value) || !value.every((one) => choice.of.includes(one as string | number))) return false
  return choice.type === 'order' || (value.length >= choice.least && value.length <= choice.most)
}

/** Whether an offer leaves these choices open. */
export const admits = (offer: OfferNow, deed: Deed): boolean =>
  Object.entries(offer.choices).every(([field, choice]) => leaves(choice, deed[field]))

/** Whether what will be done is this deed, however its fields are ordered. */
export function isSame(done: unknown, deed: Deed): boolean {
  const fields = Object.entries((done ?? {}) as Deed)
  return (
    fields.length === Object.keys(deed).length &&
    fields.every(([field, value]) => JSON.stringify(value) === JSON.stringify(deed[field]))
  )
}
