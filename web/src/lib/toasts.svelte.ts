import { t } from './i18n.svelte'
import { announce, interrupt } from './live.svelte'
import { Refusal } from './socket.svelte'

export interface Toast {
  id: number
  text: string
  kind: 'plain' | 'wrong'
}

const STAYS_MS = 6_000

class Toasts {
  all = $state.raw<readonly Toast[]>([])
  #id = 0

  show(text: string, kind: Toast['kind']): void {
    const toast = { id: ++this.#id, text, kind }
    this.all = [...this.all.filter((other) => other.text !== text), toast].slice(-3)
    if (kind === 'wrong') interrupt(text)
    else announce(text)
    setTimeout(() => this.dismiss(toast.id), STAYS_MS)
  }

  dismiss(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id)
  }
}

export const toasts = new Toasts()

/** Say something in passing: copied, somebody sat down. Nothing that must be answered. */
export const toast = (text: string, kind: Toast['kind'] = 'plain') => toasts.show(text, kind)

/** Tell why something was refused; what is no Refusal is a bug and goes on to the console. */
export function complain(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
  toasts.show(refusal(error.reason), 'wrong')
}

/** A refusal's reason in words. */
export function refusal(reason: string): string {
  return t(`refused.${reason}`, {}, 'refused.other')
}
