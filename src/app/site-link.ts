import type { SettingsHolder } from '../config/settings.ts'
import { type Nats, type natsOptions, openNats } from '../core/pollers/remote/link/connection.ts'
import { encodeContact } from '../core/pollers/remote/link/contact-codec.ts'
import { outboxMetrics } from '../core/pollers/remote/link/metrics.ts'
import { natsUpstream } from '../core/pollers/remote/link/nats-upstream.ts'
import { createOutbox, type Outbox } from '../core/pollers/remote/link/outbox.ts'
import { type SiteAnswer, type SiteRequest, serveSite } from '../core/pollers/remote/link/requests.ts'
import type { Seal } from '../core/pollers/remote/link/seal.ts'
import type { SiteWork } from '../core/pollers/remote/link/site-load.ts'
import { followPlans, type SitePlans } from '../core/pollers/remote/link/site-plans.ts'
import { createTopic } from '../lib/topic.ts'
import { installDefinitions } from '../librenms/definition-archive.ts'
import { definitionsFolder } from '../librenms/store.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'
import { pollerMetrics } from '../poller/metrics.ts'
import { createPoller, type Poller } from '../poller/poller.ts'
import type { Pool } from '../poller/pool.ts'
import { createScanner, type Scanner } from '../scanner/scanner.ts'
import { type ServedScans, serveScans } from '../scanner/sites/serve-scans.ts'
import { placeHere } from './place.ts'
import { aborted } from './stack.ts'

export interface SiteLinkDeps {
  readonly settings: SettingsHolder
  readonly dataDir: string
  readonly log: Log
  readonly version: string
  /** Name of this remote poller. */
  readonly name: string
  readonly seal: Seal
  readonly servers: ReturnType<typeof natsOptions>
  /** Number of this start of the poller. */
  readonly epoch: number
  readonly pool: Pool
  /** Aborted when the process stops. */
  readonly closing: AbortSignal
}

/** Everything that needs the site's NATS server, which may become reachable later than this process. */
export interface SiteLink {
  /** Rejects when a part of it cannot work. */
  readonly failure: Promise<never>
  /** A sentence for each part that does not work. */
  problems(): readonly string[]
  /** Empty until the NATS server has been reached. */
  metrics(): readonly Metric[]
  /** Call after `closing` was aborted. */
  stop(): Promise<void>
}

/** What runs after the site's NATS server has been reached. */
interface Parts {
  readonly nats: Nats
  readonly outbox: Outbox
  readonly plans: SitePlans
  readonly poller: Poller
  readonly scanner: Scanner
  readonly scans: ServedScans
}

/** Time allowed for finishing polls and delivering their results when the poller stops. */
const POLLER_GRACE_MS = 4000
const OUTBOX_GRACE_MS = 2000

/** Connects to the site's NATS server in the background, and polls the devices that the centre has put there. */
export function linkSite(deps: SiteLinkDeps): SiteLink {
  const { closing } = deps
  let parts: Parts | null = null
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => undefined)

  async function connect(): Promise<void> {
    const nats = await openNats(deps.servers, deps.log.child({ component: 'site' }), closing)
    if (nats === null) return
    parts = prepare(deps, nats)
    await begin(deps, parts)
  }
  connect().catch((error: unknown) => failure.reject(error))

  return {
    failure: failure.promise,
    problems() {
      if (parts === null) return ['No NATS server is connected.']
      const { nats, outbox, poller } = parts
      return [
        ...(nats.up() ? [] : ['No NATS server is connected.']),
        ...(outbox.stats().up ? [] : ["The site's stream does not accept results."]),
        ...(poller.isRunning() ? [] : ['Polling is not running.']),
      ]
    },
    metrics() {
      if (parts === null) return []
      const { nats, outbox, plans, poller } = parts
      return [
        ...pollerMetrics(poller.stats()),
        ...outboxMetrics(outbox.stats(), { refusedEntries: plans.refused(), connected: nats.up() }),
      ]
    },
    async stop() {
      if (parts === null) return
      parts.plans.stop()
      parts.scans.stop()
      parts.scanner.close()
      await parts.poller.stop(POLLER_GRACE_MS)
      await parts.outbox.stop(OUTBOX_GRACE_MS)
      await parts.nats.close()
    },
  }
}

function prepare({ settings, dataDir, log, name, seal, epoch, pool }: SiteLinkDeps, nats: Nats): Parts {
  const siteLog = log.child({ component: 'site' })
  const domain = settings.get('nats.domain')
  const outbox = createOutbox({
    ...{ connection: nats.connection, poller: name, domain, seal, epoch, log: siteLog },
    maxOctets: settings.get('nats.stream_mb') * 1024 * 1024,
  })
  const changed = createTopic<[deviceId: number]>()
  const settingsChanged = createTopic<[]>()
  const plans = followPlans({
    ...{ nats, poller: name, domain, seal, log: siteLog },
    changed: changed.tell,
    settingsChanged: settingsChanged.tell,
    definitions(bundle) {
      installDefinitions(definitionsFolder(dataDir), bundle)
      siteLog.info({ definitions: bundle?.id ?? 'none' }, 'definitions received from the centre')
    },
  })
  settingsChanged.follow(() => applySettings(settings, plans, log))
  const poller = createPoller({
    ...{ settings, pool, upstream: natsUpstream(plans, outbox), definitions: definitionsFolder(dataDir) },
    log: log.child({ component: 'poller' }),
  })
  changed.follow(poller.refresh)
  const scanLog = log.child({ component: 'scans' })
  const scanner = createScanner({ settings, log: scanLog })
  return { nats, outbox, plans, poller, scanner, scans: serveScans({ scanner, log: scanLog }) }
}

/** Polls once the plans have arrived, and answers the centre. */
async function begin(deps: SiteLinkDeps, { nats, outbox, plans, poller, scans }: Parts): Promise<void> {
  const { settings, log, name, seal, closing } = deps
  await Promise.race([plans.loaded, aborted(closing)])
  if (closing.aborted) return
  applySettings(settings, plans, log)
  await poller.start()
  const requests = serveSite({
    ...{ connection: nats.connection, seal, poller: name, log: log.child({ component: 'site' }) },
    answer: (request) => answer(request, { ...deps, poller, outbox, scans }),
  })
  closing.addEventListener('abort', () => requests.stop(), { once: true })
}

function applySettings(settings: SettingsHolder, plans: SitePlans, log: Log): void {
  for (const problem of settings.applyStored(plans.settings() ?? new Map()).problems)
    log.warn({ setting: problem.name, reason: problem.message }, 'setting from the centre ignored')
}

async function answer(
  request: SiteRequest,
  {
    poller,
    outbox,
    scans,
    epoch,
    version,
    settings,
  }: Pick<Parts, 'poller' | 'outbox' | 'scans'> & Pick<SiteLinkDeps, 'epoch' | 'version' | 'settings'>,
): Promise<SiteAnswer> {
  if (request.verb === 'scan') return await scans.answer(request.packed)
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
      scans: true,
      place: placeHere(),
      at: Date.now(),
    },
  }
}
