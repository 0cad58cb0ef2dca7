/** A page that knows a better place than its heading is given the time to take it. */
const PATIENCE_MS = 60

/** What lies open over everything keeps the focus within. */
const OVER = 'dialog[open]'
/** What says where one is now, such as what the table waits for. */
const HERE = '[data-now]'
/** Where nothing does: the page's heading, or its main part. */
const ELSE = ['main h1', 'main']

/** Whether what had the focus cannot have it any more: it is out of the page, cannot be pressed, or cannot be seen. */
const gone = (last: Element) => last.matches(':disabled') || !last.checkVisibility({ visibilityProperty: true })

/**
 * Never let the focus fall to the body: when what had it is gone, be it with its page or by an update, what says where one
 * is gets it, so that keyboards go on from there and screen readers read it out. Returns how to stop.
 */
export function keepFocus(): () => void {
  let last: Element | null = null
  /** What said so around it, the nearest first: it has the focus while what is in it comes and goes. */
  let around: HTMLElement[] = []
  function remember(event: FocusEvent) {
    last = event.target as Element
    around = []
    for (let at = last.closest<HTMLElement>(HERE); at; at = at.parentElement?.closest<HTMLElement>(HERE) ?? null)
      around.push(at)
  }
  let timer: ReturnType<typeof setTimeout> | undefined

  function mend(places: readonly string[]) {
    if (!last || document.activeElement !== document.body || !gone(last)) return
    // On a phone a place may be behind another tab.
    const [over, ...found] = [OVER, ...places].map((where) => document.querySelector<HTMLElement>(where))
    const place = [over, ...around, ...found].find((each) => each?.checkVisibility())
    if (!place) return
    place.tabIndex = -1
    // Remembered in turn, so a page that is replaced while it loads is no end.
    place.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (!last || (last === document.activeElement && !last.matches(':disabled'))) return
    mend([HERE])
    clearTimeout(timer)
    timer = setTimeout(() => mend([HERE, ...ELSE]), PATIENCE_MS)
  })
  document.addEventListener('focusin', remember)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    document.removeEventListener('focusin', remember)
    observer.disconnect()
    clearTimeout(timer)
  }
}
