import { connect as connectSocket } from 'node:net'
import { serveApi } from '../src/api/serve.ts'
import { followLive } from '../src/app/live.ts'
import { createSettings } from '../src/config/settings.ts'
import { writeStatus } from '../src/core/availability/write.ts'
import type { Gateway } from '../src/core/base/gateway.ts'
import type { Store } from '../src/core/database/client.ts'
import { createServices } from '../src/core/services.ts'
import { createGraphs } from '../src/graphs/graphs.ts'
import { storedSeries } from '../src/graphs/store-source.ts'
import { createLog } from '../src/observe/log.ts'
import { withDatabase } from './database.ts'
import { option } from './option.ts'
import { type BenchResult, formatResult, result } from './result.ts'

/**
 * Live events: CPU time of the server with 200 clients (`--clients N`) at 33 polls and one status change a second, and
 * the cost of the triggers when polls are stored.
 */

const DEVICES = 1000
const POLLS_PER_S = 33
const SECONDS = 20
const BATCH_MS = 500
const UPDATES = 200

export async function run(): Promise<BenchResult[]> {
  return await withDatabase(8, async (store) => {
    await store.sql`insert into devices (hostname, status) select 'd' || n, 1 from generate_series(1, ${DEVICES}) n`
    return [...(await streams(store)), ...(await triggers(store))]
  })
}

async function streams(store: Store): Promise<BenchResult[]> {
  const settings = createSettings({ flags: { 'api.v1.enabled': 'true', 'events.max_clients': '5000' } })
  const log = createLog('silent')
  const version = { name: 'Portlight', version: '0', revision: '', builtAt: '' }
  const graphs = createGraphs({ series: storedSeries(store, settings), now: Date.now })
  const services = createServices({ store, settings, gateway: {} as Gateway, graphs, log, version })
  await services.users.create({ username: 'bench', roles: ['admin'] })
  const { token } = await services.tokens.create({ username: 'bench', description: '', dialect: null })
  const server = serveApi(services, { hostname: '127.0.0.1', port: 0 })
  const following = followLive(store, services.live, log)
  const clients = option('clients', 200)

  /** CPU seconds of this process for the same feed. */
  async function cost(): Promise<number> {
    const began = process.cpuUsage()
    const end = performance.now() + SECONDS * 1000
    let n = 0
    for (let up = false; performance.now() < end; ) {
      const uptime = Math.floor(performance.now())
      services.live.polled(
        Array.from({ length: (POLLS_PER_S * BATCH_MS) / 1000 }, () => ({
          device_id: 1 + (n++ % DEVICES),
          at: Date.now(),
          answered: true,
          duration: 0.123,
          uptime,
        })),
      )
      if (n % 2 === 0) {
        await writeStatus(store, { deviceId: 1 + (n % DEVICES), up, reason: up ? '' : 'snmp', at: Date.now() })
        up = !up
      }
      await Bun.sleep(BATCH_MS)
    }
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1e6
  }

  try {
    await cost()
    const alone = await cost()
    const child = Bun.spawn(
      [process.execPath, import.meta.path, '--listen', String(server.port), token, String(clients)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const reader = child.stdout.getReader()
    await reader.read()
    const listened = await cost()
    child.kill('SIGTERM')
    const { value } = await reader.read()
    await child.exited
    const events = Number(new TextDecoder().decode(value))
    return [
      result('CPU of the server without clients', (alone / SECONDS) * 1000, 'ms/s'),
      result(`CPU of the server with ${clients} clients`, (listened / SECONDS) * 1000, 'ms/s'),
      result('events received', events / SECONDS, '/s'),
      result('CPU for one event at one client', ((listened - alone) * 1e6) / events, 'us'),
    ]
  } finally {
    await following.stop()
    await server.stop()
  }
}

/** Storing the ends of polls like the poller, with and without the triggers. */
async function triggers({ sql }: Store): Promise<BenchResult[]> {
  async function cost(): Promise<number> {
    const began = performance.now()
    for (let i = 0; i < UPDATES; i++) {
      await sql`update devices d set last_polled = now(), last_poll_attempted = now(), uptime = ${i},
        last_polled_timetaken = 0.5 where device_id between ${1 + ((i * 16) % 900)}::int and ${16 + ((i * 16) % 900)}::int`
    }
    return ((performance.now() - began) / UPDATES) * 1000
  }
  const figures = { on: [] as number[], off: [] as number[] }
  await cost()
  for (let round = 0; round < 5; round++) {
    figures.on.push(await cost())
    await sql`alter table devices disable trigger user`
    figures.off.push(await cost())
    await sql`alter table devices enable trigger user`
  }
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
  return [
    result('storing 16 polls, triggers on', median(figures.on), 'us'),
    result('storing 16 polls, triggers off', median(figures.off), 'us'),
  ]
}

/** Reading clients in a separate process. Prints a line when all are connected, and at the end the number of events. */
async function listenAll(port: number, token: string, clients: number): Promise<void> {
  let events = 0
  const connected = Array.from({ length: clients }, () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket = connectSocket({ host: '127.0.0.1', port })
    socket.on('data', (part) => {
      resolve()
      events += part.toString().split('\nid: ').length - 1
    })
    socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    return promise
  })
  await Promise.all(connected)
  console.log('connected')
  process.on('SIGTERM', () => {
    console.log(events)
    process.exit(0)
  })
}

if (import.meta.main) {
  const at = process.argv.indexOf('--listen')
  const [port, token, clients] = process.argv.slice(at + 1)
  if (at > 0) await listenAll(Number(port), token ?? '', Number(clients))
  else for (const r of await run()) console.log(formatResult(r))
}
