import type { RunningDemo } from '../../cli/app.ts'
import type { SettingsHolder } from '../../config/settings.ts'
import { SYSTEM } from '../../core/base/actor.ts'
import { DomainError } from '../../core/base/errors.ts'
import type { Gateway } from '../../core/base/gateway.ts'
import type { Store } from '../../core/database/client.ts'
import { demoDevices, foundDevices, hasOwnDevices } from '../../core/demo/read.ts'
import { dismissPing, markDemoDevice } from '../../core/demo/write.ts'
import { updateDevice } from '../../core/devices/write.ts'
import type { Services } from '../../core/services.ts'
import { type DemoFleet, startDemoFleet } from '../../demo/demo.ts'
import { demoDevice } from '../../demo/fleet.ts'
import type { DemoDevice, ServeOptions } from '../../demo/serve.ts'
import type { Log } from '../../observe/log.ts'
import { type Chore, doEvery } from '../periodic.ts'
import { type Echo, loadDemoHistory } from './history.ts'
import { addBill, addObjects } from './objects.ts'
import { demoToken } from './token.ts'
import { attachPollers, letBeFound } from './unknown.ts'

/** Seconds between polls of a demo device. Short, so that graphs start quickly. */
const INTERVAL_S = 30
/**
 * Devices whose tables are read again every few minutes, instead of every `discovery.interval`, so that a laptop that is
 * carried from one to the other is seen there soon.
 */
const REREAD: readonly string[] = ['access-1', 'access-2', 'core-1']
const REREAD_MINUTES = 3
/** The device shown first: two providers and a clear daily cycle. */
const SHOWN = 'edge-1'
const GRAPH = `/api/v0/devices/${SHOWN}/device_bits?from=-24h`

export interface DemoDeps {
  readonly services: Services
  readonly gateway: Gateway
  readonly store: Store
  readonly settings: SettingsHolder
  readonly dataDir: string
  readonly log: Log
  readonly progress?: ((done: number, devices: number) => void) | undefined
  /** The simulated devices, which answer already. Whoever started them stops them. */
  readonly fleet: DemoFleet
}

/** Starts the simulated devices. `clock`: where their clock is, and how long everything has power, for tests. */
export const fleetOf = (log: Log, clock: Pick<ServeOptions, 'aheadMs' | 'graceMs'> = {}): Promise<DemoFleet> =>
  startDemoFleet({ log: log.child({ component: 'demo' }), ...clock })

/** The running demonstration. */
export interface Demo extends RunningDemo {
  stop(): Promise<void>
}

/** Adds the devices of the simulated fleet, and starts storing their history. */
export async function startDemo({
  services,
  gateway,
  store,
  settings,
  dataDir,
  log,
  progress,
  fleet,
}: DemoDeps): Promise<Demo> {
  await attachPollers({ services, settings, store })
  // before the devices are discovered, because neighbours are asked only inside of the networks
  await letBeFound(fleet, { services, settings, log })
  const others = await hasOwnDevices(store)
  const devices = await watch(fleet, services, gateway, store, log)
  const objects = addObjects({ services, store, webPort: fleet.webPort }).catch((error: unknown) => {
    log.error(
      { err: error },
      'groups, rules, maintenance and service of the demo not added; the next start tries again',
    )
  })
  const shown = Promise.withResolvers<boolean>()
  if ((await demoDevices(store)).some(({ hostname, history: stored }) => stored && hostname === SHOWN))
    shown.resolve(true)
  const loading = loadDemoHistory({
    store,
    settings,
    fleet,
    log,
    echo: await echoOf(fleet, gateway, settings),
    first: SHOWN,
    progress(done, of, hostname) {
      if (hostname === SHOWN) shown.resolve(true)
      progress?.(done, of)
    },
  })
  const history = loading.done
    .catch((error: unknown) => {
      log.error({ err: error }, 'demo history not stored; it will be tried again at the next start')
      return { devices: 0, samples: 0, seconds: 0 }
    })
    .finally(() => shown.resolve(false))
  const chores = doEvery(
    [
      ['demo tables', REREAD_MINUTES, () => reread(store, gateway)],
      ['demo bill', 1, () => addBill({ services, store })],
    ] satisfies Chore[],
    log,
  )
  const token = await demoToken(services.demo, dataDir, settings.get('listen')).catch((error: unknown) => {
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'could not create the demo token')
    return null
  })
  return {
    token,
    devices,
    others,
    graph: GRAPH,
    graphReady: shown.promise,
    history,
    async stop() {
      await Promise.all([loading.stop(), chores.stop(), objects])
    },
  }
}

/** Reads the tables of the switches between which a laptop is carried. */
async function reread(store: Store, gateway: Gateway): Promise<void> {
  for (const { hostname, device_id } of await demoDevices(store))
    if (REREAD.includes(hostname)) await gateway.discover(device_id)
}

async function echoOf(fleet: DemoFleet, gateway: Gateway, settings: SettingsHolder): Promise<Echo | null> {
  const address = fleet.devices[0]?.address
  if (!settings.get('icmp_check') || address === undefined) return null
  const answer = await gateway.ping(address)
  return answer.kind === 'answer' ? { rttMs: answer.rttMs, sent: settings.get('ping.count') } : null
}

/**
 * Adds the devices of the fleet, and updates address and port of those from an earlier start, also of found ones that were
 * accepted. Returns the number of those added by the demo.
 */
async function watch(fleet: DemoFleet, services: Services, gateway: Gateway, store: Store, log: Log): Promise<number> {
  const known = new Map((await demoDevices(store)).map(({ hostname, device_id }) => [hostname, device_id]))
  const added = await Promise.all(
    fleet.devices.map((device) => (known.has(device.hostname) ? null : add(services, store, log, device))),
  )
  for (const [i, { hostname, address, port }] of fleet.devices.entries()) {
    const id = known.get(hostname) ?? added[i] ?? null
    if (id === null) continue
    await updateDevice(store, id, { overwrite_ip: address, port, poll_interval: INTERVAL_S }, undefined)
    if (losesPower(hostname)) await dismissPing(store, id)
    gateway.refresh(id)
  }
  const accepted = new Map((await foundDevices(store)).map((device) => [device.address, device.device_id]))
  for (const { address, port } of fleet.unknown) {
    const id = accepted.get(address)
    if (id === undefined) continue
    await updateDevice(store, id, { port }, undefined)
    gateway.refresh(id)
  }
  const fresh = added.filter((id) => id !== null).length
  log.info({ devices: known.size + fresh, added: fresh }, 'demo fleet is monitored')
  return known.size + fresh
}

/** Whether it does not answer at times, because it or what it is behind has no power. */
function losesPower(name: string): boolean {
  const { life, behind } = demoDevice(name)
  return life !== undefined || behind !== undefined
}

/** Null: not added. An existing device with this name belongs to the user and stays unchanged. */
async function add(services: Services, store: Store, log: Log, device: DemoDevice, tries = 3): Promise<number | null> {
  const { hostname, address, port, community, snmpver, v3 } = device
  const credentials = v3 === null ? { community } : { ...v3 }
  try {
    const request = { hostname, overwriteIp: address, port, snmpver, ...credentials }
    const { device_id } = await services.devices.add(SYSTEM, request)
    await markDemoDevice(store, device_id)
    return device_id
  } catch (error) {
    const taken = error instanceof DomainError && error.code === 'conflict'
    // an agent may time out while everything is starting
    if (!taken && tries > 1) return await add(services, store, log, device, tries - 1)
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ device: hostname, reason }, taken ? 'demo device not added: the name is taken' : 'demo device not added')
    return null
  }
}
