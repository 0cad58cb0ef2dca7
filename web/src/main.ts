import './app.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { afresh } from './lib/afresh.svelte'
import { followEyes } from './lib/eyes'
import { i18n } from './lib/i18n.svelte'
import { router } from './lib/router.svelte'
import { settings } from './lib/settings.svelte'
import { socket } from './lib/socket.svelte'
import { listenForGesture } from './lib/sound'

const AGAIN_MS = 2_000

settings.follow()
router.follow()
listenForGesture()
socket.open()
followEyes((looking) => socket.look(looking))
addEventListener('online', () => socket.hurry())
addEventListener('languagechange', () => void i18n.start().catch(() => 0)) // until somebody chooses, the browser does
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') socket.hurry()
})

// After an update of the site the parts that an open page still lacks are gone under their old names: begin afresh, but
// not again and again.
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('whodunit.reloaded'))
  if (Date.now() - last < 10_000) return
  event.preventDefault()
  sessionStorage.setItem('whodunit.reloaded', String(Date.now()))
  afresh.begins = true
  location.reload()
})

// For the page that says what is wrong when none can be had. Some browsers refuse; nothing else depends on it.
if (import.meta.env.PROD)
  addEventListener('load', () => void navigator.serviceWorker?.register('/sw.js').catch(() => 0))

/** Without words there is nothing to show; the sign in the page waits until they have come. */
async function words(): Promise<void> {
  for (;;) {
    try {
      return await i18n.start()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}

await words()
mount(App, { target: document.body })
document.getElementById('waiting')?.remove()
