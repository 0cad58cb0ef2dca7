import { expect, it } from 'vitest'
import { bothEars, COLUMNS, outline, picture } from './loud'
// A real clip, thinned out, with the pictures that whodunit/tower/features.py makes of it; tests/tower reads the same.
import sample from './loud.sample.json'

const heard = (samples: number[]) => Float32Array.from(samples, (value) => value / 32768)
const left = heard(sample.samples.left)
const right = heard(sample.samples.right)
const steps = (levels: readonly number[]) => levels.map((level) => Math.round(level * 24))

it('the loudness picture is the one of the silent listener', () => {
  expect(steps(picture([left, right]))).toEqual(sample.picture)
})

it('each ear is drawn by the same recipe', () => {
  const channels = [left, right]
  const ears = bothEars({ numberOfChannels: 2, getChannelData: (channel) => channels[channel] as Float32Array })
  expect(steps(ears.left)).toEqual(sample.left)
  expect(ears.right).not.toEqual(ears.left)
})

it('silence is flat, and full scale fills the picture', () => {
  const still = picture([new Float32Array(COLUMNS * 4)])
  expect(new Set(still)).toEqual(new Set([0]))
  expect(new Set(picture([new Float32Array(COLUMNS * 4).fill(1)]))).toEqual(new Set([1]))
})

it('a stroke is drawn for every column, upwards for the left ear', () => {
  const path = outline([0, 1, 0.5], true, 28)
  expect(path.match(/M/g)).toHaveLength(3)
  expect(path).toContain('M1 0h.8v-28.0h-.8z')
  expect(outline([1], false, 28)).toContain('v28.0')
})
