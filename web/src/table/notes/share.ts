/**
 * A share as people read it: whole per cents, and never 0 or 100 unless it is exact. The server says 0 and 1 only
 * beside a mark; everything else is strictly between.
 */
export function percent(share: number): { figure: string; bound: 'under' | 'over' | null } {
  if (share <= 0) return { figure: '0', bound: null }
  if (share >= 1) return { figure: '100', bound: null }
  const whole = Math.round(share * 100)
  if (whole < 1) return { figure: '1', bound: 'under' }
  if (whole > 99) return { figure: '99', bound: 'over' }
  return { figure: String(whole), bound: null }
}

/** In a cell: short, "<1" and ">99" at the ends. */
export function short(share: number): string {
  const { figure, bound } = percent(share)
  return (bound === 'under' ? '<' : bound === 'over' ? '>' : '') + figure
}

/** How strongly a cell is shaded, from 0 to 10: a class each, so that both themes keep their contrast. */
export const shade = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 10)

/** What the next tap makes of my own mark. Figures and words start over. */
export function nextMark(mark: string): string {
  const cycle = ['', 'yes', 'no', 'maybe']
  return cycle[(cycle.indexOf(mark) + 1) % cycle.length] as string
}
