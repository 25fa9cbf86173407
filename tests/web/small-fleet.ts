import { afterAll, beforeAll } from 'bun:test'
import { serveApi } from '../../src/api/serve.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import { createWeb } from '../../src/web/web.ts'
import { raiseAlert, storeRule } from '../support/alerts.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { batch, makeDevice, portSamples } from '../support/samples.ts'
import { STEP_MS, useBrowser, type Window } from './browser.ts'

/** Ports of the device. */
export const PORTS = 12
/** Samples of each port: a day of half hours. */
export const STEPS = 48
const STEP_S = 1800

/** A separate server for a test file, with device `switch-1`, a day of samples, an alert, a service and a bill. */
export interface SmallFleet {
  readonly api: TestApi
  /** URL of the server, without a trailing slash. */
  readonly origin: string
  readonly deviceId: number
  /** Its first port. */
  readonly portId: number
  readonly alertId: number
  readonly serviceId: number
  readonly billId: number
  /** A window in which `admin` is signed in. */
  signedIn(theme?: 'light' | 'dark'): Promise<Window>
}

/** Sets up the fleet before the tests of a file and removes it afterwards. Its values are available inside tests. */
export function useSmallFleet(): SmallFleet {
  const browser = useBrowser()
  let made: Awaited<ReturnType<typeof makeFleet>> | undefined
  const at = () => {
    if (made === undefined) throw new Error('the server has not started')
    return made
  }
  beforeAll(async () => {
    made = await makeFleet()
  }, STEP_MS)
  afterAll(async () => {
    await made?.server.stop()
    await made?.api.drop()
  }, STEP_MS)
  return {
    get api() {
      return at().api
    },
    get origin() {
      return at().origin
    },
    get deviceId() {
      return at().deviceId
    },
    get portId() {
      return at().portId
    },
    get alertId() {
      return at().alertId
    },
    get serviceId() {
      return at().serviceId
    },
    get billId() {
      return at().billId
    },
    signedIn: (theme) => browser.signedIn(at().origin, 'admin', at().password, theme),
  }
}

async function makeFleet() {
  const api = await testApi()
  let password = (await api.services.users.createFirstAdmin()) ?? ''
  if (password === '') {
    password = 'a password for the browser'
    await api.services.users.create({ username: 'admin', password, roles: ['admin'] })
  }
  const { deviceId, portIds } = await makeDevice(api.store, PORTS)
  const [portId = 0] = portIds
  const nowMs = Date.now()
  for (let step = STEPS; step > 0; step--) {
    const samples = portIds.map((port, i) => ({
      portId: port,
      time: nowMs - step * STEP_S * 1000,
      periodMs: STEP_S * 1000,
      deltas: { in_octets: 1e9 * (i + 1) + step * 1e7, out_octets: 5e8 },
    }))
    await writeSamples(api.store, batch({ ports: portSamples(samples) }))
  }
  const { sql } = api.store
  await sql`update devices set status = 1, display = 'switch-1', last_polled = now(), inserted = now() - interval '2 days'
    where device_id = ${deviceId}`
  await sql`update ports set "ifOperStatus" = 'up', "ifAdminStatus" = 'up', "ifType" = 'ethernetCsmacd', "ifSpeed" = 1000000000 where device_id = ${deviceId}`
  const serviceId = await api.services.hostServices.add(SYSTEM, deviceId, {
    ...{ type: 'https', param: '-u /health', name: 'web', ip: undefined, desc: undefined, ignore: 0, disabled: 0 },
  })
  const billId = await api.services.bills.save(SYSTEM, {
    billId: null,
    ports: [portId],
    values: {
      ...{ bill_name: 'Transit', bill_type: 'cdr', bill_cdr: 1e9, bill_day: 1, bill_custid: '', bill_ref: '' },
      bill_notes: '',
    },
  })
  const { ruleId } = await storeRule(api.store)
  const alertId = await raiseAlert(api.store, { deviceId, ruleId, faults: [{ hostname: 'switch-1', status: 0 }] })
  const server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(api.services))
  return {
    api,
    server,
    password,
    origin: `http://127.0.0.1:${server.port}`,
    deviceId,
    portId,
    alertId,
    serviceId,
    billId,
  }
}
