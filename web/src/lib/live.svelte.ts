/** What screen readers are told: `announce` waits for a pause, `interrupt` does not. */
class Live {
  polite = $state.raw<readonly { id: number; text: string }[]>([])
  assertive = $state.raw<readonly { id: number; text: string }[]>([])
  #id = 0

  announce(text: string): void {
    this.polite = [...this.polite, { id: ++this.#id, text }].slice(-20)
  }

  interrupt(text: string): void {
    this.assertive = [...this.assertive, { id: ++this.#id, text }].slice(-5)
  }

  /** Let what was said at a table go with it: whoever comes to the next page finds none of it. */
  clear(): void {
    this.polite = this.assertive = []
  }
}

export const live = new Live()
/** Say politely: log lines, one per event, the words of the log. */
export const announce = (text: string) => live.announce(text)
/** Say at once: my turn, I am asked, refused. */
export const interrupt = (text: string) => live.interrupt(text)
