import { SEAT_LETTERS, SEAT_SHAPES } from '../art/seatShapes'
import { ICONS } from '../art/icons'
import { identity } from '../lib/seats'

/** What a picture of a finished game tells. */
export interface Told {
  game: string
  colour: string
  headline: string
  /** In how many turns, and when. */
  about: string
  players: readonly { identity: number; name: string; won: boolean; points: string }[]
  /** Only where whoever shares it wants it told. */
  solution: string | null
}

type Font = 'name' | 'headline' | 'about' | 'player' | 'solution'
/** How wide a text is in a font. */
export type Measure = (text: string, font: Font, size: number) => number

interface Line {
  text: string
  font: Font
  size: number
  x: number
  y: number
  soft?: boolean
}
/** Where everything stands, in the picture's own pixels. */
export interface Composed {
  width: number
  height: number
  card: { x: number; y: number; width: number; height: number }
  lines: Line[]
  badges: { identity: number; x: number; y: number; won: boolean; crown: number }[]
  rules: { x: number; y: number; width: number }[]
}

const WIDTH = 1080
const MARGIN = 80
/** The wall with the door; the card begins where the door stands. */
const WALL = 620
const PAD = 56
const BADGE = 48
const ROW = 68
const SIZES: Readonly<Record<Font, number>> = { name: 34, headline: 84, about: 36, player: 36, solution: 48 }
const COLOURS = { wall: '#d8cdb2', stripe: '#d0c4a6', skirting: '#7b5836', joint: '#4a3520', desk: '#e6dcc8' }
const PAPER = '#fcf8ee'
const INK = '#211d18'
const SOFT = '#5a5146'
const HAIR = '#cfc2a6'
const LAMP = '#f6ce6b'

