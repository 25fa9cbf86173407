import type { ServedPollers } from '../../core/pollers/owner.ts'
import { natsOptions } from '../../core/pollers/remote/link/connection.ts'
import type { SitesOptions } from '../../core/pollers/remote/link/site.ts'
import { startSites } from '../../core/pollers/remote/link/sites.ts'
import type { Metric } from '../../observe/metrics.ts'
import { ServingError } from '../errors.ts'
import { whileLeading } from './leader-only.ts'

/** Serves remote pollers. Only the leading process does so, so that each stream has one reader. */
export interface RemotePollers extends ServedPollers {
  /** The lead was taken or lost. */
  lead(leads: boolean): void
  /** Whether this process serves them now. */
  serves(): boolean
  /** The device's record has changed. */
  refresh(deviceId: number): void
  metrics(): Metric[]
  stop(): Promise<void>
}

/** For a process whose setting `nats.url` is empty. */
export const NO_REMOTE_POLLERS: RemotePollers = {
  lead: () => undefined,
  serves: () => false,
  run: () => Promise.resolve(null),
  contact: () => Promise.resolve(null),
  refresh: () => undefined,
  metrics: () => [],
  stop: () => Promise.resolve(),
}

/** NO_REMOTE_POLLERS if `nats.url` is empty. Throws ServingError for settings that cannot be used. */
export function createRemotePollers(deps: SitesOptions): RemotePollers {
  if (deps.settings.get('nats.url').length === 0) return NO_REMOTE_POLLERS
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
