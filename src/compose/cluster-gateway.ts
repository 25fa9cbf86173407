import type { Settings } from '../config/schema.ts'
import type { Gateway, RunSummary } from '../domain/gateway.ts'
import type { Log } from '../observe/log.ts'
import type { Poller } from '../poller/poller.ts'
import type { Store } from '../store/client.ts'
import { deviceGroups } from '../store/polling/plan.ts'
import type { Member } from './member.ts'
import { request } from './requests.ts'

export interface ClusterGatewayDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly poller: Poller
  readonly member: Pick<Member, 'name' | 'others' | 'ownership'>
  /** This process polls; otherwise it only looks names up, pings and probes. */
  readonly polls: boolean
}

/** Passes what is asked about a device to the process that polls it, which may be this one. */
export function clusterGateway({ store, settings, log, poller, member, polls }: ClusterGatewayDeps): Gateway {
  async function run(verb: 'discover' | 'poll', deviceId: number): Promise<RunSummary> {
    if (polls && (poller.has(deviceId) || !member.others)) return await poller[verb](deviceId)
    const owner = await ownerOf({ store, member }, deviceId)
    if (owner === null) return refused('no living poller serves the poller group of this device')
    if (polls && owner === member.name) return await poller[verb](deviceId)
    const seconds = settings.get(verb === 'discover' ? 'discovery.deadline' : 'poller.interval')
    return (await request(store, log, verb, deviceId, (seconds + 30) * 1000)) ?? refused('it has no result')
  }
  return {
    resolve: (hostname, family) => poller.resolve(hostname, family),
    ping: (address) => poller.ping(address),
    probe: (target) => poller.probe(target),
    refresh(deviceId) {
      if (polls) poller.refresh(deviceId)
      if (!member.others) return
      request(store, log, 'refresh', deviceId, 0).catch((error: unknown) =>
        log.warn({ err: error, deviceId }, 'the pollers could not be told of a change, they see it within 10 minutes'),
      )
    },
    discover: (deviceId) => run('discover', deviceId),
    poll: (deviceId) => run('poll', deviceId),
  }
}

/** Name of the poller of a device; null: none is living, or there is no such device. */
async function ownerOf(
  { store, member }: { readonly store: Store; readonly member: Pick<Member, 'ownership'> },
  deviceId: number,
): Promise<string | null> {
  const [device] = await deviceGroups(store, deviceId)
  return device === undefined ? null : member.ownership().ownerOf(deviceId, device.poller_group)
}

/** Whether a device is this process's to poll. */
export async function owns(
  at: { readonly store: Store; readonly member: Pick<Member, 'ownership' | 'name'> },
  deviceId: number,
): Promise<boolean> {
  return (await ownerOf(at, deviceId)) === at.member.name
}

const refused = (message: string): RunSummary => ({
  outcome: 'failed',
  tookMs: 0,
  failure: { kind: 'invalid', message },
  modules: [],
})
