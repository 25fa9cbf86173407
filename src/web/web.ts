import { clientOfRequest, isOwnOrigin, sessionSecret } from '../api/client-of-request.ts'
import { type AnyElysia, Elysia } from '../api/elysia.ts'
import type { Services } from '../core/services.ts'
import { loadAssets } from './assets/assets.ts'
import { bookmarkOf } from './bookmarks.ts'
import { calendarRoutes } from './calendars.ts'
import { graphRoutes } from './graphs.ts'
import { helpImageRoutes } from './help/images.ts'
import { installRoutes } from './install.ts'
import { type Page, type PageRequest, redirect } from './page.ts'
import { PAGES } from './pages.ts'
import { opens } from './permissions.ts'
import { ackLinkRoutes } from './shell/ack-link.tsx'
import { NOT_FOUND, type Trouble, troubleOf } from './shell/errors.tsx'
import { readFormUpTo, TOO_LARGE } from './shell/form.ts'
import type { NavLink } from './shell/layout.tsx'
import { createNavCounts, NEW_MS } from './shell/nav-counts.ts'
import { createRenderer } from './shell/render.ts'
import { createSessionGate } from './shell/session-gate.tsx'

/** The pages: their routes, and the answer to a request for an unknown path. */
export interface WebPages {
  readonly routes: AnyElysia
  notFound(request: Request): Response | Promise<Response>
  /** The answer to a request that failed before a page could answer it. Needs no database. */
  failed(request: Request, error: unknown): Promise<Response>
}

const NAV: readonly NavLink[] = PAGES.flatMap(({ nav, path, gate, also }) =>
  nav === undefined ? [] : [{ ...nav, path, gate, also }],
).sort((a, b) => a.order - b.order)

/** The web interface to the services. Does nothing until a request arrives. */
export function createWeb(services: Services): WebPages {
  const { log } = services
  const gate = createSessionGate(services)
  const countsOf = createNavCounts(services)
  const { troubled, shown } = createRenderer(NAV, countsOf)

  /** Runs `work` for a signed-in user; anyone else is sent to the sign-in page. */
  async function entered(
    request: Request,
    params: Readonly<Record<string, string>>,
    work: (visit: PageRequest) => Promise<Response>,
  ): Promise<Response> {
    try {
      const entry = await gate.enter(request)
      if (entry instanceof Response) return entry
      const visit: PageRequest = { ...entry.visit, services, params, sent: null, streams: takesLines(request) }
      const answer = await work(visit).catch((error: unknown) =>
        troubled(request, visit, troubleOf(error, request, log)),
      )
      if (entry.setCookie !== null) answer.headers.append('Set-Cookie', entry.setCookie)
      return answer
    } catch (error) {
      return gate.broken(request, troubleOf(error, request, log))
    }
  }

  const open = (page: Page) => (request: Request, params: Readonly<Record<string, string>>) => {
    // LibreNMS's `/device/device=7` also matches `/device/:id`.
    const old = Object.values(params).some((value) => value.includes('=')) ? bookmarkOf(new URL(request.url)) : null
    if (old !== null) return Promise.resolve(redirect(old, 302))
    return entered(request, params, (visit) =>
      // the account page is the user's own: it sets up second factors
      visit.viewer !== null && page.path === '/account'
        ? troubled(request, visit, READ_ONLY)
        : opens(visit, page)
          ? shown(request, page, visit, null)
          : troubled(request, visit, NOT_FOUND),
    )
  }

  const act = (page: Page) => (request: Request, params: Readonly<Record<string, string>>) =>
    entered(request, params, async (visit) => {
      if (visit.viewer !== null) return await troubled(request, visit, READ_ONLY)
      if (!opens(visit, page)) return await troubled(request, visit, NOT_FOUND)
      const form = await readFormUpTo(request, page.formOctets)
      if (form === TOO_LARGE) return await troubled(request, visit, LARGE_FORM)
      if (form === null || !isOwnOrigin(request) || form.get('csrf') !== visit.session.csrf) {
        return await troubled(request, visit, FORGED)
      }
      const name = form.get('do') ?? ''
      const action = Object.hasOwn(page.actions ?? {}, name) ? page.actions?.[name] : undefined
      if (action === undefined) return await troubled(request, visit, UNKNOWN_FORM)
      try {
        const outcome = await action(visit, form)
        if (outcome instanceof Response) return outcome
        if ('to' in outcome) return redirect(outcome.to)
        return await shown(request, page, { ...visit, sent: form }, outcome.notice)
      } catch (error) {
        const trouble = troubleOf(error, request, log)
        if (trouble.status !== 400) throw error
        return await shown(request, page, { ...visit, sent: form }, { tone: 'bad', text: trouble.text })
      }
    })

  let routes: AnyElysia = new Elysia({ name: 'web', detail: { hide: true } })
  for (const page of PAGES) {
    const show = open(page)
    routes = routes.get(page.path, ({ request, params }) => show(request, { ...params }))
    if (page.actions !== undefined) {
      const change = act(page)
      routes = routes.post(page.path, ({ request, params }) => change(request, { ...params }), { parse: 'none' })
    }
  }
  routes = routes
    .get(
      '/assets/:file',
      async ({ request, params }) =>
        (await loadAssets()).serve(params.file, request) ?? new Response('Not Found', { status: 404 }),
    )
    .get('/nav-counts', ({ request }) =>
      entered(request, {}, async ({ actor }) =>
        Response.json(await countsOf(actor, NEW_MS), { headers: { 'Cache-Control': 'private, no-store' } }),
      ),
    )
    .use(installRoutes)
    .use(helpImageRoutes)
    .use(gate.routes)
    .use(ackLinkRoutes(services))
    .use(calendarRoutes(services))
    .use(graphRoutes(entered))

  return {
    routes,
    notFound(request) {
      const url = new URL(request.url)
      if (request.method !== 'GET' || !/\btext\/html\b/.test(request.headers.get('accept') ?? '')) return MISSING()
      const to = bookmarkOf(url)
      if (to !== null) return redirect(to, 302)
      if (sessionSecret(request) === '' && !clientOfRequest(request).proxied) return MISSING()
      return entered(request, {}, (visit) => troubled(request, visit, NOT_FOUND))
    },
    failed: (request, error) => gate.broken(request, troubleOf(error, request, log)),
  }
}

const takesLines = (request: Request) => (request.headers.get('accept') ?? '').includes('application/x-ndjson')

const MISSING = () =>
  new Response('{"message":"Not Found"}', { status: 404, headers: { 'Content-Type': 'application/json' } })

const READ_ONLY: Trouble = {
  status: 403,
  title: 'You are viewing the pages as another user',
  text: 'Nothing can be changed meanwhile, and the account is not shown. Stop viewing first.',
  retryAfterS: null,
  reference: null,
  isAgain: false,
}

const UNKNOWN_FORM: Trouble = {
  status: 404,
  title: 'This form is not known',
  text: 'The page has no such form; it may be of another version. Nothing was changed. Reload the page and try again.',
  retryAfterS: null,
  reference: null,
  isAgain: true,
}

const LARGE_FORM: Trouble = {
  status: 413,
  title: 'This form is too large',
  text: 'It has more entries or text than the page accepts. Nothing was changed. Go back and shorten it, or use the API.',
  retryAfterS: null,
  reference: null,
  isAgain: true,
}

const FORGED: Trouble = {
  status: 403,
  title: 'This form is out of date',
  text: 'It belongs to another session or was sent from another site. Nothing was changed. Reload the page and try again.',
  retryAfterS: null,
  reference: null,
  isAgain: true,
}
