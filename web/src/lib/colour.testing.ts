/** Colour arithmetic for tests: WCAG contrast, colour-vision simulation, CIEDE2000. */
export type Rgb = readonly [number, number, number]
type Matrix = readonly [Rgb, Rgb, Rgb]

export function parse(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const times = (matrix: Matrix, [x, y, z]: Rgb): Rgb =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Rgb
const clamp = (value: number) => Math.min(1, Math.max(0, value))

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map(linear) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** `top` with this opacity over `ground`. */
export function over(top: Rgb, opacity: number, ground: string): string {
  const under = parse(ground)
  const mixed = top.map((channel, place) => channel * opacity + (under[place] as number) * (1 - opacity))
  return `#${mixed
    .map((channel) =>
      Math.round(channel * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB. */
export const VISION: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'red-blind': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'green-blind': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'blue-blind': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
  'no colour': [
    [0.2126, 0.7152, 0.0722],
    [0.2126, 0.7152, 0.0722],
    [0.2126, 0.7152, 0.0722],
  ],
}

function lab(rgb: Rgb, vision: Matrix): Rgb {
  const seen = times(vision, rgb.map(linear) as unknown as Rgb).map(clamp) as unknown as Rgb
  const [x, y, z] = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    seen,
  )
  const f = (value: number) => (value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116)
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)]
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]
}

const turn = (degrees: number) => (degrees + 360) % 360
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Sharma, Wu, Dalal 2005. */
export function ciede2000([l1, a1, b1]: Rgb, [l2, a2, b2]: Rgb): number {
  const mean7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7
  const stretch = 1 + 0.5 * (1 - Math.sqrt(mean7 / (mean7 + 25 ** 7)))
  const [p1, p2] = [a1 * stretch, a2 * stretch]
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)]
  const [h1, h2] = [turn((Math.atan2(b1, p1) * 180) / Math.PI), turn((Math.atan2(b2, p2) * 180) / Math.PI)]
  const grey = c1 * c2 === 0
  let dh = grey ? 0 : h2 - h1
  if (dh > 180) dh -= 360
  else if (dh < -180) dh += 360
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(dh / 2))
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const h = grey ? h1 + h2 : Math.abs(h1 - h2) <= 180 ? (h1 + h2) / 2 : turn((h1 + h2 + 360) / 2)
  const weight =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63))
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2)
  const [sc, sh] = [1 + 0.045 * c, 1 + 0.015 * c * weight]
  const rotation =
    -Math.sin(radians(60 * Math.exp(-(((h - 275) / 25) ** 2)))) * 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7))
  const [dl, dc, dhh] = [(l2 - l1) / sl, (c2 - c1) / sc, dH / sh]
  return Math.sqrt(dl ** 2 + dc ** 2 + dhh ** 2 + rotation * dc * dhh)
}

/** How far apart two colours are for somebody with this vision. */
export function distance(one: string, other: string, vision: Matrix): number {
  return ciede2000(lab(parse(one), vision), lab(parse(other), vision))
}
