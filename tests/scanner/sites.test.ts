import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { openScanner } from '../../src/app/open-scanner.ts'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { askNeighbours } from '../../src/core/candidates/ask-neighbours.ts'
import type { ObservedHost, ProbeTarget } from '../../src/core/candidates/observed-host.ts'
import { type SiteAnswer, type SiteRequest, serveSite } from '../../src/core/pollers/remote/link/requests.ts'
import { createSeal } from '../../src/core/pollers/remote/link/seal.ts'
import { centreKey } from '../../src/core/pollers/remote/write-upstream-key.ts'
import { runNow } from '../../src/core/scans/run-now.ts'
import { createScanService } from '../../src/core/scans/service.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { generateSiteKey, sharedSecret } from '../../src/lib/site-keys.ts'
import { createLog } from '../../src/observe/log.ts'
import { createScanner, type Scanner } from '../../src/scanner/scanner.ts'
import { serveScans } from '../../src/scanner/sites/serve-scans.ts'
import { temporaryFolder } from '../cli/support.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { findNats, type NatsServer, startNats } from '../support/nats.ts'
import { probeTarget, silentAt } from './support.ts'

// The centre's scanner and a site's, with a real NATS server between them and real agents.

setDefaultTimeout(60_000)

const program = findNats()
if (program === null) console.warn('SKIPPED: nats-server is not installed; scans of remote sites are not tested')
const log = createLog('silent')
const signal = new AbortController().signal
const GROUP = 8

