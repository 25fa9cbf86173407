import type { RunSummary } from '../domain/gateway.ts'
import type { Metric } from '../observe/metrics.ts'
import { natsOptions } from '../sites/connection.ts'
import { type Sites, type SitesOptions, startSites } from '../sites/sites.ts'
import { ServingError } from './errors.ts'

/** Remote pollers: served by the process that leads, so that each stream has one reader. */
export interface SitesDuty {
  /** The lead was taken or lost. */
  lead(leads: boolean): void
  /** Whether this process serves them. */
  serves(): boolean
  /** Polls or discovers a device at its site; null: no site has it, or another process serves them. */
  run(verb: 'poll' | 'discover', deviceId: number): Promise<RunSummary | null>
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
  let sites: Sites | null = null
  let wanted = false
  let turning: Promise<void> = Promise.resolve()

  async function turn(): Promise<void> {
    if (wanted && sites === null) sites = startSites(deps)
    else if (!wanted && sites !== null) {
      const ending = sites
      sites = null
      await ending.stop()
    }
  }

  function change(leads: boolean): Promise<void> {
    wanted = leads
    turning = turning
      .then(turn)
      .catch((error: unknown) => deps.log.error({ err: error }, 'serving remote pollers could not be begun or ended'))
    return turning
  }

  return {
    lead: (leads) => void change(leads),
    serves: () => sites !== null,
    run: async (verb, deviceId) => (await sites?.run(verb, deviceId)) ?? null,
    refresh: (deviceId) => sites?.refresh(deviceId),
    metrics: () => sites?.metrics() ?? [],
    stop: () => change(false),
  }
}
