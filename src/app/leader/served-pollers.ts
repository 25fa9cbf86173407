import type { ServedPollers } from '../../core/pollers/owner.ts'
import type { SitesOptions } from '../../core/pollers/remote/link/site.ts'
import type { Metric } from '../../observe/metrics.ts'

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

/**
 * NO_REMOTE_POLLERS if `nats.url` is empty: then the client of NATS, which most installations do without, is not loaded.
 * Throws ServingError for settings that cannot be used.
 */
export async function openRemotePollers(deps: SitesOptions): Promise<RemotePollers> {
  if (deps.settings.get('nats.url').length === 0) return NO_REMOTE_POLLERS
  const { createRemotePollers } = await import('./remote-pollers.ts')
  return createRemotePollers(deps)
}
