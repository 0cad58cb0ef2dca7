import { tick } from 'svelte'
import { settings } from '../lib/settings.svelte'
import type { Tab, TableState } from './state.svelte'

/** Single letters lead to the panels: b(oard), n(otes), l(og), c(hat). */
const PANELS: Record<string, { tab: Tab; area: string }> = {
  b: { tab: 'table', area: '.board' },
  n: { tab: 'notes', area: '.sheet' },
  l: { tab: 'log', area: '.lines' },
  c: { tab: 'chat', area: '.talk form' },
}

/** What the space bar presses, or scrolls. */
const OWN_SPACE = 'a, button, summary, [role="button"], [tabindex="0"]'

/** What keys do on the table's page, outside of fields, dialogs and grids. */
export function shortcuts(table: TableState, page: () => HTMLElement | undefined) {
  async function show(key: string) {
    const panel = PANELS[key]
    if (!panel || (key === 'n' && !(table.game.Notes && table.me !== null))) return
    table.tab = panel.tab
    if (key === 'c') table.talking = true
    await tick()
    page()?.querySelector<HTMLElement>(`${panel.area} :is(button, [tabindex='0'], form input)`)?.focus()
  }

  return (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (target.closest('input, textarea, select, dialog, [role="grid"], [data-arrows]')) return
    if (settings.shortcuts && event.key in PANELS) void show(event.key)
    else if (event.key === ' ' && table.hurry.offered && !target.closest(OWN_SPACE)) table.hurry.start()
    else if (!table.looked) return
    else if (event.key === 'ArrowLeft') table.step(-1)
    else if (event.key === 'ArrowRight') table.step(1)
    else if (event.key === 'Escape') table.backToNow()
    else return
    event.preventDefault()
  }
}
