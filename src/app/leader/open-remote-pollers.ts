import type { SitesOptions } from '../../core/pollers/remote/link/site.ts'
import { NO_REMOTE_POLLERS, type RemotePollers } from './served-pollers.ts'

/**
 * NO_REMOTE_POLLERS if `nats.url` is empty: then the client of NATS, which most installations do without, is not loaded.
 * Throws ServingError for settings that cannot be used.
 */
export async function openRemotePollers(deps: SitesOptions): Promise<RemotePollers> {
  if (deps.settings.get('nats.url').length === 0) return NO_REMOTE_POLLERS
  const { createRemotePollers } = await import('./remote-pollers.ts')
  return createRemotePollers(deps)
}
