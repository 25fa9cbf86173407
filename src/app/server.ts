import { probes } from '../api/probes.ts'
import type { Running, ServeOptions } from '../cli/app.ts'
import type { Store } from '../core/database/client.ts'
import { statementMetrics } from '../core/database/statements.ts'
import { listenerMetrics } from '../core/logs/receive/metrics.ts'
import { loadSecretKeys } from '../core/secrets/keys.ts'
import { createServices, type Services } from '../core/services.ts'
import { collectEveryMinute } from '../lib/periodic-gc.ts'
import { mainWork } from '../observe/busy.ts'
import { figure } from '../observe/figures.ts'
import { diskOf, machineMetrics } from '../observe/machine.ts'
import { createThreadMetrics } from '../observe/threads.ts'
import { watchMain } from '../observe/watchdog.ts'
import type { Poller } from '../poller/poller.ts'
import { requireFreeAddress } from './address.ts'
import { followBackups } from './backups.ts'
import { checkGraphs } from './canvas.ts'
import { checkService } from './check-service.ts'
import { announcements } from './cluster/announcements.ts'
import { join } from './cluster/member.ts'
import { shareThrottle } from './cluster/share-throttle.ts'
import { watchDatabase } from './database-watch.ts'
import { followSettings } from './follow-settings.ts'
import { layFoundation } from './foundation.ts'
import { createLeaderTasks } from './leader/leader-tasks.ts'
import { NOT_RECEIVING, type Receiving, receive } from './listeners.ts'
import { followPolls } from './live.ts'
import { createMetricsPage } from './metrics-page.ts'
import { openPoller } from './open-poller.ts'
import { openScanner } from './open-scanner.ts'
import { checkPings } from './pings.ts'
import { createPolling } from './polling.ts'
import { createReadiness, leaderPart, pollingPart } from './readiness.ts'
import { readMetrics } from './reads.ts'
import { rolesOf } from './roles.ts'
import { serveEverything, serveProbes } from './serving.ts'
import { Stack } from './stack.ts'
import { watchStorage } from './storage-watch.ts'
import { certificateOf } from './tls.ts'

export { checkGraphs, checkPings, checkService, openPoller, openScanner }

/** Starts a poller without a database; a server with one does without its parts. */
export async function composeRemotePoller(options: ServeOptions): Promise<Running> {
  const remote = await import('./remote-poller.ts')
  return await remote.composeRemotePoller(options)
}

/** The running program, with the components that benchmarks inspect. */
export interface Composed extends Running {
  readonly poller: Poller
  readonly services: Services
  readonly store: Store
  readonly receiving: Receiving
}

/** The settings that name the files of the certificate. */
const TLS_FILES = ['tls.cert', 'tls.key'] as const

/** Time allowed for storing received messages when the server stops. */
const LISTENERS_GRACE_MS = 1500

/** Builds and starts every component in order. If one fails, those already started are stopped. */
export async function compose(options: ServeOptions): Promise<Composed> {
  const stack = new Stack(options.log)
  stack.push('collection', collectEveryMinute())
  try {
    return await start(options, stack)
  } catch (error) {
    await stack.unwind()
    throw error
  }
}

