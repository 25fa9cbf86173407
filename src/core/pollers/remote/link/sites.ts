import type { Settings } from '../../../../config/schema.ts'
import { type SiteKey, sharedSecret } from '../../../../lib/site-keys.ts'
import type { Log } from '../../../../observe/log.ts'
import type { Metric } from '../../../../observe/metrics.ts'
import type { DevicePoll } from '../../../../series/samples.ts'
import type { ContactElsewhere, RunSummary } from '../../../base/gateway.ts'
import type { Store } from '../../../database/client.ts'
import { type Listening, listen } from '../../../database/listen.ts'
import type { EventBudget } from '../../../discovery/event-budget.ts'
import { listRemotePollers, type RemotePollerRow, remotePollerOf, type SiteLoad } from '../read.ts'
import { SITES_CHANNEL, writeRemoteReport } from '../write.ts'
import { centreKey } from '../write-upstream-key.ts'
import { type Nats, natsOptions, openNats, reasonOf } from './connection.ts'
import { decodeContact } from './contact-codec.ts'
import type { DefinitionsBundle } from './definitions.ts'
import { type SiteView, siteMetrics } from './metrics.ts'
import { createPlanPublisher, type PlanPublisher } from './plan-publisher.ts'
import { askSite, type SiteStatus } from './requests.ts'
import { createSeal, type Seal } from './seal.ts'
import { sentSettings } from './sent-settings.ts'
import { loadBetween, type SiteWork, statusOf, workOf } from './site-load.ts'
import { createSiteReader, type SiteReader, type StreamState } from './site-reader.ts'

export interface SitesOptions {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Definitions added at the centre; null: none. */
  readonly definitions: () => DefinitionsBundle | null
  /** Limits the events of changes on devices. */
  readonly budget: EventBudget
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
  readonly polled: (polls: readonly DevicePoll[]) => void
}

/** The centre's side of all remote pollers. */
export interface Sites {
  /** Polls or discovers a device at its site; null: no remote poller polls it. */
  run(verb: 'poll' | 'discover', deviceId: number): Promise<RunSummary | null>
  /** Contacts a device from its site; null: no remote poller polls it. Throws StoreError. */
  contact(deviceId: number): Promise<ContactElsewhere | null>
  /** Call when the device's record has changed. */
  refresh(deviceId: number): void
  metrics(): Metric[]
  stop(): Promise<void>
}

interface Site {
  readonly row: RemotePollerRow
  readonly seal: Seal
  readonly reader: SiteReader
  readonly publisher: PlanPublisher
  stream: StreamState | null
  status: SiteStatus | null
  /** Its work up to its last answer, and the load per minute that follows from it. */
  work: { readonly at: number; readonly work: SiteWork } | null
  load: SiteLoad | null
}

const REPORT_MS = 15_000
const ANSWER_MS = 5000
/** How long contacting a device from its site may take, ms. */
const CONTACT_MS = 30_000
/** How long a run at a site may take beyond its own deadline until its results are stored, ms. */
const GRACE_MS = 30_000

