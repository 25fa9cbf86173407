import type { SiteKey } from '../../../../lib/site-keys.ts'
import type { Metric } from '../../../../observe/metrics.ts'
import { type Listening, listen } from '../../../database/listen.ts'
import { refused, type ServedPollers } from '../../owner.ts'
import { listRemotePollers, remotePollerOf } from '../read.ts'
import { SITES_CHANNEL } from '../write.ts'
import { centreKey } from '../write-upstream-key.ts'
import { type Nats, natsOptions, openNats, reasonOf } from './connection.ts'
import { siteMetrics } from './metrics.ts'
import {
  closeSite,
  contactFromSite,
  openSite,
  reportSite,
  runAtSite,
  type Site,
  type SitesOptions,
  viewOf,
} from './site.ts'

/** The centre's side of all remote pollers. */
export interface Sites extends ServedPollers {
  /** Call when the device's record has changed. */
  refresh(deviceId: number): void
  metrics(): Metric[]
  stop(): Promise<void>
}

const REPORT_MS = 15_000

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
    const reload = (): void => {
      turns = turns
        .then(reconcile)
        .catch((error: unknown) => log.error({ reason: reasonOf(error) }, 'cannot read the remote pollers'))
    }
    listening = listen(store, SITES_CHANNEL, reload, reload, log)
  }

  /** Opens and closes sites so that they match the database. */
  async function reconcile(): Promise<void> {
    if (nats === null || closing.signal.aborted) return
    key ??= await centreKey(store)
    const rows = new Map((await listRemotePollers(store)).map((row) => [row.id, row]))
    for (const [id, site] of sites) {
      if (rows.has(id)) continue
      sites.delete(id)
      await closeSite(site)
    }
    for (const [id, row] of rows) {
      if (sites.has(id)) continue
      try {
        sites.set(id, openSite(o, nats, key, row))
      } catch (error) {
        log.error({ poller: row.name, reason: reasonOf(error) }, 'cannot serve a remote poller')
      }
    }
  }

  const siteOf = (name: string): Site | undefined => [...sites.values()].find(({ row }) => row.name === name)

  let reporting = false
  const timer = setInterval(() => {
    if (reporting) return
    reporting = true
    Promise.all([...sites.values()].map((site) => reportSite(store, site)))
      .catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'could not store the state of remote pollers'))
      .finally(() => {
        reporting = false
      })
  }, REPORT_MS)

  void start().catch((error: unknown) => log.error({ reason: reasonOf(error) }, 'cannot serve remote pollers'))
  return {
    async run(verb, deviceId) {
      const name = await remotePollerOf(store, deviceId)
      if (name === null) return null
      const site = siteOf(name)
      if (site === undefined) return refused(`the remote poller ${name} is not connected`)
      const seconds = settings.get(verb === 'discover' ? 'discovery.deadline' : 'poller.interval')
      return await runAtSite(site, verb, deviceId, seconds * 1000, log)
    },
    async contact(deviceId) {
      const by = await remotePollerOf(store, deviceId)
      if (by === null) return null
      const site = siteOf(by)
      return site === undefined ? { by, result: 'it is not connected' } : await contactFromSite(site, deviceId)
    },
    refresh(deviceId) {
      for (const { publisher } of sites.values()) publisher.refresh(deviceId)
    },
    metrics: () => siteMetrics([...sites.values()].map(viewOf), nats?.up() ?? false),
    async stop() {
      clearInterval(timer)
      closing.abort()
      unfollow()
      await listening?.stop()
      await turns
      await Promise.all([...sites.values()].map(closeSite))
      await nats?.close()
    },
  }
}
