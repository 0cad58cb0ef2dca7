import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { compressed } from './compress'
import { eager } from './eager'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = process.env.WHODUNIT_SERVER ?? 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [svelte(), svelteTesting(), eager(), compressed()],
  resolve: {
    // A game's words are package data of the server, and the page reads the same files: one source.
    alias: { '@games-texts': here('../src/whodunit/games') },
  },
  build: {
    outDir: here('../src/whodunit/server/static'),
    emptyOutDir: true,
    target: 'es2022',
    // Our policy allows fonts and scripts from files only, so nothing is written into another file as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What many pages share comes in one file: a request for each small part would cost more than the part.
        codeSplitting: { groups: [{ name: 'shared', test: /src\/(lib|ui|art|table)\//, minShareCount: 4 }] },
      },
    },
    reportCompressedSize: false,
  },
  server: {
    fs: {
      allow: ['.', ...['cases/texts', 'games', 'review/texts'].map((folder) => `../src/whodunit/${folder}`)].map(here),
    },
    proxy: { '/ws': { target: server, ws: true }, '/api': server, '^/t/[^/]+/case$': server },
  },
  test: {
    environment: 'happy-dom',
    css: { include: /tokens\.css/ }, // its colours are tested; all other styles are left out
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/lib/files.testing.ts'],
    // Whatever takes as long hangs; a busy machine is no fault of the page's.
    testTimeout: 60_000,
    // Two cores are what we have.
    maxWorkers: 2,
    // Each file has a context of its own, as with a process each, and the DOM is loaded once: a third of the time.
    pool: 'vmThreads',
  },
})
