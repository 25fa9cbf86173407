import type { Settings } from '../../config/schema.ts'
import type { Log } from '../../observe/log.ts'
import type { ContactElsewhere, Gateway, RunSummary } from '../base/gateway.ts'
import type { Store } from '../database/client.ts'
import { type Owner, refused, type Verb } from './owner.ts'
import { requestContact, requestRefresh, requestRun } from './requests.ts'

export interface GatewayDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** The poller of this process. Called whenever it is needed, so that it need not be opened before. */
  readonly poller: () => Promise<Pick<Gateway, 'resolve' | 'ping' | 'probe' | 'identify' | Verb>>
  /** Who polls a device. Throws StoreError. */
  readonly ownerOf: (deviceId: number) => Promise<Owner>
  /** Called here when a device has changed. The gateway notifies the other processes. */
  readonly changed: (deviceId: number) => void
  /** Seconds that a run elsewhere may take beyond its own deadline. Default 30. */
  readonly graceS?: number
}

/** A gateway that also knows which announcements are still on their way. */
export interface RoutedGateway extends Gateway {
  /** Resolves when the other processes have been told of all changes. Never rejects. */
  announced(): Promise<void>
}

/**
 * Does for a device what its owner has to do: in this process, or by asking the one that polls it. Names are resolved,
 * and addresses pinged, probed and identified, by this process itself.
 */
export function createGateway(deps: GatewayDeps): RoutedGateway {
  const { store, settings, log, poller, ownerOf, changed, graceS = 30 } = deps
  const announcing = new Set<Promise<void>>()

  async function run(verb: Verb, deviceId: number): Promise<RunSummary> {
    const owner = await ownerOf(deviceId)
    switch (owner.at) {
      case 'here':
        return await (await poller())[verb](deviceId)
      case 'site':
        return (await owner.sites.run(verb, deviceId)) ?? refused(`remote poller ${owner.name} is not served yet`)
      case 'elsewhere': {
        const seconds = settings.get(verb === 'discover' ? 'discovery.deadline' : 'poller.interval')
        return await requestRun(store, log, verb, deviceId, (seconds + graceS) * 1000)
      }
      case 'nobody':
        return refused(owner.reason)
    }
  }

  async function contact(deviceId: number): Promise<ContactElsewhere | null> {
    const owner = await ownerOf(deviceId)
    switch (owner.at) {
      case 'here':
        return null
      case 'site':
        return (await owner.sites.contact(deviceId)) ?? (await requestContact(store, log, owner.name, deviceId))
      case 'elsewhere':
        return owner.name === null ? null : await requestContact(store, log, owner.name, deviceId)
      case 'nobody':
        return owner.name === null ? null : { by: owner.name, result: owner.reason }
    }
  }

  return {
    resolve: async (hostname, family) => await (await poller()).resolve(hostname, family),
    ping: async (address) => await (await poller()).ping(address),
    probe: async (target) => await (await poller()).probe(target),
    identify: async (target) => await (await poller()).identify(target),
    refresh(deviceId) {
      changed(deviceId)
      // always: a process that joined within the last few seconds is not known here yet
      const announcement = requestRefresh(store, deviceId)
        .catch((error: unknown) =>
          log.warn(
            { err: error, deviceId },
            'could not notify the pollers of a change; they pick it up within 10 minutes',
          ),
        )
        .finally(() => announcing.delete(announcement))
      announcing.add(announcement)
    },
    contact,
    discover: (deviceId) => run('discover', deviceId),
    poll: (deviceId) => run('poll', deviceId),
    async announced() {
      await Promise.all(announcing)
    },
  }
}
