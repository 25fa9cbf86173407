import type { Settings } from '../config/schema.ts'
import type { ContactElsewhere, Gateway, RunSummary } from '../core/base/gateway.ts'
import type { Store } from '../core/database/client.ts'
import { remotePollerOf } from '../core/pollers/remote/read.ts'
import { deviceGroups } from '../core/polling/read-plan.ts'
import type { Log } from '../observe/log.ts'
import type { Poller } from '../poller/poller.ts'
import type { Member } from './cluster-member.ts'
import { contactElsewhere } from './contact-elsewhere.ts'
import type { SitesDuty } from './remote-pollers-task.ts'
import { requestRefresh, requestRun } from './requests.ts'

export interface ClusterGatewayDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly poller: Poller
  readonly member: Pick<Member, 'name' | 'others' | 'ownership' | 'report'>
  /** Whether this process polls; if not, it only resolves names, pings and probes. */
  readonly polls: boolean
  /** Remote pollers; null: none are configured. */
  readonly sites: SitesDuty | null
}

/** Sends requests about a device to the process that polls it, which may be this one. */
export function clusterGateway({ store, settings, log, poller, member, polls, sites }: ClusterGatewayDeps): Gateway {
  async function run(verb: 'discover' | 'poll', deviceId: number): Promise<RunSummary> {
    if (polls && (poller.has(deviceId) || (!member.others && sites === null))) return await poller[verb](deviceId)
    const remote = sites === null ? null : await remotePollerOf(store, deviceId)
    if (remote !== null) {
      const summary = (await sites?.run(verb, deviceId)) ?? null
      if (summary !== null) return summary
      if (!member.others) return refused(`remote poller ${remote} is not served yet`)
    } else {
      let owner = await ownerOf({ store, member }, deviceId)
      if (owner === null) {
        await member.report()
        owner = await ownerOf({ store, member }, deviceId)
      }
      if (owner === null) return refused('no running poller serves the poller group of this device')
      if (polls && owner === member.name) return await poller[verb](deviceId)
    }
    const seconds = settings.get(verb === 'discover' ? 'discovery.deadline' : 'poller.interval')
    return await requestRun(store, log, verb, deviceId, (seconds + 30) * 1000)
  }

  async function contact(deviceId: number): Promise<ContactElsewhere | null> {
    if (polls && poller.has(deviceId)) return null
    const remote = await remotePollerOf(store, deviceId)
    if (remote !== null) {
      return (await sites?.contact(deviceId)) ?? (await contactElsewhere({ store, log }, remote, deviceId))
    }
    const owner = await ownerOf({ store, member }, deviceId)
    if (owner === null || owner === member.name) return null
    return await contactElsewhere({ store, log }, owner, deviceId)
  }
  const own = ownGateway(poller, sites, { polls, name: () => member.name })
  return {
    ...own,
    refresh(deviceId) {
      own.refresh(deviceId)
      // always: a process that joined within the last few seconds is not known here yet
      requestRefresh(store, deviceId).catch((error: unknown) =>
        log.warn(
          { err: error, deviceId },
          'could not notify the pollers of a change; they pick it up within 10 minutes',
        ),
      )
    },
    contact,
    discover: (deviceId) => run('discover', deviceId),
    poll: (deviceId) => run('poll', deviceId),
  }
}

/** Handles requests from other processes in this process. */
export function ownGateway(
  poller: Poller,
  sites: SitesDuty | null,
  { polls, name }: { readonly polls: boolean; readonly name: () => string },
): Gateway {
  return {
    resolve: (hostname, family) => poller.resolve(hostname, family),
    ping: (address) => poller.ping(address),
    probe: (target) => poller.probe(target),
    refresh(deviceId) {
      if (polls) poller.refresh(deviceId)
      sites?.refresh(deviceId)
    },
    async contact(deviceId) {
      const remote = (await sites?.contact(deviceId)) ?? null
      if (remote !== null) return remote
      const result = polls ? await poller.tryOwn(deviceId) : null
      return result === null ? null : { by: name(), result }
    },
    discover: async (deviceId) => (await sites?.run('discover', deviceId)) ?? (await poller.discover(deviceId)),
    poll: async (deviceId) => (await sites?.run('poll', deviceId)) ?? (await poller.poll(deviceId)),
  }
}

/** Name of the poller of a device; null: no poller for it is alive, or there is no such device. */
async function ownerOf(
  { store, member }: { readonly store: Store; readonly member: Pick<Member, 'ownership'> },
  deviceId: number,
): Promise<string | null> {
  const [device] = await deviceGroups(store, deviceId)
  return device === undefined ? null : member.ownership().ownerOf(deviceId, device.poller_group)
}

/** Whether this process handles requests about a device: it polls it, or serves the remote poller that does. */
export async function owns(
  at: { readonly store: Store; readonly member: Pick<Member, 'ownership' | 'name'>; readonly sites: SitesDuty | null },
  deviceId: number,
): Promise<boolean> {
  if (at.sites?.serves() === true && (await remotePollerOf(at.store, deviceId)) !== null) return true
  return (await ownerOf(at, deviceId)) === at.member.name
}

const refused = (message: string): RunSummary => ({
  outcome: 'failed',
  tookMs: 0,
  failure: { kind: 'invalid', message },
  modules: [],
})