/** Connects to NATS in the background, and serves the remote pollers in the database. Throws NatsSettingsError. */
export function startSites(o: SitesOptions): Sites {
  const { store, settings, log } = o
  const options = natsOptions(settings, 'portlight centre')
  const closing = new AbortController()
  const sites = new Map<number, Site>()
  let nats: Nats | null = null
  let key: SiteKey | null = null
  let listening: Listening | null = null
  let turns: Promise<void> = Promise.resolve()
  const unfollow = settings.onChange(() => {
    for (const { publisher } of sites.values()) publisher.refreshAll()
  })

  async function start(): Promise<void> {
    nats = await openNats(options, log, closing.signal)
    if (nats === null) return
    nats.onReconnect(() => {
      for (const { publisher } of sites.values()) publisher.refreshAll()
    })
    const look = (): void => {
      turns = turns
        .then(reconcile)
        .catch((error: unknown) => log.error({ reason: reasonOf(error) }, 'cannot read the remote pollers'))
    }
    listening = listen(store, SITES_CHANNEL, look, look, log)
  }

  /** Opens and closes sites so that they match the database. */
  async function reconcile(): Promise<void> {
    if (nats === null || closing.signal.aborted) return
    key ??= await centreKey(store)
    const rows = new Map((await listRemotePollers(store)).map((row) => [row.id, row]))
    for (const [id, site] of sites) {
      if (rows.has(id)) continue
      sites.delete(id)
      await close(site)
    }
    for (const [id, row] of rows) {
      if (sites.has(id)) continue
      try {
        sites.set(id, open(nats, key, row))
      } catch (error) {
        log.error({ poller: row.name, reason: reasonOf(error) }, 'cannot serve a remote poller')
      }
    }
  }

  function open(on: Nats, own: SiteKey, row: RemotePollerRow): Site {
    const seal = createSeal(sharedSecret(own, row.public_key), row.name)
    const publisher = createPlanPublisher({
      nats: on,
      store,
      poller: row,
      seal,
      log,
      settings: () => sentSettings(settings),
      definitions: o.definitions,
    })
    const reader = createSiteReader({
      nats: on,
      store,
      poller: row,
      seal,
      log,
      budget: o.budget,
      considerMaintenance: () => settings.get('graphing.availability_consider_maintenance'),
      written(deviceIds, what) {
        if (what.includes('discovered')) for (const id of deviceIds) publisher.refresh(id)
        o.written(deviceIds, what)
      },
      polled: o.polled,
    })
    log.info({ poller: row.name, group: row.group_name, devices: row.devices }, 'serving remote poller')
    return { row, seal, publisher, reader, stream: null, status: null, work: null, load: null }
  }

  async function close({ reader, publisher }: Site): Promise<void> {
    await Promise.all([reader.stop(), publisher.stop()])
  }

  function lagOf({ reader, stream, row }: Site): number {
    if (stream !== null) return stream.lagS
    const last = reader.stats().storedAt ?? row.measured_at?.getTime() ?? null
    return last === null ? 0 : (Date.now() - last) / 1000
  }

  /** Stores the state of each poller and its stream. */
  async function report(): Promise<void> {
    await Promise.all(
      [...sites.values()].map(async (site) => {
        if (nats === null) return
        const [stream, answer] = await Promise.all([
          site.reader.stream(),
          askSite(nats.connection, site.seal, site.row.name, { verb: 'status' }, ANSWER_MS).catch(() => null),
        ])
        site.stream = stream
        const before = site.status
        site.status = answer !== null && 'status' in answer ? statusOf(answer.status) : null
        const work = workOf(site.status?.work)
        const now = work === null ? null : { at: Date.now(), work }
        site.load = now === null ? null : loadBetween(site.work, now)
        site.work = now
        const shown = site.status ?? before
        await writeRemoteReport(store, site.row.id, {
          version: shown?.version ?? '',
          answers: site.status !== null,
          devices: shown?.devices ?? 0,
          late: shown?.late ?? 0,
          refused: shown?.refused ?? 0,
          rows: shown?.rows ?? 0,
          load: site.load,
          waiting: stream?.messages ?? 0,
          waitingOctets: stream?.octets ?? 0,
          lagS: lagOf(site),
        })
      }),
    )
  }

  let reporting = false
  const timer = setInterval(() => {
    if (reporting) return
    reporting = true
    report()
      .catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'could not store the state of remote pollers'))
      .finally(() => {
        reporting = false
      })
  }, REPORT_MS)

  /** Runs at the device's site; null: it has none. */
  async function runAt(verb: 'poll' | 'discover', deviceId: number): Promise<RunSummary | null> {
    const name = await remotePollerOf(store, deviceId)
    if (name === null) return null
    const site = [...sites.values()].find(({ row }) => row.name === name)
    if (site === undefined || nats === null) return failed(`the remote poller ${name} is not connected`)
    const seconds = settings.get(verb === 'discover' ? 'discovery.deadline' : 'poller.interval')
    const deadline = Date.now() + seconds * 1000 + GRACE_MS
    try {
      const answer = await askSite(nats.connection, site.seal, name, { verb, deviceId }, deadline - Date.now())
      if (!('run' in answer))
        return failed('error' in answer ? answer.error : 'the remote poller gave an unexpected answer')
      const stored = await site.reader.reached(answer.run.after, Math.max(0, deadline - Date.now()))
      if (!stored) log.warn({ poller: name, deviceId }, 'the results of a run have not arrived yet')
      return answer.run.summary
    } catch (error) {
      return failed(reasonOf(error))
    }
  }

  async function contactAt(deviceId: number): Promise<ContactElsewhere | null> {
    const by = await remotePollerOf(store, deviceId)
    if (by === null) return null
    const site = [...sites.values()].find(({ row }) => row.name === by)
    if (site === undefined || nats === null) return { by, result: 'it is not connected' }
    try {
      const answer = await askSite(nats.connection, site.seal, by, { verb: 'contact', deviceId }, CONTACT_MS)
      if ('error' in answer) return { by, result: answer.error }
      return {
        by,
        result: ('contact' in answer ? decodeContact(answer.contact) : null) ?? 'it gave an unexpected answer',
      }
    } catch (error) {
      return { by, result: reasonOf(error) }
    }
  }

  void start().catch((error: unknown) => log.error({ reason: reasonOf(error) }, 'cannot serve remote pollers'))
  return {
    run: runAt,
    contact: contactAt,
    refresh(deviceId) {
      for (const { publisher } of sites.values()) publisher.refresh(deviceId)
    },
    metrics: () =>
      siteMetrics(
        [...sites.values()].map(
          (site): SiteView => ({
            name: site.row.name,
            reader: site.reader.stats(),
            stream: site.stream,
            lagS: lagOf(site),
            answers: site.status !== null,
            status: site.status,
            work: site.work?.work ?? null,
          }),
        ),
        nats?.up() ?? false,
      ),
    async stop() {
      clearInterval(timer)
      closing.abort()
      unfollow()
      await listening?.stop()
      await turns
      await Promise.all([...sites.values()].map(close))
      await nats?.close()
    },
  }
}

function failed(message: string): RunSummary {
  return { outcome: 'failed', tookMs: 0, failure: { kind: 'invalid', message }, modules: [] }
}
