import { readFile } from 'node:fs/promises'

/** Tests have no server: what the page fetches of its own files is read where it lies. */
const fetched = globalThis.fetch
globalThis.fetch = async (what, init) => {
  const path = typeof what === 'string' ? /^(?:\/@fs)?(\/.*\.json)$/.exec(what)?.[1] : undefined
  if (!path || typeof what !== 'string') return fetched(what, init)
  return new Response(await readFile(decodeURIComponent(what.startsWith('/@fs') ? path : process.cwd() + path)))
}
