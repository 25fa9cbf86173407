import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { probes } from '../api/probes.ts'
import { serveStatus } from '../api/serve-status.ts'
import type { Running, ServeOptions } from '../cli/app.ts'
import type { Settings } from '../config/schema.ts'
import { type Nats, natsOptions, openNats } from '../core/pollers/remote/link/connection.ts'
import { encodeContact } from '../core/pollers/remote/link/contact-codec.ts'
import { outboxMetrics } from '../core/pollers/remote/link/metrics.ts'
import { natsUpstream } from '../core/pollers/remote/link/nats-upstream.ts'
import { createOutbox, type Outbox } from '../core/pollers/remote/link/outbox.ts'
import { type SiteAnswer, type SiteRequest, serveSite } from '../core/pollers/remote/link/requests.ts'
import { createSeal } from '../core/pollers/remote/link/seal.ts'
import { nextEpoch, pollerKey } from '../core/pollers/remote/link/site-folder.ts'
import type { SiteWork } from '../core/pollers/remote/link/site-load.ts'
import { followPlans, type SitePlans } from '../core/pollers/remote/link/site-plans.ts'
import { nameProblem, sharedSecret } from '../lib/site-keys.ts'
import { installDefinitions } from '../librenms/packed.ts'
import { definitionsFolder } from '../librenms/store.ts'
import { watchDescriptors } from '../observe/descriptors.ts'
import { formatMetrics, METRICS_TYPE } from '../observe/metrics.ts'
import { pollerMetrics } from '../poller/metrics.ts'
import { createPoller, type Poller } from '../poller/poller.ts'
import { startPool } from '../poller/start-pool.ts'
import { tryLock } from '../postgres/lock.ts'
import { requireFreeAddress } from './address.ts'
import { ServingError } from './errors.ts'
import { Stack } from './stack.ts'
import { certificateOf } from './tls.ts'

/** What runs after the site's NATS server has been reached. */
interface Parts {
  readonly nats: Nats
  readonly outbox: Outbox
  readonly plans: SitePlans
  readonly poller: Poller
}

/** Time allowed for finishing polls and delivering their results when the poller stops. */
const POLLER_GRACE_MS = 4000
const OUTBOX_GRACE_MS = 2000

/**
 * A poller without a database, for a site that cannot reach it. Devices and settings come from the NATS server of the
 * site, results go into a stream there, and it listens only for health probes and metrics. If a part fails to start,
 * those already started are stopped.
 */
export async function composeRemotePoller(options: ServeOptions): Promise<Running> {
  const stack = new Stack(options.log)
  try {
    return await start(options, stack)
  } catch (error) {
    await stack.unwind()
    throw error
  }
}

