import { loadAssets } from '../assets/assets.ts'
import { useSprite } from '../components/icon.tsx'
import type { Notice, Page, PageRequest } from '../page.ts'
import { opens } from '../permissions.ts'
import { allowingImages, htmlAnswer } from './answer.ts'
import { retryHeader, type Trouble, TroubleBox, triedBy } from './errors.tsx'
import { Layout, type NavLink } from './layout.tsx'
import type { createNavCounts } from './nav-counts.ts'

/** Renders pages and errors inside of the layout, for whoever is signed in. */
export function createRenderer(navigation: readonly NavLink[], countsOf: ReturnType<typeof createNavCounts>) {
  async function frameOf(visit: Pick<PageRequest, 'theme'>, scripts: Page['scripts'] = []) {
    const assets = await loadAssets()
    useSprite(assets.url('icons.svg'))
    return { assets, scripts, theme: visit.theme }
  }

  async function layoutOf(
    visit: PageRequest,
    view: Parameters<typeof Layout>[0]['view'],
    notice: Notice | null,
    scripts?: Page['scripts'],
  ) {
    const nav = navigation.filter((link) => opens(visit, link))
    const [frame, counts] = await Promise.all([frameOf(visit, scripts), countsOf(visit.actor)])
    return Layout({ frame, view, visit, nav, counts, notice })
  }

  /** The page of an error; after a form that cannot be sent again, without the link to try again. */
  async function troubled(request: Request, visit: PageRequest, trouble: Trouble): Promise<Response> {
    const again = trouble.isAgain || request.method === 'GET' ? visit.url.pathname + visit.url.search : null
    const body = TroubleBox({
      trouble,
      tried: triedBy(request),
      again: trouble.status === 404 && trouble.isAgain !== true ? null : again,
    })
    const view = { title: trouble.title, crumbs: [{ label: trouble.title }], body }
    return htmlAnswer(request, await layoutOf(visit, view, null), trouble.status, retryHeader(trouble))
  }

  /** A page, or the answer that it sends instead. */
  async function shown(request: Request, page: Page, visit: PageRequest, notice: Notice | null): Promise<Response> {
    // Icons pick up the address of the sprite as they are rendered, so it must be set before the page is.
    await frameOf(visit)
    const view = await page.show(visit)
    if (view instanceof Response) return view
    const headers = view.images === undefined ? {} : allowingImages(view.images)
    const status = notice?.tone === 'bad' ? 422 : 200
    return htmlAnswer(request, await layoutOf(visit, view, notice, page.scripts), status, headers)
  }

  return { troubled, shown }
}
