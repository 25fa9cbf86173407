import { probes } from '../api/probes.ts'
import { createRequestTimes } from '../api/request-times.ts'
import type { Running, ServeOptions } from '../cli/app.ts'
import type { SettingsHolder } from '../config/settings.ts'
import { ACCESS_CHANNEL } from '../core/access/write.ts'
import { connect, type Store } from '../core/database/client.ts'
import { listen } from '../core/database/listen.ts'
import { statementMetrics } from '../core/database/statements.ts'
import { createEventBudget, writeUnlisted } from '../core/discovery/event-budget.ts'
import type { LiveService } from '../core/live/service.ts'
import { listenerMetrics } from '../core/logs/receive/metrics.ts'
import { SITES_CHANNEL } from '../core/pollers/remote/write.ts'
import { migrate } from '../core/schema/migrate.ts'
import { loadSecretKeys } from '../core/secrets/keys.ts'
import { offerKeys } from '../core/secrets/write-keys.ts'
import { createServices, type Services } from '../core/services.ts'
import { SETTINGS_CHANNEL } from '../core/settings/write.ts'
import { createGraphs } from '../graphs/graphs.ts'
import { storedSeries } from '../graphs/store-source.ts'
import { collectEveryMinute } from '../lib/periodic-gc.ts'
import { packDefinitions } from '../librenms/packed.ts'
import { definitionsFolder } from '../librenms/store.ts'
import { mainWork } from '../observe/busy.ts'
import { type DescriptorWatch, watchDescriptors } from '../observe/descriptors.ts'
import { figure } from '../observe/figures.ts'
import type { Log } from '../observe/log.ts'
import { machineMetrics } from '../observe/machine.ts'
import { formatMetrics, METRICS_TYPE } from '../observe/metrics.ts'
import { createThreadMetrics } from '../observe/threads.ts'
import { watchMain } from '../observe/watchdog.ts'
import { databaseUpstream, type PollerShare } from '../poller/database-upstream.ts'
import { pollerMetrics } from '../poller/metrics.ts'
import { createPoller, type Poller } from '../poller/poller.ts'
import { startPool } from '../poller/start-pool.ts'
import { type EmbeddedServer, startEmbedded } from '../postgres/embedded.ts'
import type { DevicePoll } from '../series/samples.ts'
import { requireFreeAddress } from './address.ts'
import { announcements } from './announce.ts'
import { followBackups } from './backups.ts'
import { checkGraphs, prepareGraphs } from './canvas.ts'
import { checkService } from './check-service.ts'
import { followClock } from './clock.ts'
import { clusterGateway, ownGateway, owns } from './cluster-gateway.ts'
import { join, type Member } from './cluster-member.ts'
import { openGateway } from './command-gateway.ts'
import { watchDatabase } from './database-watch.ts'
import { startDemo } from './demo.ts'
import { recordSpace } from './disk-space.ts'
import { ServingError } from './errors.ts'
import { createDuties, type Duties } from './leader-tasks.ts'
import { NOT_RECEIVING, type Receiving, receive } from './listeners.ts'
import { followLive, lastPoll } from './live.ts'
import { doEvery } from './periodic.ts'
import { doPollerChores, pollerFigures } from './poller-chores.ts'
import { createReadiness, leadPart, pollingPart } from './readiness.ts'
import { openReads, readMetrics } from './reads.ts'
import { createBalance } from './rebalance.ts'
import { composeRemotePoller } from './remote-poller.ts'
import { createSitesDuty } from './remote-pollers-task.ts'
import { serveRequests } from './requests.ts'
import { rolesOf } from './roles.ts'
import { shareGuesses } from './share-throttle.ts'
import { Stack } from './stack.ts'
import { certificateOf, followCertificate } from './tls.ts'
import { startTracing } from './tracing.ts'

export { checkGraphs, checkService, composeRemotePoller, openGateway }

/** The running program, with the components that benchmarks inspect. */
export interface Composed extends Running {
  readonly poller: Poller
  readonly services: Services
  readonly store: Store
  readonly receiving: Receiving
}