async function start({ settings, dataDir, log, version }: ServeOptions, stack: Stack): Promise<Running> {
  const name = settings.get('poller.name') || hostname()
  const wrong = nameProblem(name)
  if (wrong !== null) throw new ServingError(`poller.name: the name of a remote poller ${wrong}`)
  const upstream = settings.get('poller.centre_key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const key = sentence(() => pollerKey(dataDir))
  if (upstream === '')
    throw new ServingError(
      `poller.centre_key is not set: run \`portlight remote-poller add ${name} --key ${key.publicText} --group GROUP\` at the centre, which prints it`,
    )
  const at = { hostname: settings.get('listen'), port: settings.get('port') }
  await requireFreeAddress(at.hostname, at.port)
  const lock = tryLock(join(dataDir, 'poller.lock'), 'exclusive')
  if (lock === null) throw new ServingError(`another remote poller uses the folder ${dataDir}`)
  stack.push('folder', () => lock.release())
  const seal = sentence(() => createSeal(sharedSecret(key, upstream), name))
  const servers = sentence(() => natsOptions(settings, `portlight poller ${name}`))
  const epoch = nextEpoch(dataDir)
  const pollerLog = log.child({ component: 'poller' })
  const pool = startPool(settings, pollerLog)
  stack.push('workers', () => pool.stop(0))

  const closing = new AbortController()
  let parts: Parts | null = null
  const siteLog = log.child({ component: 'site' })
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => undefined)

  /** Starts everything that needs the site's NATS server, which may become reachable later than this process. */
  async function connectSite(): Promise<void> {
    const nats = await openNats(servers, siteLog, closing.signal)
    if (nats === null) return
    const domain = settings.get('nats.domain')
    const outbox = createOutbox({
      connection: nats.connection,
      poller: name,
      domain,
      seal,
      epoch,
      maxOctets: settings.get('nats.stream_mb') * 1024 * 1024,
      log: siteLog,
    })
    const applySettings = (): void => {
      for (const problem of settings.applyStored(plans.settings() ?? new Map()).problems)
        log.warn({ setting: problem.name, reason: problem.message }, 'setting from the centre ignored')
    }
    const plans = followPlans({
      nats,
      poller: name,
      domain,
      seal,
      log: siteLog,
      changed: (deviceId) => parts?.poller.refresh(deviceId),
      settingsChanged: applySettings,
      definitions(bundle) {
        installDefinitions(definitionsFolder(dataDir), bundle)
        siteLog.info({ definitions: bundle?.id ?? 'none' }, 'definitions received from the centre')
      },
    })
    const poller = createPoller({
      upstream: natsUpstream(plans, outbox),
      settings,
      log: pollerLog,
      pool,
      definitions: definitionsFolder(dataDir),
    })
    parts = { nats, outbox, plans, poller }
    await Promise.race([plans.loaded, aborted(closing.signal)])
    if (closing.signal.aborted) return
    applySettings()
    await poller.start()
    const requests = serveSite({
      connection: nats.connection,
      seal,
      poller: name,
      log: siteLog,
      answer: (request) => answer(request, { poller, outbox, epoch, version, settings }),
    })
    closing.signal.addEventListener('abort', () => requests.stop(), { once: true })
  }

  const joining = connectSite()
  joining.catch((error: unknown) => failure.reject(error))
  stack.push('poller', async () => {
    closing.abort()
    if (parts === null) return
    parts.plans.stop()
    await parts.poller.stop(POLLER_GRACE_MS)
    await parts.outbox.stop(OUTBOX_GRACE_MS)
    await parts.nats.close()
  })

  const check = (): Promise<readonly string[]> => {
    if (parts === null) return Promise.resolve(['No NATS server is connected.'])
    const { nats, outbox, poller } = parts
    return Promise.resolve([
      ...(nats.up() ? [] : ['No NATS server is connected.']),
      ...(outbox.stats().up ? [] : ["The site's stream does not accept results."]),
      ...(poller.isRunning() ? [] : ['Polling is not running.']),
    ])
  }
  const metrics = (): Response => {
    const lines =
      parts === null
        ? []
        : [
            ...pollerMetrics(parts.poller.stats()),
            ...outboxMetrics(parts.outbox.stats(), {
              refusedEntries: parts.plans.refused(),
              connected: parts.nats.up(),
            }),
          ]
    return new Response(formatMetrics(lines), { headers: { 'Content-Type': METRICS_TYPE } })
  }
  const certificate = certificateOf(settings)
  const missing = () => new Response('Not found\n', { status: 404 })
  const server = serveStatus(at, { ...probes(check), '/metrics': metrics }, certificate, missing)
  stack.push('probes', () => server.stop())
  const descriptors = watchDescriptors(server, log)
  stack.push('descriptors', () => descriptors.stop())
  const place = at.hostname.includes(':') ? `[${at.hostname}]` : at.hostname
  const url = `${certificate === null ? 'http' : 'https'}://${place}:${server.port}`
  log.info({ poller: name, key: key.publicText, url }, 'remote poller')
  return {
    url,
    name,
    roles: ['remote-poller'],
    adminPassword: null,
    initialRules: [],
    demo: null,
    failure: failure.promise,
    stop: () => stack.unwind(),
    hurry: () => closing.abort(),
  }
}

async function answer(
  request: SiteRequest,
  {
    poller,
    outbox,
    epoch,
    version,
    settings,
  }: {
    readonly poller: Poller
    readonly outbox: Outbox
    readonly epoch: number
    readonly version: string
    readonly settings: Settings
  },
): Promise<SiteAnswer> {
  if (request.verb === 'contact') {
    const contact = await poller.tryOwn(request.deviceId)
    return contact === null ? { error: 'the poller does not have the device' } : { contact: encodeContact(contact) }
  }
  if (request.verb !== 'status') {
    const summary = await poller[request.verb](request.deviceId)
    return { run: { summary, after: { epoch, sequence: outbox.stats().sequence } } }
  }
  const { polls, runs, pool, writer } = poller.stats()
  const work: SiteWork = {
    polls: runs.polls,
    seconds: runs.tookS,
    due: polls.waiting,
    lagMs: Math.round(polls.lagMs),
    workers: pool.workers,
    intervalS: settings.get('poller.interval'),
  }
  const { published, refused } = outbox.stats()
  return {
    status: {
      version,
      devices: polls.devices,
      late: polls.late,
      published,
      refused,
      rows: writer.waiting,
      work,
      at: Date.now(),
    },
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

/** Turns errors in settings and keys into a sentence for the operator. */
function sentence<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new ServingError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
