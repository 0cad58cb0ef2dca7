/** Reads and keeps small values in the browser; a browser that forbids it just forgets. */
export function recall<T>(key: string, otherwise: T): T {
  try {
    const kept = localStorage.getItem(`whodunit.${key}`)
    return kept === null ? otherwise : (JSON.parse(kept) as T)
  } catch {
    return otherwise
  }
}

/** Forget everything that was kept here. */
export function forgetAll(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith('whodunit.')) localStorage.removeItem(key)
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(`whodunit.${key}`, JSON.stringify(value))
  } catch {
    // Private windows and full disks: the setting holds until the page is closed.
  }
}
