import type { Settings } from '../../config/schema.ts'
import { type Actor, isAdmin } from '../base/actor.ts'
import { forbidden, invalid } from '../base/errors.ts'
import type { Gateway, RunSummary } from '../base/gateway.ts'
import { isAllowed } from '../base/permissions.ts'
import type { Store } from '../database/client.ts'
import type { AdviceWords } from './advice.ts'
import { type DeviceExplanation, explainDevice } from './explain.ts'
import { type AddressExplanation, explainAddress } from './explain-address.ts'
import { isHostname } from './hostname.ts'
import type { DeviceLookup } from './lookup.ts'
import type { Report } from './steps.ts'
import { requestDiscovery } from './write.ts'

interface DeviceContactDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  readonly lookup: DeviceLookup
}

/** What contacts a device now, or has its poller do so: discovery, a poll, an explanation of its state. */
export function createDeviceContact({ store, settings, gateway, lookup: { require } }: DeviceContactDeps) {
  return {
    /** Requests discovery soon; returns 0 when it was already requested, otherwise 1. */
    async requestDiscovery(deviceId: number): Promise<number> {
      const changed = await requestDiscovery(store, deviceId)
      gateway.refresh(deviceId)
      return changed
    },

    /** Discovers now and waits for the result. Throws `not_found`. */
    async discoverNow(actor: Actor, ref: string): Promise<RunSummary> {
      return await gateway.discover((await require(actor, ref)).device_id)
    },

    /** Polls now and waits for the result. Throws `not_found`. */
    async pollNow(actor: Actor, ref: string): Promise<RunSummary> {
      return await gateway.poll((await require(actor, ref)).device_id)
    },

    /**
     * Stored facts and a live check of a device; `live` false: only the stored facts. `userName`: include the SNMPv3
     * user name if the actor is an administrator. Events are left out for roles without access to the event log.
     * Throws `not_found`.
     */
    async explain(actor: Actor, ref: string, { live = true, userName = false } = {}): Promise<DeviceExplanation> {
      return await explainDevice({ store, settings, gateway }, await require(actor, ref), {
        live,
        userName: userName && isAdmin(actor),
        events: isAllowed(actor, 'Eventlog.viewAny', settings),
      })
    },

    /** What is at a name or address, as adding it would find out. For administrators. */
    async explainAddress(
      actor: Actor,
      address: string,
      report?: Report,
      words?: AdviceWords,
    ): Promise<AddressExplanation> {
      if (!isAdmin(actor)) throw forbidden('Only administrators may contact addresses')
      if (!isHostname(address)) throw invalid(`Invalid hostname or IP: ${address}`)
      return await explainAddress({ store, settings, gateway, report }, address, words)
    },
  }
}
