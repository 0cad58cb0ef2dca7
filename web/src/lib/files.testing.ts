import { configure } from '@testing-library/svelte'
import { readdir, readFile } from 'node:fs/promises'
import type { Door } from './protocol'

/** Tests have no server: what the page fetches of its own files is read where it lies, and so are our games' doors. */
const fetched = globalThis.fetch
globalThis.fetch = async (what, init) => {
  if (typeof what !== 'string') return fetched(what, init)
  const language = /^\/api\/doors\/(\w+)$/.exec(what)?.[1]
  if (language) return Response.json(await doorsIn(language))
  const path = /^(?:\/@fs)?(\/.*\.json)$/.exec(what)?.[1]
  if (!path) return fetched(what, init)
  return new Response(await readFile(decodeURIComponent(what.startsWith('/@fs') ? path : process.cwd() + path)))
}

const GAMES = `${process.cwd()}/../src/whodunit/games`

/** The doors of the games in this repository, as the server lists them, but for their order and their colours. */
async function doorsIn(language: string): Promise<Door[]> {
  const found = await Promise.all(
    (await readdir(GAMES)).map(async (id) => {
      try {
        const words = JSON.parse(await readFile(`${GAMES}/${id}/texts/${language}.json`, 'utf8')) as Record<
          string,
          string
        >
        return [doorOf(id, words)]
      } catch {
        return [] // a folder without words is no game
      }
    }),
  )
  return found.flat()
}

const doorOf = (id: string, words: Readonly<Record<string, string>>): Door => ({
  id,
  name: words.name ?? '',
  facts: words['door.facts'] ?? '',
  text: words['door.text'] ?? '',
  colour: '#3b3a36',
  seats: [2, 6],
  lesson: true,
  rules: false,
  art: null,
})

// What a page loads when it is needed may take longer than a second on a busy machine.
configure({ asyncUtilTimeout: 20_000 })
