/** After so long without a touch nobody is taken to sit before the page. */
const IDLE_MS = 5 * 60_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus'] as const

/** Tell whenever somebody begins to look at this page, and when nobody does any more: it is hidden, or long untouched. */
export function followEyes(tell: (looking: boolean) => void): void {
  let idle: ReturnType<typeof setTimeout> | undefined
  const see = () => {
    clearTimeout(idle)
    const visible = document.visibilityState === 'visible'
    tell(visible)
    if (visible) idle = setTimeout(() => tell(false), IDLE_MS)
  }
  for (const sign of SIGNS) addEventListener(sign, see, { passive: true })
  document.addEventListener('visibilitychange', see)
  see()
}
