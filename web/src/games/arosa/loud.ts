/**
 * The loudness picture, for whoever does not hear or plays without sound: the same recipe as the silent listener's
 * (whodunit/tower/features.py), whose accuracy is printed beside the ear's. It is drawn from the clip, never from the
 * simulation.
 */
export const COLUMNS = 200
const LEVELS = 24
const FLOOR_DB = -60

/** The level of every 10 ms, from 0 to 1 in 24 steps: sixty decibels of the mean of these channels. */
export function picture(channels: readonly Float32Array[]): number[] {
  const size = Math.floor((channels[0]?.length ?? 0) / COLUMNS)
  return Array.from({ length: COLUMNS }, (_, column) => {
    let power = 0
    for (let place = column * size; place < (column + 1) * size; place++) {
      let sum = 0
      for (const channel of channels) sum += channel[place] ?? 0
      power += (sum / channels.length) ** 2
    }
    const height = 1 - (10 * Math.log10(power / size + 1e-9)) / FLOOR_DB
    return Math.round(Math.min(1, Math.max(0, height)) * LEVELS) / LEVELS
  })
}

/** Both ears apart, each by the same recipe. */
export interface Ears {
  left: readonly number[]
  right: readonly number[]
}

export function bothEars(buffer: { numberOfChannels: number; getChannelData(channel: number): Float32Array }): Ears {
  const left = buffer.getChannelData(0)
  return { left: picture([left]), right: picture([buffer.numberOfChannels > 1 ? buffer.getChannelData(1) : left]) }
}

/** The outline of one ear's picture as the path of an area: `up` draws it above the line, else below. */
export function outline(levels: readonly number[], up: boolean, height: number): string {
  const sign = up ? -1 : 1
  const bars = levels.map(
    (level, column) => `M${column} 0h.8v${(sign * Math.max(0.4, level * height)).toFixed(1)}h-.8z`,
  )
  return bars.join('')
}
