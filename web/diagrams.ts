// Draws docs/diagrams/*.dot as SVG beside them:  scripts/web draw   (a test says when they are stale)
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { instance } from '@viz-js/viz'

export const FOLDER = join(import.meta.dirname, '..', 'docs', 'diagrams')

/** The names of all drawings. */
export const names = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.dot'))
    .map((file) => file.slice(0, -'.dot'.length))

/** A drawing as SVG. */
export async function drawn(name: string): Promise<string> {
  const viz = await instance()
  return viz.renderString(readFileSync(join(FOLDER, `${name}.dot`), 'utf-8'), { format: 'svg' })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const name of names()) writeFileSync(join(FOLDER, `${name}.svg`), await drawn(name))
}
