import type { ContactElsewhere, RunSummary } from '../core/base/gateway.ts'
import { natsOptions } from '../core/pollers/remote/link/connection.ts'
import { type SitesOptions, startSites } from '../core/pollers/remote/link/sites.ts'
import type { Metric } from '../observe/metrics.ts'
import { ServingError } from './errors.ts'
import { whileLeading } from './leader-only.ts'

/** Serves remote pollers. Only the leading process does so, so that each stream has one reader. */
export interface SitesDuty {
  /** The lead was taken or lost. */
  lead(leads: boolean): void
  /** Whether this process serves them now. */
  serves(): boolean
  /** Polls or discovers a device through its site; null: it belongs to no site, or another process serves them. */
  run(verb: 'poll' | 'discover', deviceId: number): Promise<RunSummary | null>
  /** Contacts a device from its site; null: it belongs to no site, or another process serves them. */
  contact(deviceId: number): Promise<ContactElsewhere | null>
  /** The device's record has changed. */
  refresh(deviceId: number): void
  metrics(): Metric[]
  stop(): Promise<void>
}

/** Null: `nats.url` is empty. Throws ServingError for settings that cannot be used. */
export function createSitesDuty(deps: SitesOptions): SitesDuty | null {
  if (deps.settings.get('nats.url').length === 0) return null
  try {
    natsOptions(deps.settings, 'portlight centre')
  } catch (error) {
    throw new ServingError(error instanceof Error ? error.message : String(error), { cause: error })
  }
  const sites = whileLeading(() => startSites(deps), 'serving remote pollers', deps.log)
  return {
    lead: sites.lead,
    serves: () => sites.now() !== null,
    run: async (verb, deviceId) => (await sites.now()?.run(verb, deviceId)) ?? null,
    contact: async (deviceId) => (await sites.now()?.contact(deviceId)) ?? null,
    refresh: (deviceId) => sites.now()?.refresh(deviceId),
    metrics: () => sites.now()?.metrics() ?? [],
    stop: sites.stop,
  }
}
