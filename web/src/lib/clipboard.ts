import { t } from './i18n.svelte'
import { toast } from './toasts.svelte'

/** Copy a text and say so. Without https a browser has no clipboard: then a hidden field does it the old way. */
export async function copy(text: string): Promise<void> {
  toast((await put(text)) ? t('copied') : t('not_copied'))
}

async function put(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return putByCommand(text)
  }
}

function putByCommand(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  // Inside an open dialog nothing outside of it can be focused.
  const place = document.querySelector('dialog[open]') ?? document.body
  const before = document.activeElement
  place.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
