import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drawn, FOLDER, names } from '../diagrams'

test.each(names())('docs/diagrams/%s.svg is what its source says (scripts/web draw makes it)', async (name) => {
  expect(await drawn(name)).toBe(readFileSync(join(FOLDER, `${name}.svg`), 'utf-8'))
})
