/** A page that knows a better place than its heading is given the time to take it. */
const PATIENCE_MS = 60

/** What says best where one is now: what lies open over everything, or what the table waits for. */
const AT_ONCE = ['dialog[open]', '[data-now]']
/** Or else the page's heading, or its main part. */
const PATIENTLY = ['main h1', 'main']

/** Whether what had the focus cannot have it any more: it is out of the page, cannot be pressed, or cannot be seen. */
const gone = (last: Element) => last.matches(':disabled') || !last.checkVisibility({ visibilityProperty: true })

/**
 * Never let the focus fall to the body: when what had it is gone, be it with its page or by an update, what says where one
 * is gets it, so that keyboards go on from there and screen readers read it out. Returns how to stop.
 */
export function keepFocus(): () => void {
  let last: Element | null = null
  const remember = (event: FocusEvent) => (last = event.target as Element)
  let timer: ReturnType<typeof setTimeout> | undefined

  function mend(places: readonly string[]) {
    if (!last || document.activeElement !== document.body || !gone(last)) return
    // On a phone a place may be behind another tab.
    const place = places
      .map((where) => document.querySelector<HTMLElement>(where))
      .find((found) => found?.checkVisibility())
    if (!place) return
    place.tabIndex = -1
    // Remembered in turn, so a page that is replaced while it loads is no end.
    place.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (!last || (last === document.activeElement && !last.matches(':disabled'))) return
    mend(AT_ONCE)
    clearTimeout(timer)
    timer = setTimeout(() => mend([...AT_ONCE, ...PATIENTLY]), PATIENCE_MS)
  })
  document.addEventListener('focusin', remember)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    document.removeEventListener('focusin', remember)
    observer.disconnect()
    clearTimeout(timer)
  }
}
