import { natsOptions } from '../../core/pollers/remote/link/connection.ts'
import type { SitesOptions } from '../../core/pollers/remote/link/site.ts'
import { startSites } from '../../core/pollers/remote/link/sites.ts'
import { ServingError } from '../errors.ts'
import { leaderOnly } from './leader-only.ts'
import type { RemotePollers } from './served-pollers.ts'

/** Throws ServingError for settings that cannot be used. */
export function createRemotePollers(deps: SitesOptions): RemotePollers {
  try {
    natsOptions(deps.settings, 'portlight centre')
  } catch (error) {
    throw new ServingError(error instanceof Error ? error.message : String(error), { cause: error })
  }
  const sites = leaderOnly(() => startSites(deps), 'serving remote pollers', deps.log)
  return {
    setLeader: sites.setLeader,
    serves: () => sites.now() !== null,
    run: async (verb, deviceId) => (await sites.now()?.run(verb, deviceId)) ?? null,
    contact: async (deviceId) => (await sites.now()?.contact(deviceId)) ?? null,
    refresh: (deviceId) => sites.now()?.refresh(deviceId),
    metrics: () => sites.now()?.metrics() ?? [],
    stop: sites.stop,
  }
}