async function start(options: ServeOptions, stack: Stack): Promise<Composed> {
  const { settings, dataDir, log, version } = options
  const at = { hostname: settings.get('listen'), port: settings.get('port') }
  await requireFreeAddress(at.hostname, at.port)
  // what is wrong with files that no stored setting can name is said at once
  const named = TLS_FILES.every((name) => settings.origin(name) !== 'default') ? certificateOf(settings) : null
  loadSecretKeys(settings)
  const roles = rolesOf(settings)
  const stopping = new AbortController()
  const hurry = stopping.signal
  const base = await layFoundation(options, stack)
  const certificate = named ?? certificateOf(settings)
  const { url, mode, store, clock, reads, trace } = base

  const member = stack.add(
    'member',
    await join({ url, store, settings, log: log.child({ component: 'cluster' }), roles, version }),
  )
  const announced = stack.add(
    'announcements',
    announcements(store, () => member.others, log),
  )
  // the devices of a demo answer before they are polled and as long as they are, or polls would find them down
  const demonstration = options.demo ? await import('./demo/demo.ts') : null
  const fleet = demonstration && stack.add('demo fleet', await demonstration.fleetOf(log, options.demoClock))
  const polling = await createPolling({ ...base, settings, dataDir, log, roles, member, announced, hurry }, stack)
  const { poller, sites, gateway } = polling
  const disk = () => (settings.get('database_url') === '' ? diskOf(dataDir) : null)
  const services = createServices({
    ...{ store, settings, gateway, log, reads: reads.store, graphs: base.graphsOf(reads.store) },
    throttle: stack.add(
      'guesses',
      shareThrottle(store, () => member.others, log),
    ),
    version: { name: 'Portlight', version, ...(options.build ?? { revision: '', builtAt: '' }) },
    disk,
  })
  followPolls(services.live, polling.polled, announced)
  const scanner = openScanner({ store, settings, log: log.child({ component: 'scans' }) })
  stack.push('scanner', () => scanner.close())
  const leaderTasks = stack.add(
    'leader tasks',
    createLeaderTasks({
      ...{ url, settings, services, log, trace, isLeader: member.isLeader, clockSettled: clock.isSettled },
      checkSoon: polling.checkSoon,
      ...{ gateway, ask: scanner.ask },
      // the primary, because the graph in a notification has to show the samples that caused the alert
      graphs: base.graphsOf(store),
    }),
  )
  announced.follow(leaderTasks.written)
  const listenProblem = () => store.notifications.problem() ?? leaderTasks.listenProblem()
  member.publish(() => ({ deaf: listenProblem(), clock_step: clock.last(), unlisted_events: polling.unlisted() }))
  stack.add('notifications', await followSettings({ store, settings, services, log }))
  member.followLeadership(leaderTasks.setLeader)
  member.followLeadership(sites.setLeader)
  await polling.start()
  const receiving = roles.ingest
    ? receive({
        ...{ url, store, settings, poller: gateway, written: announced.written },
        log: log.child({ component: 'listeners' }),
      })
    : NOT_RECEIVING
  stack.push('listeners', () => receiving.stop(hurry.aborted ? 0 : LISTENERS_GRACE_MS))

  const readiness = createReadiness(url, mode, pollingPart(roles.poller ? poller : { isRunning: () => true }), [
    listenProblem,
    member.problem,
    leaderPart(member.leaderless),
    () => (poller.stats().writer.up ? null : 'Samples cannot be stored and wait in memory.'),
  ])
  stack.push('readiness', () => readiness.close())
  const waiting = () => store.waiting() + base.polling.waiting() + leaderTasks.waiting()
  const metrics = createMetricsPage(
    { metrics: () => machineMetrics({ version, dataDir }) },
    stack.add('threads', createThreadMetrics()),
    { metrics: statementMetrics },
    { metrics: () => [figure('portlight_database_statements_waiting', waiting())] },
    stack.add('looks at the database', watchDatabase(url, log)),
    stack.add('looks at the storage', watchStorage(store, disk, log)),
    ...[polling, member, { metrics: () => readMetrics(reads) }, leaderTasks],
    { metrics: () => listenerMetrics(receiving.counts()) },
    stack.add('backups', followBackups(store, log)),
  )
  stack.add('watchdog', watchMain(mainWork, log, settings.get('log.format')))
  // nobody is answered before the first user exists
  const opening = Promise.withResolvers<void>()
  const address = (roles.api ? serveEverything : serveProbes)(
    await base.loaded,
    {
      ...{ store, settings, log, services, at, certificate, trace, metrics, hurry, opening: opening.promise },
      extras: { ...probes(readiness.check), '/metrics': metrics.answer },
    },
    stack,
  )
  // late, so that a failed start never creates a password that is not shown; before the demo, which adds its own user
  const adminPassword = roles.api ? await services.users.createFirstAdmin() : null
  const initialRules = adminPassword === null ? [] : await services.alertRules.addInitial()
  if (adminPassword !== null)
    log.info('created user admin; its password is on stdout, and `portlight user reset-password admin` sets a new one')
  if (roles.api) {
    // for commands, which ask the database where the API is
    member.publish(() => ({ api: address }))
    await member.report()
  }
  readiness.started()
  opening.resolve()
  log.info({ url: address, series: mode, name: member.name, roles: roles.names }, 'ready')

  const given = { services, gateway, store, settings, dataDir, log, progress: options.demoProgress }
  const demo = demonstration && fleet && (await demonstration.startDemo({ ...given, fleet }))
  if (demo !== null) stack.add('demo', demo)
  return {
    ...{ url: address, name: member.name, roles: roles.names, adminPassword, initialRules, demo },
    ...{ poller, services, store, receiving },
    failure: new Promise<never>(() => undefined),
    stop: () => stack.unwind(),
    hurry: () => stopping.abort(),
  }
}
