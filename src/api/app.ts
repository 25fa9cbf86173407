import type { DomainError } from '../core/base/errors.ts'
import type { Services } from '../core/services.ts'
import type { Trace } from '../observe/trace.ts'
import { authentication, type Extras } from './authenticate.ts'
import { DEADLINES, type Deadlines } from './deadline.ts'
import { docsRoutes } from './docs/routes.ts'
import { type AnyElysia, Elysia } from './elysia.ts'
import { openApiDocument } from './openapi/document.ts'
import { hasReadablePath, isUnder, rawPath, V0 } from './path.ts'
import { createRequestTimes } from './request-times.ts'
import { json } from './respond.ts'
import { mountedRoutes, routeIndex } from './route-index.ts'
import { signedGraphRoutes } from './signed-graphs.ts'
import { presentV0Error, unknownRoute } from './v0/present-error.ts'
import { v0Routes } from './v0/routes.ts'
import { presentV1Error, v1NotFound } from './v1/present-error.ts'
import { v1Routes } from './v1/routes.ts'

/** The web pages, built by a higher layer. */
export interface Web {
  readonly routes: AnyElysia
  /** The answer to a request for an unknown path. */
  notFound(request: Request): Response | Promise<Response>
  /** The answer to a request that failed before a page could answer it. Needs no database. */
  failed(request: Request, error: unknown): Response | Promise<Response>
}

/** Both versions of the API, and everything else served on the same port. */
export interface Api {
  readonly routes: AnyElysia['routes']
  fetch(request: Request): Response | Promise<Response>
  /** Compiles all route handlers now rather than on the first request. */
  compile(): void
}

/** Address of the peer of a connection, for limits and trusted proxies; '' if unknown. */
export type PeerOf = (request: Request) => string

/**
 * The HTTP API: v0, v1, `/openapi.json` and the reference pages at `/docs`. Does nothing until its `fetch` is called,
 * by `serve` or by an embedding program, which passes `peerOf` if it knows its clients' addresses. `extras` need no
 * token. `times` records how long requests took (`createRequestTimes`). `web`: the pages; null: the API alone. `trace`
 * records a span for each request; null: none. A request not answered by its deadline gets 503.
 */
export function createApp(
  services: Services,
  peerOf: PeerOf = () => '',
  extras: Extras = {},
  times = createRequestTimes(),
  web: Web | null = null,
  trace: Trace | null = null,
  deadlines: Deadlines = DEADLINES,
): Api {
  let authenticated: ((request: Request) => Response | Promise<Response>) | undefined
  let index: ReadonlyMap<string, string> | undefined
  let document: string | undefined
  let mounted: Api | undefined

  // A separate app, because the bearer token plugin makes Elysia copy all headers of every request the app handles.
  const v1 = new Elysia({ normalize: false })
    .onError(({ error, code, request }) =>
      code === 'NOT_FOUND' ? v1NotFound() : presentV1Error(error, request, services.log),
    )
    .use(v1Routes(services))
  const unknownPath = (request: Request) =>
    isUnder(rawPath(request.url), V0) ? unknownRoute() : (web?.notFound(request) ?? notFound())
  const app = new Elysia({ normalize: false })
    .wrap((next) => {
      // Elysia calls this for every request, always with the same `next`, so one door is enough.
      const late = (r: Request, error: DomainError) =>
        web?.failed(r, error) ?? json({ status: 'error', message: error.message }, 503)
      const known = asFetch(next)
      const ways = {
        // Elysia gives handlers no parameter for an escape that is not UTF-8
        next: (r: Request) => (hasReadablePath(r.url) ? known(r) : unknownPath(r)),
        v1: (r: Request) => v1.fetch(r),
        late,
      }
      authenticated ??= authentication(services, peerOf, extras, times, ways, trace, deadlines)
      return authenticated
    })
    .onError(({ error, code, request }) => {
      if (code !== 'NOT_FOUND') return presentV0Error(error, request, services.log)
      return unknownPath(request)
    })
    .use(v0Routes(services, () => (index ??= routeIndex(mounted ? mountedRoutes(mounted) : []))))
    .use(docsRoutes())
    .use(signedGraphRoutes(services))
    .use(web?.routes ?? new Elysia())
    .get(
      '/openapi.json',
      () => {
        if (mounted) document ??= JSON.stringify(openApiDocument(mounted, services.system.version.version))
        return new Response(document, { headers: { 'Content-Type': 'application/json' } })
      },
      { detail: { hide: true } },
    )
  mounted = {
    get routes() {
      return [...app.routes, ...v1.routes]
    },
    fetch: (request) => app.fetch(request),
    compile() {
      v1.compile()
      app.compile()
    },
  }
  return mounted
}

/** Elysia passes its own `fetch` to a wrapper, but its types do not say so. */
function asFetch(next: unknown) {
  return next as (request: Request) => Response | Promise<Response>
}

const notFound = () => json({ message: 'Not Found' }, 404)
