/** The hotel keeps its own colours in both lights: it is always night there. */
export const FLOOR_FILLS: Readonly<Record<number, string>> = { 1: '#B98B5B', 2: '#9A9DA3', 3: '#3D4C7D' }
/** What is written on a floor's colour. */
export const FLOOR_INKS: Readonly<Record<number, string>> = { 1: '#211D18', 2: '#211D18', 3: '#FCF8EE' }
export const LIT = '#F6CE6B'
export const DARK = '#1B2038'
export const INK = '#211D18'
export const CREAM = '#FCF8EE'
export const GOLD = '#C9962B'
export const WAX = '#97202F'
