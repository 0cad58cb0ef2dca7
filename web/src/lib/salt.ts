/** This page's share of a game's chance: 16 random bytes, as the protocol writes them. */
export function salt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
