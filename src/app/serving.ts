import type { Extras } from '../api/authenticate.ts'
import type { Certificate } from '../api/certificate.ts'
import { createRequestTimes } from '../api/request-times.ts'
import type { Settings } from '../config/schema.ts'
import type { Store } from '../core/database/client.ts'
import type { Services } from '../core/services.ts'
import { watchDescriptors } from '../observe/descriptors.ts'
import type { Log } from '../observe/log.ts'
import type { Trace } from '../observe/trace.ts'
import { followLive } from './live.ts'
import type { MetricsPage } from './metrics-page.ts'
import type { Stack } from './stack.ts'
import { followCertificate } from './tls.ts'

export interface ServingDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly services: Services
  readonly at: { readonly hostname: string; readonly port: number }
  /** Probes and metrics. */
  readonly extras: Extras
  /** Null: plain HTTP. */
  readonly certificate: Certificate | null
  readonly trace: Trace | null
  readonly metrics: MetricsPage
  /** Aborted when a stop must not wait for requests in progress. */
  readonly hurry: AbortSignal
  /** Nobody is answered before this resolves, except by `extras`. */
  readonly opening: Promise<void>
}

type Loaded = Awaited<ReturnType<typeof loadServing>>

/** Time allowed for requests in progress when the server stops. */
const GRACE_MS = 4000

/** Loads the code of the API and the pages: a third of the CPU time of a start. */
export async function loadServing() {
  const [{ serveApi }, { createWeb }, { serveStatus }] = await Promise.all([
    import('../api/serve.ts'),
    import('../web/web.ts'),
    import('../api/serve-status.ts'),
  ])
  return { serveApi, createWeb, serveStatus }
}

/** Serves the API and the pages. Returns the address. Throws if it is in use. */
export function serveEverything({ serveApi, createWeb }: Loaded, o: ServingDeps, stack: Stack): string {
  const { store, settings, log, services, at, extras, certificate, trace, metrics, hurry, opening } = o
  const times = createRequestTimes()
  const api = serveApi(services, at, extras, times, createWeb(services), certificate, trace, opening)
  metrics.add(services.live, times, stack.add('descriptors', watchDescriptors(api, log)))
  stack.push('api', async () => {
    const dropped = await api.drain(GRACE_MS, hurry)
    if (dropped > 0) log.warn({ requests: dropped }, 'requests aborted because they took too long')
  })
  if (certificate !== null) metrics.add(stack.add('certificate', followCertificate(certificate, api, settings, log)))
  // stopped before the API, which waits for the streams to end
  stack.add('live events', followLive(store, services.live, log))
  return addressOf(api, certificate)
}

/** Serves probes and metrics only, for a process without the API. Returns the address. Throws if it is in use. */
export function serveProbes({ serveStatus }: Loaded, o: ServingDeps, stack: Stack): string {
  const server = serveStatus(o.at, o.extras, o.certificate)
  o.metrics.add(stack.add('descriptors', watchDescriptors(server, o.log)))
  stack.add('status', server)
  return addressOf(server, o.certificate)
}

/** Where a server answers, for example `http://127.0.0.1:8000`. */
export function addressOf(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  certificate: Certificate | null,
): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  return `${certificate === null ? 'http' : 'https'}://${host}:${port}`
}