/** A text in lines of at most this width; a word that is wider has a line to itself. */
export function wrapped(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word
    if (lines.length && measure(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** The same lines, as even as they can be without one more of them. */
function balanced(text: string, width: number, measure: (text: string) => number): string[] {
  let lines = wrapped(text, width, measure)
  for (let narrower = width * 0.95; ; narrower *= 0.95) {
    const tried = wrapped(text, narrower, measure)
    if (tried.length > lines.length || tried.some((line) => measure(line) > narrower)) return lines
    lines = tried
  }
}

/** Put a picture together: the card is as tall as what stands on it. */
export function compose(told: Told, measure: Measure): Composed {
  const [left, width] = [MARGIN + PAD, WIDTH - 2 * (MARGIN + PAD)]
  const [lines, badges, rules]: [Line[], Composed['badges'], Composed['rules']] = [[], [], []]
  let y = WALL + PAD

  function write(text: string, font: Font, soft = false) {
    const size = fitting(text.split(' '), font, width, measure)
    for (const each of balanced(text, width, (part) => measure(part, font, size))) {
      y += size * 1.12
      lines.push({ text: each, font, size, x: left, y, soft })
    }
    y += size * 0.3
  }

  write(told.game, 'name', true)
  write(told.headline, 'headline')
  if (told.about) write(told.about, 'about')

  // From four players on they stand in two columns.
  const columns = told.players.length > 3 ? 2 : 1
  const column = (width - (columns - 1) * 32) / columns
  y += 20
  told.players.forEach(({ identity, name, won, points }, place) => {
    const x = left + (place % columns) * (column + 32)
    const middle = y + Math.floor(place / columns) * ROW + ROW / 2
    const from = x + BADGE + 16
    const full = points ? `${name} · ${points}` : name
    const room = x + column - from - (won ? 52 : 0)
    const size = fitting([full], 'player', room, measure)
    lines.push({ text: full, font: 'player', size, x: from, y: middle + size * 0.34 })
    badges.push({ identity, x, y: middle - BADGE / 2, won, crown: from + measure(full, 'player', size) + 12 })
  })
  y += Math.ceil(told.players.length / columns) * ROW

  if (told.solution) {
    y += 24
    rules.push({ x: left, y, width })
    y += 4
    write(told.solution, 'solution')
  }
  const card = { x: MARGIN, y: WALL, width: WIDTH - 2 * MARGIN, height: y + PAD - 12 - WALL }
  return { width: WIDTH, height: Math.ceil(card.y + card.height + MARGIN), card, lines, badges, rules }
}

/** The size at which each of these parts fits into this width. */
function fitting(parts: readonly string[], font: Font, width: number, measure: Measure): number {
  const widest = Math.max(...parts.map((part) => measure(part, font, SIZES[font])))
  return SIZES[font] * Math.min(1, width / widest)
}

const css = (font: Font, size: number) =>
  font === 'headline' || font === 'solution'
    ? `700 ${size}px Alegreya, Georgia, serif`
    : `${font === 'player' ? 600 : 500} ${size}px 'Atkinson Hyperlegible Next', system-ui, sans-serif`

export function measuring(context: CanvasRenderingContext2D): Measure {
  return (text, font, size) => {
    context.font = css(font, size)
    return context.measureText(text).width
  }
}

/** Paint it: the wall with its lamp, the game's door, and the card before it. */
export function paint(
  context: CanvasRenderingContext2D,
  { width, height, card, lines, badges, rules }: Composed,
  colour: string,
  door: CanvasImageSource,
): void {
  context.fillStyle = COLOURS.desk
  context.fillRect(0, 0, width, height)
  context.fillStyle = COLOURS.wall
  context.fillRect(0, 0, width, WALL)
  context.fillStyle = COLOURS.stripe
  for (let x = 36; x < width; x += 72) context.fillRect(x, 0, 3, WALL)
  context.fillStyle = COLOURS.joint
  context.fillRect(0, WALL - 22, width, 74)
  context.fillStyle = COLOURS.skirting
  context.fillRect(0, WALL - 17, width, 64)
  context.drawImage(door, width / 2 - 290, -6, 580, 630)
  sign(context)

  context.save()
  context.shadowColor = 'rgb(0 0 0 / 0.28)'
  context.shadowBlur = 28
  context.shadowOffsetY = 8
  context.fillStyle = PAPER
  context.beginPath()
  context.roundRect(card.x, card.y, card.width, card.height, 20)
  context.fill()
  context.restore()
  context.fillStyle = colour
  context.beginPath()
  context.roundRect(card.x, card.y, card.width, 14, [20, 20, 0, 0])
  context.fill()

  context.textBaseline = 'alphabetic'
  for (const { text, font, size, x, y, soft } of lines) {
    context.font = css(font, size)
    context.fillStyle = soft ? SOFT : INK
    context.fillText(text, x, y)
  }
  context.fillStyle = HAIR
  for (const { x, y, width } of rules) context.fillRect(x, y, width, 2)
  for (const each of badges) badge(context, each)
}

/** The sign of the house, at the wall. */
function sign(context: CanvasRenderingContext2D): void {
  context.save()
  context.translate(MARGIN - 20, 44)
  context.save()
  context.scale(1.6, 1.6)
  pen(context, 4.4)
  context.stroke(new Path2D('M20.5 20.5L28 28'))
  pen(context, 2.4)
  context.fillStyle = LAMP
  const lens = new Path2D('M13 3.2a9.8 9.8 0 1 1-.01 0z')
  context.fill(lens)
  context.stroke(lens)
  context.fillStyle = INK
  context.fill(new Path2D('M13 6.8a3.6 3.6 0 0 1 1.9 6.7l1.5 5.2H9.6l1.5-5.2A3.6 3.6 0 0 1 13 6.8z'))
  context.restore()
  context.fillStyle = INK
  context.font = css('headline', 46)
  context.fillText('Whodunit', 62, 38)
  context.restore()
}

function pen(context: CanvasRenderingContext2D, width: number): void {
  context.strokeStyle = INK
  context.lineWidth = width
  context.lineCap = context.lineJoin = 'round'
}

/** Colour, shape and letter together, as everywhere; a crown for whoever has won. */
function badge(context: CanvasRenderingContext2D, { identity: number, x, y, won, crown }: Composed['badges'][number]) {
  const { fill, ink, letter, shape } = identity(number)
  const drawn = SEAT_SHAPES[shape]
  context.save()
  context.translate(x, y)
  context.scale(BADGE / 32, BADGE / 32)
  const outline = new Path2D(drawn.outline)
  context.fillStyle = fill
  context.fill(outline)
  pen(context, 2)
  context.stroke(outline)
  const [, dx = '0', dy = '0', scale = '1'] = /translate\((\S+) (\S+)\) scale\((\S+)\)/.exec(drawn.letter) ?? []
  context.translate(Number(dx), Number(dy))
  context.scale(Number(scale), Number(scale))
  pen(context, 2.7)
  context.strokeStyle = ink
  context.stroke(new Path2D(SEAT_LETTERS[letter]))
  context.restore()
  if (!won) return
  context.save()
  context.translate(crown, y + 4)
  context.scale(1.6, 1.6)
  pen(context, 1.7)
  context.fillStyle = LAMP
  const path = new Path2D(ICONS.crown)
  context.fill(path)
  context.stroke(path)
  context.restore()
}

const DRAWN = ['fill', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stop-color', 'stop-opacity']

/** A drawing of the page as a picture of its own: what the page's styles give it is written into it. */
export async function pictureOf(drawing: SVGSVGElement, viewBox: string): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const [from, to] = [drawing, copy].map((each) => [...each.querySelectorAll('[class]')])
  from?.forEach((element, place) => {
    const style = getComputedStyle(element)
    for (const name of DRAWN) to?.[place]?.setAttribute(name, style.getPropertyValue(name))
  })
  const [, , width = '1', height = '1'] = viewBox.split(' ')
  for (const [name, value] of Object.entries({ viewBox, width, height })) copy.setAttribute(name, value)
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  return image
}
