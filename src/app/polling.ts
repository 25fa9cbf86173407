import type { Settings } from '../config/schema.ts'
import type { Gateway } from '../core/base/gateway.ts'
import { listen } from '../core/database/listen.ts'
import { createEventBudget, type UnlistedEvents, writeUnlisted } from '../core/discovery/event-budget.ts'
import { createGateway } from '../core/pollers/gateway.ts'
import { SITES_CHANNEL } from '../core/pollers/remote/write.ts'
import { serveRequests } from '../core/pollers/requests.ts'
import { sightingLimits } from '../core/sightings/sighting.ts'
import { createTopic, type Topic } from '../lib/topic.ts'
import { packDefinitions } from '../librenms/definition-archive.ts'
import { definitionsFolder } from '../librenms/store.ts'
import { figure } from '../observe/figures.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'
import { databaseUpstream } from '../poller/database-upstream.ts'
import { pollerMetrics } from '../poller/metrics.ts'
import { createPoller, type Poller } from '../poller/poller.ts'
import type { DevicePoll } from '../series/samples.ts'
import type { Announcements } from './cluster/announcements.ts'
import { checksSoon } from './cluster/checks-soon.ts'
import type { Member } from './cluster/member.ts'
import { currentOwner, ownerOf, shareOf } from './cluster/owners.ts'
import { createBalance } from './cluster/rebalance.ts'
import type { Foundation } from './foundation.ts'
import { openRemotePollers } from './leader/open-remote-pollers.ts'
import { NO_REMOTE_POLLERS, type RemotePollers } from './leader/served-pollers.ts'
import { doEvery } from './periodic.ts'
import { placeHere } from './place.ts'
import { doPollerChores, pollerFigures } from './poller-chores.ts'
import type { Roles } from './roles.ts'
import { aborted, type Stack } from './stack.ts'

export interface PollingDeps extends Pick<Foundation, 'store' | 'polling' | 'pool' | 'trace'> {
  readonly settings: Settings
  readonly dataDir: string
  readonly log: Log
  readonly roles: Roles
  readonly member: Member
  readonly announced: Announcements
  /** Aborted when a stop must not wait for running polls. */
  readonly hurry: AbortSignal
}

/** Everything that contacts devices, here and at remote sites. */
export interface Polling {
  readonly poller: Poller
  readonly sites: RemotePollers
  readonly gateway: Gateway
  /** Polls stored by this process. */
  readonly polled: Topic<[polls: readonly DevicePoll[]]>
  /** Events beyond the hourly budget, as `doctor` shows them; null: none. */
  unlisted(): UnlistedEvents | null
  metrics(): Metric[]
  /** Has the pollers check these devices soon. */
  readonly checkSoon: (deviceIds: readonly number[]) => void
  /** Takes this process's share of the devices, if it polls, and serves requests of other processes. Throws StoreError. */
  start(): Promise<void>
}

/** Time allowed for running polls and the writer when the server stops. */
const GRACE_MS = 2500

/** Prepares polling; `start` begins it. Throws ServingError for settings of NATS that cannot be used. */
export async function createPolling(
  { store, polling, pool, trace, settings, dataDir, log, roles, member, announced, hurry }: PollingDeps,
  stack: Stack,
): Promise<Polling> {
  const { written } = announced
  const polled = createTopic<[polls: readonly DevicePoll[]]>()
  const budget = createEventBudget(() => settings.get('poller.events_per_hour'))
  const limits = () => sightingLimits(settings)
  const definitions = definitionsFolder(dataDir)
  const poller = createPoller({
    ...{ settings, pool, definitions, written, polled: polled.tell, ...(trace !== null && { trace }) },
    upstream: databaseUpstream(polling, shareOf(member), budget, limits),
    log: log.child({ component: 'poller' }),
  })
  const checks = stack.add(
    'checks asked for',
    checksSoon(store, poller, () => member.others, log),
  )
  const balance = stack.add('balance', createBalance(poller, log))
  member.followMoves(balance.ask)
  const sites = stack.add(
    'remote pollers',
    await openRemotePollers({
      ...{ store, settings, budget, written, polled: polled.tell, log: log.child({ component: 'sites' }) },
      definitions: () => packDefinitions(definitions),
    }),
  )
  const changed = (deviceId: number): void => {
    if (roles.poller) poller.refresh(deviceId)
    sites.refresh(deviceId)
  }
  const gateway = createGateway({
    ...{ store, settings, log, changed, poller: () => Promise.resolve(poller) },
    ownerOf: (deviceId) => currentOwner({ store, member, sites, poller }, deviceId),
  })

  async function poll(): Promise<void> {
    member.publish(() => ({ ...pollerFigures(poller.stats()), place: placeHere() }))
    await poller.open()
    await member.takeDevices()
    await poller.start()
    balance.start()
    stack.push('poller', () => Promise.race([poller.stop(hurry.aborted ? 0 : GRACE_MS), aborted(hurry)]))
    stack.add('poller chores', doPollerChores({ store, settings, log, poller, member }))
    stack.add('changes of remote pollers', listen(store, SITES_CHANNEL, balance.ask, balance.ask, log))
  }

  return {
    ...{ poller, sites, gateway, polled, checkSoon: checks.ask },
    unlisted: budget.recent,
    metrics: () => [
      ...(roles.poller ? pollerMetrics(poller.stats()) : []),
      figure('portlight_events_unlisted_total', budget.unlisted),
      ...sites.metrics(),
    ],
    async start() {
      if (roles.poller) await poll()
      if (!roles.poller && sites === NO_REMOTE_POLLERS) return
      stack.add('unlisted events', doEvery([['unlisted events', 1, () => writeUnlisted(store, budget)]], log))
      const requests = serveRequests({
        ...{ store, log, poller, changed, name: () => member.name },
        ownerOf: (deviceId) => ownerOf({ store, member, sites }, deviceId),
        listening: (again) => (again ? balance.missed() : balance.ask()),
      })
      stack.add('requests', requests)
    },
  }
}
