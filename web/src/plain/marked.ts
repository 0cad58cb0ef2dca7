import { rim } from '../lib/motion'

/** For a moment, a rim round what shows another value than before. */
export function marked(node: Element, value: string): { update: (value: string) => void } {
  let before = value
  return {
    update(now) {
      if (now !== before) rim(node)
      before = now
    },
  }
}
