// Says what is wrong when no page can be had, and does nothing else. It keeps the page that says so, and never anything
// of a game: what a table is like, only the house knows.

/** The digest of the files below; a test knows. A new one makes browsers take the files anew. */
const VERSION = '6ca11df29356d002'
const PAGE = '/offline.html'
const FILES = [PAGE, '/offline.css', '/offline.js', '/favicon.svg']

self.addEventListener('install', (event) => event.waitUntil(keep()))
self.addEventListener('activate', (event) => event.waitUntil(begin()))
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (FILES.includes(pathname)) event.respondWith(kept(event.request))
  // What is saved as a file must be what it says, or nothing.
  else if (event.request.mode === 'navigate' && !pathname.endsWith('/case')) event.respondWith(page(event))
})

async function keep() {
  const cache = await caches.open(VERSION)
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))
  await self.skipWaiting()
}

async function begin() {
  for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name)
  // The browser asks for a page while this worker wakes up, so nobody waits for it.
  await self.registration.navigationPreload?.enable()
}

async function kept(request) {
  return (await caches.match(request, { ignoreSearch: true })) ?? fetch(request)
}

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match(PAGE)) ?? Response.error()
  }
}