describe.skipIf(program === null)('the scanner of a site', () => {
  const folder = temporaryFolder()
  let database: TestDatabase
  let nats: NatsServer
  let connection: NatsConnection
  let agent: DemoAgent
  let scanner: Scanner
  let seal: ReturnType<typeof createSeal>
  let settings: ReturnType<typeof createSettings>

  beforeAll(async () => {
    database = await testDatabase()
    nats = await startNats(program ?? '', folder.path, () => '')
    connection = await connect({ port: nats.port })
    agent = await openDemoAgent('edge-1', { address: '127.84.0.2' })
    scanner = createScanner({ settings: createSettings({ flags: {} }), log })
    settings = createSettings({
      flags: {
        ...{ nets: '127.84.0.0/16', 'snmp.version': 'v2c', 'snmp.timeout': '0.3', 'snmp.port': String(agent.port) },
        ...{ 'nats.url': `nats://127.0.0.1:${nats.port}`, 'autodiscovery.nets-exclude': '127.84.9.0/24' },
      },
    })
    const key = generateSiteKey()
    const { sql } = database.store
    await sql`insert into poller_groups (id, group_name, descr) values (${GROUP}, 'Oslo', '')`
    await sql`insert into remote_pollers (name, public_key, poller_group) values ('oslo', ${key.publicText}, ${GROUP})`
    seal = createSeal(sharedSecret(key, (await centreKey(database.store)).publicText), 'oslo')
  })
  afterAll(async () => {
    scanner?.close()
    agent?.stop()
    await connection?.close()
    await nats?.stop()
    await database?.drop()
    folder.remove()
  })

  /** A site that scans; `before` may answer in its place. */
  function openSite(scans = true, before: (request: SiteRequest) => SiteAnswer | null = () => null) {
    const served = serveScans({ scanner, log })
    const state = { version: '0.0.9', devices: 0, late: 0, published: 0, refused: 0, rows: 0 }
    const site = serveSite({
      ...{ connection, seal, poller: 'oslo', log },
      async answer(request) {
        const instead = before(request)
        if (instead !== null) return instead
        if (request.verb === 'status') return { status: { ...state, ...(scans && { scans }), at: Date.now() } }
        return request.verb === 'scan' ? await served.answer(request.packed) : { error: 'not asked for here' }
      },
    })
    return {
      close() {
        site.stop()
        served.stop()
      },
    }
  }
  const open = (awayMs = 200) => openScanner({ store: database.store, settings, log, awayMs })
  const at = (address: string): ProbeTarget => ({ ...probeTarget(address), pollerGroup: GROUP })
  async function ask(targets: readonly ProbeTarget[], awayMs?: number): Promise<ObservedHost[]> {
    const thread = open(awayMs)
    try {
      return await Array.fromAsync(thread.ask(targets, signal, { ping: false }))
    } finally {
      thread.close()
    }
  }

  test('asks what the centre names, and nothing outside of its networks', async () => {
    const [excluded, outside] = [await silentAt('127.84.9.1', agent.port), await silentAt('127.85.0.1', agent.port)]
    const site = openSite()
    try {
      const targets = ['127.84.0.1', '127.84.0.2', '127.84.9.1', '127.85.0.1', '127.84.0.3'].map(at)
      const hosts = await ask(targets)
      expect(hosts.map(({ target }) => target.address).sort()).toEqual(['127.84.0.1', '127.84.0.2', '127.84.0.3'])
      const found = hosts.find(({ snmp }) => snmp !== null)
      expect(found?.target).toBe(targets[1])
      expect(found?.snmp?.credentials).toEqual({ version: 'v2c', index: 0, port: agent.port })
      expect(found?.snmp?.identity.sysName).toBe('edge-1')
      expect(excluded.received.length + outside.received.length).toBe(0)
    } finally {
      site.close()
      excluded.close()
      outside.close()
    }
  })

  test('thousands of addresses in several messages, each answered once', async () => {
    const site = openSite()
    try {
      const targets = Array.from({ length: 5000 }, (_, i) => at(`127.84.${10 + (i >> 8)}.${i & 255}`))
      settings.applyStored(new Map<string, unknown>([['autodiscovery.rate', 20_000]]))
      const hosts = await ask(targets)
      expect(new Set(hosts.map(({ target }) => target)).size).toBe(5000)
      expect(hosts.length).toBe(5000)
    } finally {
      settings.applyStored(new Map())
      site.close()
    }
  })

  test('of an older version is named with what to do', async () => {
    const site = openSite(false)
    try {
      await expect(ask([at('127.84.0.2')])).rejects.toThrow(
        'the remote poller oslo runs Portlight 0.0.9, which cannot scan. Upgrade it at its site',
      )
    } finally {
      site.close()
    }
  })

  test('what it refuses is said', async () => {
    const site = openSite(true, ({ verb }) => (verb === 'scan' ? { error: 'the disk is on fire' } : null))
    try {
      await expect(ask([at('127.84.0.2')])).rejects.toThrow('the remote poller oslo does not scan: the disk is on fire')
    } finally {
      site.close()
    }
  })

  test('a scan whose site goes away fails with the reason, calls no host silent for it, and goes on where it was', async () => {
    const { store } = database
    const counter = await silentAt('127.84.1.5', agent.port)
    const scans = createScanService({ store, settings })
    const [scan] = await scans.start(SYSTEM, { networks: ['127.84.1.0/24'], pollerGroup: 'Oslo', ping: false }, true)
    if (scan === undefined) throw new Error('no scan')
    const gateway = {} as never
    const thread = open()
    const deps = { store, settings, gateway, ask: thread.ask, log }
    let site: { close(): void } | null = null
    try {
      const failed = await runNow(deps, scan, signal, {})
      expect(failed).toMatchObject({ state: 'failed', counts: { done: 0, silent: 0 } })
      expect(failed.why).toContain('the remote poller oslo does not answer. Resume it')
      site = openSite()
      await scans.resume(SYSTEM, scan.id, true)
      const done = await runNow(deps, scan, signal, {})
      expect(done).toMatchObject({ state: 'done', counts: { total: 254, done: 254, silent: 254 } })
      expect(counter.received.length).toBe(1)
    } finally {
      site?.close()
      thread.close()
      counter.close()
    }
  })

  test('a neighbour at a site is asked there; while the site is away it is neither judged nor forgotten', async () => {
    const { store } = database
    const { sql } = store
    await sql`insert into devices (device_id, hostname, poller_group) values (1, 'switch1', ${GROUP})`
    await sql`insert into links (local_device_id, protocol, remote_hostname, remote_port, remote_version, remote_addresses)
      values (1, 'lldp', 'edge-1', 'eth0', '', '127.84.0.2')`
    const thread = open()
    const gateway = { resolve: async () => null } as never
    const deps = { store, settings, gateway, reverse: async () => null, askHosts: thread.ask }
    const memory = { askedAt: new Map<string, number>() }
    let site: { close(): void } | null = null
    try {
      await expect(askNeighbours(deps, memory, signal)).rejects.toThrow('the remote poller oslo does not answer')
      expect(await sql`select from candidates`).toHaveLength(0)
      site = openSite()
      expect(await askNeighbours(deps, memory, signal)).toMatchObject({ asked: 1, recorded: 1 })
      const rows = await sql<
        { sys_name: string; poller_group: number }[]
      >`select sys_name, poller_group from candidates`
      expect(rows.map((row) => ({ ...row }))).toEqual([{ sys_name: 'edge-1', poller_group: GROUP }])
    } finally {
      site?.close()
      thread.close()
    }
  })
})
