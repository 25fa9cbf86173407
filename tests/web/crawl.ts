/** Pages that were reached by links, with their HTML. */
export type Crawled = ReadonlyMap<string, string>

/** At most so many pages of a kind, which differ in an id or the values of a query. */
const OF_A_KIND = 3
const MOST = 600

/** Follows the links of pages from `start` on, except to the help, files and the API. */
export async function crawl(start: readonly string[], get: (path: string) => Promise<Response>): Promise<Crawled> {
  const pages = new Map<string, string>()
  const kinds = new Map<string, number>()
  const waiting = [...start]
  const seen = new Set(start)
  for (let path = waiting.shift(); path !== undefined && pages.size < MOST; path = waiting.shift()) {
    const answer = await get(path)
    const html = await answer.text()
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) continue
    pages.set(`${path} ${answer.status}`, html)
    for (const [, link = ''] of html.matchAll(/<a [^>]*href="(\/[^"#]*)/g)) {
      const to = link.replaceAll('&amp;', '&')
      if (seen.has(to) || /^\/(?:api\/|help|docs|graph\/|\/)|format=csv|sign-out|\.(?:png|svg|json)$/.test(to)) continue
      seen.add(to)
      const kind = kindOf(to)
      const n = kinds.get(kind) ?? 0
      kinds.set(kind, n + 1)
      if (n < OF_A_KIND) waiting.push(to)
    }
  }
  return pages
}

const kindOf = (path: string): string => {
  const [own = '', query = ''] = path.split('?')
  const names = [...new URLSearchParams(query).keys()].join()
  return `${own.replaceAll(/\/(?:\d+|[a-z]+-\d+|[0-9a-f]{12})(?=\/|$)/g, '/:id')}?${names}`
}