/** Time allowed for requests in progress when the server stops. */
const API_GRACE_MS = 4000
/** Time allowed for running polls and the writer after that. */
const POLLER_GRACE_MS = 2500
/** Time allowed for storing received messages. */
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
  certificateOf(settings)
  loadSecretKeys(settings)
  const pollerLog = log.child({ component: 'poller' })
  const pool = startPool(settings, pollerLog)
  stack.push('workers', () => pool.stop(0))
  const starting = startDatabase(settings, dataDir, log, stack)
  // a third of the CPU time of a start, spent while PostgreSQL and the workers are starting
  const loading = Promise.all([
    import('../api/serve.ts'),
    import('../web/web.ts'),
    import('../api/serve-status.ts'),
  ]).then(([{ serveApi }, { createWeb }, { serveStatus }]) => ({ serveApi, createWeb, serveStatus }))
  loading.catch(() => undefined)
  const embedded = await starting
  const url = embedded?.url ?? settings.get('database_url')
  const schema = await migrate(url, log, undefined, { writable: true })
  const store = connect(url, { max: 8 })
  stack.push('connections', () => store.close(1))
  // separate connections for the poller, so that API requests do not wait for its statements to end
  const polling = connect(url, { max: 8 })
  stack.push('connections of the poller', () => polling.close(1))
  embedded?.onSpace((change) => recordSpace(store, change, log))

  const clock = followClock(store, log)
  stack.push('clock', () => clock.stop())
  const hurry = new AbortController()
  const roles = rolesOf(settings)
  await offerKeys(store)
  const tracing = await startTracing(settings, version, log)
  stack.push('tracing', () => tracing.stop())
  const reads = openReads(store, settings, log)
  stack.push('replica', () => reads.close())
  prepareGraphs(dataDir)
  const onBeyond = (graph: string, reason: string) => log.warn({ graph, reason }, 'a graph was beyond its budget')
  const graphs = createGraphs({ series: storedSeries(reads.store, settings), now: Date.now, onBeyond })
  let live: LiveService | null = null
  let duties: Duties | null = null
  /** Called for what this process or another has written. */
  const heard = (deviceIds: readonly number[], what: readonly string[]): void => duties?.written(deviceIds, what)
  const announced = announcements(
    store,
    (deviceIds, what) => {
      heard(deviceIds, what)
      if (what.includes('polled')) live?.polledElsewhere(deviceIds)
    },
    () => member.others,
    log,
  )
  stack.push('announcements', () => announced.stop())
  const written = (deviceIds: readonly number[], what: readonly string[]): void => {
    heard(deviceIds, what)
    announced.tell(deviceIds, what)
  }
  const polled = (polls: readonly DevicePoll[]): void => live?.polled(polls.map(lastPoll))
  const budget = createEventBudget(() => settings.get('poller.events_per_hour'))
  const share: PollerShare = {
    owns: (deviceId, group) => member.ownership().ownerOf(deviceId, group) === member.name,
    shared: () => member.others,
    id: () => member.id,
    learn: () => member.report(),
  }
  const poller = createPoller({
    upstream: databaseUpstream(polling, share, budget),
    settings,
    log: pollerLog,
    ...(tracing.trace !== null && { trace: tracing.trace }),
    pool,
    definitions: definitionsFolder(dataDir),
    written,
    polled,
  })
  /** What the process publishes for `doctor`. */
  const troubles = (): Readonly<Record<string, unknown>> => ({
    deaf: store.ear.problem() ?? duties?.deaf() ?? null,
    clock_step: clock.last(),
    unlisted_events: budget.recent(),
  })
  /** Where the API listens, for commands that ask the database; null: not yet, or not in this process. */
  let apiUrl: string | null = null
  /** Whether this process can poll devices, so that the others leave it its share. */
  let polls = false
  const balance = createBalance(poller, log)
  stack.push('balance', () => balance.stop())
  const sites = createSitesDuty({
    ...{ store, settings, budget, written, polled, log: log.child({ component: 'sites' }) },
    definitions: () => packDefinitions(definitionsFolder(dataDir)),
  })
  stack.push('remote pollers', () => sites?.stop())
  const member: Member = await join({
    url,
    store,
    settings,
    log: log.child({ component: 'cluster' }),
    roles,
    version,
    figures: () => ({
      ...(roles.poller && pollerFigures(poller.stats())),
      ...troubles(),
      ...(apiUrl !== null && { api: apiUrl }),
    }),
    polls: () => polls,
    moved: balance.ask,
    led(leads) {
      duties?.lead(leads)
      sites?.lead(leads)
    },
  })
  stack.push('member', () => member.stop())
  const gateway = clusterGateway({ store, settings, log, poller, member, polls: roles.poller, sites })
  const guesses = shareGuesses(store, () => member.others, log)
  stack.push('guesses', () => guesses.stop())
  const services = createServices({
    guesses,
    store,
    reads: reads.store,
    settings,
    gateway,
    graphs,
    log,
    version: { name: 'Portlight', version, ...(options.build ?? { revision: '', builtAt: '' }) },
  })
  live = services.live
  const once = createDuties({
    url,
    settings,
    services,
    // uses the primary, because the graph in a notification has to show the samples that caused the alert
    graphs: createGraphs({ series: storedSeries(store, settings), now: Date.now, onBeyond }),
    log,
    trace: tracing.trace,
    leads: () => member.leads(),
    clockSettled: () => clock.isSettled(),
  })
  duties = once
  stack.push('duties', () => once.stop())
  await followSettings(store, settings, services, log, stack)
  once.lead(member.leads())
  sites?.lead(member.leads())

  if (roles.poller) {
    await poller.open()
    polls = true
    await member.report()
    await poller.start()
    balance.start()
    stack.push('poller', () =>
      Promise.race([poller.stop(hurry.signal.aborted ? 0 : POLLER_GRACE_MS), aborted(hurry.signal)]),
    )
    const chores = doPollerChores({ store, settings, log, poller, member })
    stack.push('poller chores', () => chores.stop())
    const remotes = listen(store, SITES_CHANNEL, balance.ask, balance.ask, log)
    stack.push('changes of remote pollers', () => remotes.stop())
  }
  if (roles.poller || sites !== null) {
    const summaries = doEvery([['unlisted events', 1, () => writeUnlisted(store, budget)]], log)
    stack.push('unlisted events', () => summaries.stop())
    const requests = serveRequests(
      store,
      ownGateway(poller, sites, { polls: roles.poller, name: () => member.name }),
      (id) => owns({ store, member, sites }, id),
      (again) => (again ? balance.missed() : balance.ask()),
      log,
    )
    stack.push('requests', () => requests.stop())
  }

  const receiving = roles.ingest
    ? receive({ url, store, settings, log: log.child({ component: 'listeners' }), poller: gateway, written })
    : NOT_RECEIVING
  stack.push('listeners', () => receiving.stop(hurry.signal.aborted ? 0 : LISTENERS_GRACE_MS))

  const readiness = createReadiness(url, schema.mode, pollingPart(roles.poller ? poller : { isRunning: () => true }), [
    () => store.ear.problem() ?? once.deaf(),
    member.problem,
    leadPart(() => member.leaderless()),
    () => (poller.stats().writer.up ? null : 'Samples cannot be stored and wait in memory.'),
  ])
  stack.push('readiness', () => readiness.close())
  const times = createRequestTimes()
  const backups = followBackups(store, log)
  stack.push('backups', () => backups.stop())
  let certificates: ReturnType<typeof followCertificate> | null = null
  let watched: DescriptorWatch | null = null
  const threads = createThreadMetrics()
  stack.push('threads', () => threads.stop())
  const watchdog = watchMain(mainWork, log, settings.get('log.format'))
  stack.push('watchdog', () => watchdog.stop())
  const watch = watchDatabase(url, log)
  stack.push('looks at the database', () => watch.stop())
  const metrics = () =>
    new Response(
      formatMetrics([
        ...machineMetrics({ version, dataDir }),
        ...threads.metrics(),
        ...statementMetrics(),
        figure('portlight_database_statements_waiting', store.waiting() + polling.waiting() + once.waiting()),
        ...watch.metrics(),
        ...(roles.poller ? pollerMetrics(poller.stats()) : []),
        figure('portlight_events_unlisted_total', budget.unlisted),
        ...member.metrics(),
        ...readMetrics(reads),
        ...once.metrics(),
        ...(sites?.metrics() ?? []),
        ...(roles.api ? [...services.live.metrics(), ...times.metrics()] : []),
        ...listenerMetrics(receiving.counts()),
        ...backups.metrics(),
        ...(certificates?.metrics() ?? []),
        ...(watched?.metrics() ?? []),
      ]),
      { headers: { 'Content-Type': METRICS_TYPE } },
    )
  const { serveApi, serveStatus, createWeb } = await loading
  const extras = { ...probes(readiness.check), '/metrics': metrics }
  const certificate = certificateOf(settings)
  // nobody is answered before the first user exists
  const opening = Promise.withResolvers<void>()
  const api = roles.api
    ? serveApi(services, at, extras, times, createWeb(services), certificate, tracing.trace, opening.promise)
    : null
  const server = api ?? serveStatus(at, extras, certificate)
  const descriptors = watchDescriptors(server, log)
  stack.push('descriptors', () => descriptors.stop())
  watched = descriptors
  if (api !== null) {
    certificates = certificate === null ? null : followCertificate(certificate, api, settings, log)
    stack.push('api', async () => {
      certificates?.stop()
      const dropped = await api.drain(API_GRACE_MS, hurry.signal)
      if (dropped > 0) log.warn({ requests: dropped }, 'requests aborted because they took too long')
    })
    const following = followLive(store, services.live, log)
    // stopped before the API, which waits for the streams to end
    stack.push('live events', () => following.stop())
  } else stack.push('status', () => server.stop())
  const host = server.hostname.includes(':') ? `[${server.hostname}]` : server.hostname
  const address = `${certificate === null ? 'http' : 'https'}://${host}:${server.port}`
  // late, so that a failed start never creates a password that is not shown; before the demo, which adds its own user
  const adminPassword = roles.api ? await services.users.createFirstAdmin() : null
  const initialRules = adminPassword === null ? [] : await services.alertRules.addInitial()
  if (adminPassword !== null)
    log.info('created user admin; its password is on stdout, and `portlight user reset-password admin` sets a new one')
  if (api !== null) {
    apiUrl = address
    await member.report()
  }
  readiness.started()
  opening.resolve()
  log.info({ url: address, series: schema.mode, name: member.name, roles: roles.names }, 'ready')

  const demo = options.demo
    ? await startDemo({ services, gateway, store, settings, dataDir, log, progress: options.demoProgress })
    : null
  if (demo !== null) stack.push('demo', () => demo.stop())
  return {
    url: address,
    name: member.name,
    roles: roles.names,
    adminPassword,
    initialRules,
    demo,
    failure: new Promise<never>(() => undefined),
    poller,
    services,
    store,
    receiving,
    stop: () => stack.unwind(),
    hurry: () => hurry.abort(),
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

/** Starts the embedded database server; null when `database_url` selects another one. */
async function startDatabase(
  settings: SettingsHolder,
  dataDir: string,
  log: Log,
  stack: Stack,
): Promise<EmbeddedServer | null> {
  if (settings.get('database_url') !== '') return null
  const listen = listenAddress(settings.get('database_listen'))
  const server = await startEmbedded({ dataDir, log: log.child({ component: 'postgres' }), listen })
  stack.push('database', () => server.stop(2000))
  return server
}

function listenAddress(text: string): { host: string; port: number } | null {
  if (text === '') return null
  const match = /^(.+):(\d{1,5})$/.exec(text)
  if (match === null || Number(match[2]) > 65_535)
    throw new ServingError(`database_listen: expected HOST:PORT, not ${text}`)
  return { host: (match[1] as string).replace(/^\[|\]$/g, ''), port: Number(match[2]) }
}

/** Applies stored settings now and whenever they change, and drops cached permissions when access changes. */
async function followSettings(
  store: Store,
  settings: SettingsHolder,
  services: Services,
  log: Log,
  stack: Stack,
): Promise<void> {
  const apply = async (): Promise<void> => {
    const { problems, needRestart } = settings.applyStored(await services.settings.stored())
    for (const problem of problems)
      log.warn({ setting: problem.name, reason: problem.message }, 'stored setting ignored')
    if (needRestart.length > 0) log.warn({ settings: needRestart }, 'changed settings take effect at the next start')
  }
  const again = (): void => {
    apply().catch((error: unknown) => log.error({ err: error }, 'stored settings could not be read'))
  }
  // notifications are lost while disconnected, so settings are read again after each reconnect
  const changes = listen(store, SETTINGS_CHANNEL, again, again, log)
  const forget = (): void => {
    services.auth.forget()
    services.live.accessChanged()
    services.sessions.forget()
  }
  const access = listen(store, ACCESS_CHANNEL, forget, forget, log)
  await apply()
  stack.push('notifications', async () => {
    await Promise.all([changes.stop(), access.stop()])
  })
}
