import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServedFleet, serveFleet } from '../../src/demo/serve.ts'
import { portlight, temporaryFolder } from '../cli/support.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// The server with a clock that is set while it runs (libfaketime); that of its database, as if on another machine, is
// right. The agents' uptime and the monotonic clock go on as they were.

setDefaultTimeout(240_000)

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
const available = existsSync(LIBRARY)
if (!available) console.warn('libfaketime is not installed: the server is not tested with a clock that is set')
const folder = temporaryFolder()
const offset = join(folder.path, 'offset')
let fleet: ServedFleet
let server: TestServer
/** What the clock is ahead by, seconds. */
let aheadS = 0

function setClock(seconds: number): void {
  aheadS = seconds
  writeFileSync(offset, `${seconds < 0 ? '' : '+'}${seconds}\n`)
}

beforeAll(async () => {
  if (!available) return
  setClock(0)
  fleet = await serveFleet({ port: 21_461 })
  const faked = [
    ...['env', `LD_PRELOAD=${LIBRARY}`, `FAKETIME_TIMESTAMP_FILE=${offset}`],
    ...['FAKETIME_NO_CACHE=1', 'FAKETIME_DONT_FAKE_MONOTONIC=1'],
  ]
  const settings = ['poller.interval=5', 'icmp_check=false', 'poller.workers=1']
  server = await startTestServer(
    settings.flatMap((one) => ['--set', one]),
    null,
    faked,
  )
  for (const { hostname, address, port } of fleet.devices.slice(0, 2)) {
    const body = { hostname, overwrite_ip: address, port, version: 'v2c', community: 'public' }
    expect(await server.call('POST', '/devices', body)).toMatchObject({ status: 200 })
  }
  await polled()
}, 240_000)
afterAll(async () => {
  await server?.stop()
  await fleet?.stop()
  folder.remove()
}, 60_000)

/** Waits until both devices have been polled, and their counters have given rates, since now by the server's clock. */
async function polled(): Promise<void> {
  const since = Date.now() / 1000 + aheadS
  const { sql } = await server.store()
  await until(60, `polls with rates ${aheadS} s ahead`, async () => {
    const [row] = await sql<{ polls: number; rates: number }[]>`
      select (select count(distinct device_id)::int from ts.device_samples where time between to_timestamp(${since}::float8)
          and to_timestamp(${since + 70}::float8)) as polls,
        (select count(distinct device_id)::int from ts.port_samples join ports using (port_id)
          where time between to_timestamp(${since}::float8) and to_timestamp(${since + 70}::float8)) as rates`
    return row?.polls === 2 && row.rates === 2
  })
}

/** Samples of a time that has not come by the server's clock. */
async function future(): Promise<number> {
  const { sql } = await server.store()
  const now = Date.now() / 1000 + aheadS + 30
  const [row] = await sql<{ n: number }[]>`select
    (select count(*)::int from ts.port_samples where time > to_timestamp(${now}::float8)) +
    (select count(*)::int from ts.device_samples where time > to_timestamp(${now}::float8)) as n`
  return row?.n ?? 0
}

async function events(text: string): Promise<number> {
  const { sql } = await server.store()
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from eventlog where message like ${`%${text}%`}`
  return row?.n ?? 0
}

describe.if(available)('the clock of the server', () => {
  test.each([
    ['forty minutes', 2400],
    ['three months', 7_776_000],
  ])('is ahead by %s for a while: polls go on, and what was stored in the future is gone', async (_, seconds) => {
    const before = await events('was set back')
    setClock(seconds)
    await polled()
    setClock(0)
    await polled()
    await until(30, 'the event is stored', async () => (await events('was set back')) > before)
    await until(30, 'nothing is left of the future', async () => (await future()) === 0)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  test('goes back by a day and forward again', async () => {
    setClock(-86_400)
    await polled()
    setClock(0)
    await polled()
  })

  test('was ahead until the server was restarted: counters go on after the restart', async () => {
    setClock(2400)
    await polled()
    setClock(0)
    await server.restart('SIGKILL')
    await polled()
  })

  test('doctor names a step', async () => {
    setClock(100)
    await until(30, 'the step is published', async () => {
      const { out } = await portlight(['doctor', '--data-dir', server.dataDir])
      return out.includes('The clock of this machine was set forward by 100 s, or the machine was suspended')
    })
    setClock(0)
  })
})
