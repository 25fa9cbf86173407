import { associationMode } from '../../core/discovery/match-ports.ts'
import type { EndedDiscovery, Upstream } from '../../core/pollers/upstream.ts'
import { CompressedValue } from '../../lib/compressed-value.ts'
import { createDictionaries } from '../../lib/dictionaries.ts'
import { debounceRemovals } from '../../modules/debounce.ts'
import type { Observation } from '../../modules/observation.ts'
import type { Clock } from '../clock.ts'
import type { DeviceChanges } from '../devices/device-changes.ts'
import type { PolledDevice } from '../devices/polled-device.ts'
import type { Schedules } from '../devices/schedules.ts'
import type { UnstoredDiscoveries } from '../devices/unstored.ts'

/** Stores the rows that polls and discoveries find. */
export interface FoundRows {
  /**
   * Stores what a discovery, or without `ended` a poll, has observed. Rows that are missing for the first or second time
   * are kept. Resolves when it is stored or dropped.
   */
  store(device: PolledDevice, observations: readonly Observation[], ended?: EndedDiscovery): Promise<void>
  /** Values truncated or dropped before they were stored. */
  readonly cleaned: number
}

export interface FoundRowsParts {
  readonly upstream: Upstream
  readonly changes: DeviceChanges
  readonly schedules: Schedules
  readonly unstored: UnstoredDiscoveries
  readonly clock: Clock
}

/** Time until a discovery with missing rows is repeated, ms. */
const SECOND_LOOK_MS = 60_000

export function createFoundRows({ upstream, changes, schedules, unstored, clock }: FoundRowsParts): FoundRows {
  let cleaned = 0
  /** Rows of one device of each model, by sysObjectID, as a compression dictionary for the others. */
  const dictionaries = createDictionaries()

  /** Keeps rows that are missing for the first or second time, and schedules another discovery soon. */
  function debounced(
    device: PolledDevice,
    phase: 'discover' | 'poll',
    observations: readonly Observation[],
  ): Observation[] {
    const { seen } = device
    const last = phase === 'poll' ? seen.poll : (seen.discover?.value() ?? new Map())
    const mode = associationMode(device.stored.port_association_mode)
    const looked = debounceRemovals(observations, last, mode === 'ifIndex' ? null : mode)
    if (phase === 'poll') seen.poll = looked.memory
    else {
      const family = device.stored.sysObjectID ?? ''
      seen.discover = new CompressedValue(looked.memory, { dictionary: (octets) => dictionaries(family, octets) })
    }
    if (phase === 'discover' && looked.missing > 0) {
      setTimeout(() => schedules.discoveries.hasten(device.id, clock.steady()), SECOND_LOOK_MS)
    }
    return looked.observations
  }

  return {
    store(device, observations, ended) {
      const isPoll = ended === undefined
      const found = debounced(device, isPoll ? 'poll' : 'discover', observations)
      return changes.push(isPoll ? 'poll' : 'discovery', device.id, async () => {
        const delivered = await upstream.discovery(device.id, found, ended)
        cleaned += delivered.cleaned
        if (!isPoll) unstored.report(device.id, delivered.unstored)
      })
    },
    get cleaned() {
      return cleaned
    },
  }
}
