import { bothEars, type Ears } from './loud'

/** A clip, ready to be played or drawn. */
export interface Clip {
  buffer: AudioBuffer
  ears: Ears
}

/** The clip is not to be had (any more): somebody listened too late, or it was never meant for this page. */
export class Gone extends Error {}

/** Samples a second in every clip: decoded at its own rate, nothing is lost and every browser draws the same picture. */
const RATE = 24_000
const RETRY_MS = 400

export async function decoded(bytes: ArrayBuffer): Promise<Clip> {
  const buffer = await new OfflineAudioContext(2, 1, RATE).decodeAudioData(bytes)
  return { buffer, ears: bothEars(buffer) }
}

export const fromBase64 = (text: string): ArrayBuffer =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer

/** Fetch the clip of a drop at a table. */
export const fetched = (table: string, clip: string, signal?: AbortSignal): Promise<Clip> =>
  released(`/t/${table}/clip/${clip}`, signal)

/** Fetch a clip; one that is not released yet is waited for. Whatever fails and is not Gone may be had later. */
export async function released(address: string, signal?: AbortSignal): Promise<Clip> {
  for (;;) {
    const response = await fetch(address, { signal })
    if (response.ok && !response.headers.get('Content-Type')?.startsWith('audio/')) throw new Gone('no sound')
    if (response.ok) {
      const bytes = await response.arrayBuffer()
      return decoded(bytes).catch(() => {
        throw new Gone('unreadable')
      })
    }
    if (response.status === 429 || response.status >= 500) throw new Error(String(response.status))
    if (response.status !== 425) throw new Gone(String(response.status))
    const seconds = Number(response.headers.get('Retry-After'))
    await new Promise((resolve, reject) => {
      setTimeout(resolve, seconds > 0 ? seconds * 1000 : RETRY_MS)
      signal?.addEventListener('abort', reject)
    })
  }
}
