export type Route =
  | { page: 'front' }
  | { page: 'join'; code: string }
  | { page: 'seat'; key: string }
  | { page: 'table'; table: string; place: string }
  | { page: 'practice'; game: string }
  | { page: 'rules'; game: string; place: string }
  | { page: 'about' }
  | { page: 'duel'; duel: string }
  | { page: 'today'; day: string }
  | { page: 'case'; id: string }
  | { page: 'missing' }

export function parse(path: string, fragment: string): Route {
  const secret = fragment.replace(/^#/, '')
  const table = /^\/t\/([\w-]{1,32})\/?$/.exec(path)?.[1]
  if (table) return { page: 'table', table, place: secret }
  const game = /^\/practice\/([a-z][a-z0-9_]{0,31})\/?$/.exec(path)?.[1]
  if (game) return { page: 'practice', game }
  const ruled = /^\/rules\/([a-z][a-z0-9_]{0,31})\/?$/.exec(path)?.[1]
  if (ruled) return { page: 'rules', game: ruled, place: secret }
  const day = /^\/today\/(\d{4}-\d\d-\d\d)\/?$/.exec(path)?.[1]
  if (day) return { page: 'today', day }
  const id = /^\/case\/([\w.-]{1,64}?)\/?$/.exec(path)?.[1]
  if (id) return { page: 'case', id }
  switch (path.replace(/(?<=.)\/$/, '')) {
    case '/':
      return { page: 'front' }
    case '/join':
      return { page: 'join', code: secret }
    case '/seat':
      return { page: 'seat', key: secret }
    case '/duel':
      return { page: 'duel', duel: secret }
    case '/about':
      return { page: 'about' }
    case '/today':
      return { page: 'today', day: '' }
    default:
      return { page: 'missing' }
  }
}

class Router {
  route = $state.raw<Route>(parse(location.pathname, location.hash))

  /** Follow the browser's history and the links of our own pages; called once, by the page. */
  follow(): void {
    const read = () => (this.route = parse(location.pathname, location.hash))
    addEventListener('popstate', read)
    addEventListener('hashchange', read)
    document.addEventListener('click', (event) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
      const route = parse(link.pathname, link.hash)
      // Downloads and files are the browser's; a fragment on the same page is a jump.
      if (route.page === 'missing' || (link.pathname === location.pathname && link.hash)) return
      event.preventDefault()
      this.go(link.pathname + link.hash)
    })
  }

  go(path: string, { replace = false, still = false } = {}): void {
    if (replace) history.replaceState(null, '', path)
    else history.pushState(null, '', path)
    this.route = parse(location.pathname, location.hash)
    if (!still) scrollTo(0, 0)
  }
}

export const router = new Router()
/** Go to a page; `still`: nothing is scrolled, for it is another moment of the same page. */
export const go = (path: string, options?: { replace?: boolean; still?: boolean }) => router.go(path, options)
