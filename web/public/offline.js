const TRIES_MS = 5_000

/** What the pages keep in this browser. */
function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(`whodunit.${key}`) ?? 'null')
  } catch {
    return null
  }
}

function language() {
  const spoken = [...document.querySelectorAll('article')].map(({ lang }) => lang)
  const wanted = [recall('language'), ...navigator.languages].map((tag) => tag?.slice(0, 2).replace(/n[no]/, 'nb'))
  return wanted.find((tag) => spoken.includes(tag)) ?? 'en'
}

function say() {
  const lang = language()
  const why = navigator.onLine ? 'house' : 'device'
  document.documentElement.lang = lang
  for (const article of document.querySelectorAll('article')) article.hidden = article.lang !== lang
  for (const part of document.querySelectorAll('[data-why]')) part.hidden = part.dataset.why !== why
  document.title = `${document.querySelector(`article[lang=${lang}] h1:not([hidden])`).textContent} - Whodunit`
}

async function retry() {
  try {
    if ((await fetch('/health', { cache: 'no-store' })).ok) location.reload()
  } catch {
    // Still nobody there.
  }
}

const theme = recall('theme')
if (theme === 'paper' || theme === 'lamp') document.documentElement.dataset.theme = theme
say()
addEventListener('offline', say)
addEventListener('online', () => {
  say()
  void retry()
})
setInterval(retry, TRIES_MS)
