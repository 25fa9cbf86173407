import { hostname } from 'node:os'
import { serveApi } from './api/serve.ts'
import type { Running, ServeOptions } from './cli/composition.ts'
import { openGateway } from './compose/command-gateway.ts'
import { addDemoDevices } from './compose/demo.ts'
import { ServingError } from './compose/errors.ts'
import { followInventory } from './compose/groups.ts'
import { keepHouse } from './compose/housekeeping.ts'
import { serveRequests } from './compose/requests.ts'
import { Stack } from './compose/stack.ts'
import type { SettingsHolder } from './config/settings.ts'
import { createServices, type Services } from './domain/services.ts'
import { createGraphs } from './graphs/graphs.ts'
import { storedSeries } from './graphs/store-source.ts'
import type { Log } from './observe/log.ts'
import { formatMetrics, METRICS_TYPE } from './observe/metrics.ts'
import { pollerMetrics } from './poller/metrics.ts'
import { createPoller, type Poller } from './poller/poller.ts'
import { type EmbeddedServer, startEmbedded } from './postgres/embedded.ts'
import { connect, type Store } from './store/client.ts'
import { takeLead } from './store/lead.ts'
import { listen } from './store/listen.ts'
import { migrate } from './store/migrate.ts'
import { ACCESS_CHANNEL } from './store/writers/access.ts'
import { SETTINGS_CHANNEL } from './store/writers/config.ts'

export { openGateway }

/** The whole program, running, with the parts that a benchmark looks into. */
export interface Composed extends Running {
  readonly poller: Poller
  readonly services: Services
  readonly store: Store
}

/** What the poller gets of the five seconds in which everything has to be down. */
const POLLER_GRACE_MS = 2500

/** Builds every component in order and starts it. What was started before a failure is stopped again. */
export async function compose(options: ServeOptions): Promise<Composed> {
  const stack = new Stack(options.log)
  try {
    return await start(options, stack)
  } catch (error) {
    await stack.unwind()
    throw error
  }
}

async function start({ settings, dataDir, log, demo, version }: ServeOptions, stack: Stack): Promise<Composed> {
  const url = await databaseUrl(settings, dataDir, log, stack)
  const schema = await migrate(url, log)
  const store = connect(url, { max: 8 })
  stack.push('connections', () => store.close(1))

  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => undefined)
  const lead = await takeLead(store, () =>
    failure.reject(new ServingError('another process has begun to serve this database')),
  )
  if (lead === null) throw new ServingError('another process serves this database already')
  stack.push('lead', () => lead.release())

  const poller = createPoller({ store, settings, log: log.child({ component: 'poller' }) })
  const graphs = createGraphs({ series: storedSeries(store, settings), now: Date.now })
  const services = createServices({
    store,
    settings,
    gateway: poller,
    graphs,
    log,
    version: { name: 'Portlight', version, revision: '', builtAt: '' },
  })
  await followSettings(store, settings, services, log, stack)
  const adminPassword = await services.users.createFirstAdmin()

  await poller.start()
  stack.push('poller', () => poller.stop(POLLER_GRACE_MS))
  const name = settings.get('poller.name') || hostname()
  const house = keepHouse({ store, settings, log, poller, name, version })
  stack.push('housekeeping', () => house.stop())
  const groups = followInventory(store, services.deviceGroups, log)
  stack.push('groups', () => groups.stop())
  const requests = serveRequests(store, poller, log)
  stack.push('requests', () => requests.stop())

  const server = serveApi(
    services,
    { hostname: settings.get('listen'), port: settings.get('port') },
    {
      '/metrics': () =>
        new Response(formatMetrics(pollerMetrics(poller.stats())), { headers: { 'Content-Type': METRICS_TYPE } }),
    },
  )
  stack.push('api', () => server.stop(true))
  const host = server.hostname?.includes(':') === true ? `[${server.hostname}]` : server.hostname
  log.info({ url: `http://${host}:${server.port}`, series: schema.mode }, 'ready')

  if (demo) {
    const fleet = await addDemoDevices(services, poller, store, log)
    stack.push('demo', () => fleet.stop())
  }
  return {
    url: `http://${host}:${server.port}`,
    adminPassword,
    failure: failure.promise,
    poller,
    services,
    store,
    stop: () => stack.unwind(),
  }
}

async function databaseUrl(settings: SettingsHolder, dataDir: string, log: Log, stack: Stack): Promise<string> {
  const external = settings.get('database_url')
  if (external !== '') return external
  const listen = listenAddress(settings.get('database_listen'))
  const server: EmbeddedServer = await startEmbedded({ dataDir, log: log.child({ component: 'postgres' }), listen })
  stack.push('database', () => server.stop(2000))
  return server.url
}

function listenAddress(text: string): { host: string; port: number } | null {
  if (text === '') return null
  const match = /^(.+):(\d{1,5})$/.exec(text)
  if (match === null || Number(match[2]) > 65_535)
    throw new ServingError(`database_listen: expected HOST:PORT, not ${text}`)
  return { host: (match[1] as string).replace(/^\[|\]$/g, ''), port: Number(match[2]) }
}

/** Stored settings now, and again whenever another process changes them; who may do what likewise. */
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
  // read again after each lost connection: what was told meanwhile is lost
  const changes = listen(store, SETTINGS_CHANNEL, again, again, log)
  const forget = (): void => services.auth.forget()
  const access = listen(store, ACCESS_CHANNEL, forget, forget, log)
  await apply()
  stack.push('notifications', async () => {
    await Promise.all([changes.stop(), access.stop()])
  })
}
