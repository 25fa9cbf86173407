import type { RunSummary } from '../../core/base/gateway.ts'
import type { Clock } from '../clock.ts'
import type { DeviceStatus } from '../devices/device-status.ts'
import type { Devices } from '../devices/devices.ts'
import type { Repeats } from '../devices/discovery-retries.ts'
import { afterDiscovery } from '../devices/failures.ts'
import type { PolledDevice } from '../devices/polled-device.ts'
import type { Quarantine } from '../devices/quarantine.ts'
import type { Schedules } from '../devices/schedules.ts'
import type { UnstoredDiscoveries } from '../devices/unstored.ts'
import type { Durations } from '../durations.ts'
import type { DeviceEvents } from '../events/device-events.ts'
import { switchedOffCost } from '../module-toggles.ts'
import type { DiscoveryOutcome } from '../protocol.ts'
import type { FoundRows } from './found-rows.ts'

/** What follows from the outcome of a discovery. */
export interface DiscoveryResults {
  /** Stores what was found and reads the device again. `skip`: modules that are switched off. */
  ended(
    device: PolledDevice,
    outcome: DiscoveryOutcome,
    job: { readonly skip: readonly string[]; readonly deadlineMs: number },
  ): Promise<RunSummary>
  /** True when so many discoveries wait to be stored that no more should start, because their rows take memory. */
  isBehind(): boolean
  /** Discoveries since the start. */
  readonly count: number
}

export interface DiscoveryResultsParts {
  readonly clock: Clock
  readonly schedules: Schedules
  readonly status: DeviceStatus
  readonly registry: Devices
  readonly quarantine: Quarantine
  readonly repeats: Repeats
  readonly unstored: UnstoredDiscoveries
  readonly found: FoundRows
  readonly events: DeviceEvents
  readonly durations: Durations
}

/** When this many discoveries wait to be stored, no more are started. */
const MAX_STORING = 8

export function createDiscoveryResults(parts: DiscoveryResultsParts): DiscoveryResults {
  const { clock, schedules, status, registry, quarantine, repeats, unstored, found, events, durations } = parts
  let storing = 0
  let count = 0
  return {
    async ended(device, outcome, { skip, deadlineMs }) {
      const { id } = device
      const { tookMs } = outcome.cost
      count++
      durations.discovery(device, outcome)
      if (outcome.kind === 'failed') {
        const { failure } = outcome
        status.ran(device, clock.now(), false, { failure, cleanPolls: 0 })
        return { outcome: 'unreachable', tookMs, failure, modules: [] }
      }
      const { complete, failure, modules } = outcome
      quarantine.release(id)
      events.discovered(id, outcome.bulk, modules)
      repeats.ended(id, modules, tookMs >= deadlineMs)
      storing++
      device.storing = true
      await found.store(device, outcome.observations, {
        run: { tookMs, complete },
        modules: [...modules, ...skip.map(switchedOffCost)],
      })
      if (device.stored.last_discovered === null) unstored.tried(id, clock.steady())
      storing--
      await registry.refresh(id).finally(() => {
        device.storing = false
      })
      status.ran(device, clock.now(), true, afterDiscovery(device))
      // read the first counters at once, so that the first regular poll already gives rates
      if (device.state === null) schedules.polls.hasten(id, clock.steady())
      return { outcome: complete ? 'ok' : 'partial', tookMs, failure, modules }
    },
    isBehind: () => storing >= MAX_STORING,
    get count() {
      return count
    },
  }
}
