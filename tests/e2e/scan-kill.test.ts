import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { freePort } from '../../packages/snmp/tests/support/snmpd.ts'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import type { Store } from '../../src/core/database/client.ts'
import { createScanService } from '../../src/core/scans/service.ts'
import { type FindableAgents, startFindableAgents } from '../support/findable-agents.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// A server that is killed in the middle of a scan, and killed again: what it had found stays, and nothing is found twice.

setDefaultTimeout(240_000)

const NETS = '127.85.0.0/16'
const NETWORK = '127.85.3.0/25'
const HOSTS = 126
/** Datagrams per second, so that it takes about 15 s. */
const RATE = 40
/** Every third address has an agent, every ninth of which has the next address too. */
const FOUND = Array.from({ length: 42 }, (_, i) => i * 3 + 1)
const address = (host: number) => `127.85.3.${host}`
let agents: FindableAgents
let server: TestServer

beforeAll(async () => {
  agents = startFindableAgents(await freePort())
  for (const host of FOUND) {
    const listed = host % 9 === 1 ? [address(host), address(host + 1)] : [address(host)]
    await agents.place({ name: `unit-${host}`, number: host, listed }, ...listed)
  }
  server = await startTestServer([
    ...['--set', `nets=${NETS}`, '--set', `snmp.port=${agents.port}`, '--set', 'snmp.community=public'],
    ...['--set', 'snmp.timeout=1', '--set', 'icmp_check=false'],
    ...['--set', 'poller.workers=1'],
  ])
})
afterAll(async () => {
  await server?.stop()
  agents?.stop()
})

const scanOf = async ({ sql }: Store) => {
  const [scan] = await sql<{ state: string; why: string | null; done: number; found: number }[]>`
    select state, why, (counts->>'done')::int as done, (counts->>'found')::int as found from scans`
  return scan ?? { state: 'absent', why: null, done: 0, found: 0 }
}

test('the scan goes on where it was, and finds each device once', async () => {
  const settings = createSettings({ flags: { nets: NETS, 'autodiscovery.rate': String(RATE) } })
  const scans = createScanService({ store: await server.store(), settings })
  await scans.start(SYSTEM, { networks: [NETWORK], ping: false })
  let before = 0
  for (let kills = 0; kills < 2; kills++) {
    const store = await server.store()
    const { done, state } = await until(60, 'more of the scan', async () => {
      const scan = await scanOf(store)
      return scan.done > before + HOSTS / 8 && scan
    })
    expect([state, done < HOSTS]).toEqual(['running', true])
    before = done
    await server.restart('SIGKILL')
    const { sql } = await server.store()
    // what is stored is not less, and the process is deemed dead only after a minute, which need not be waited for
    expect((await scanOf(await server.store())).done).toBeGreaterThanOrEqual(done)
    await sql`update scans set heard_at = heard_at - interval '5 minutes' where state = 'running'`
  }
  const store = await server.store()
  const scan = await until(60, 'the end of the scan', async () => {
    const now = await scanOf(store)
    return now.state !== 'running' && now.state !== 'waiting' && now
  })
  expect(scan).toMatchObject({ state: 'done', why: null, done: HOSTS })
  const found = await store.sql<{ name: string }[]>`select sys_name as name from candidates`
  expect(found.map(({ name }) => name).toSorted()).toEqual(FOUND.map((host) => `unit-${host}`).toSorted())
  // at most what was on its way at a kill was asked again
  const asked = FOUND.map((host) => agents.asked(address(host)))
  const once = asked.toSorted((a, b) => a - b)[0] ?? 0
  expect(once).toBeGreaterThan(0)
  expect(asked.filter((n) => n > once * 3)).toEqual([])
})
