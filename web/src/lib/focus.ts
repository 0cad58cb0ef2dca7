/** A page that knows a better place than its main part is given the time to take it. */
const PATIENCE_MS = 60

/** What says best where one is now: what the table waits for, the page's heading, or else its main part. */
const PLACES = ['[data-now]', 'main h1', 'main']

/**
 * Never let the focus fall to the body: when what had it is gone, be it with its page or by an update, what says where one
 * is gets it, so that keyboards go on from there and screen readers read it out. Returns how to stop.
 */
export function keepFocus(): () => void {
  let last: Element | null = null
  const remember = (event: FocusEvent) => (last = event.target as Element)
  let timer: ReturnType<typeof setTimeout> | undefined
  const mend = () => {
    if (!last || last.isConnected || document.activeElement !== document.body) return
    const place = PLACES.map((where) => document.querySelector<HTMLElement>(where)).find((found) => found)
    if (!place) return
    place.tabIndex = -1
    // Remembered in turn, so a page that is replaced while it loads is no end.
    place.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (!last || last.isConnected) return
    clearTimeout(timer)
    timer = setTimeout(mend, PATIENCE_MS)
  })
  document.addEventListener('focusin', remember)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', remember)
    observer.disconnect()
    clearTimeout(timer)
  }
}
