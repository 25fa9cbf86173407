import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { compareOid, encodeOid } from '@portlight/snmp/oid.ts'
import { openSession } from '@portlight/snmp/session.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import { createTransport, type Transport } from '@portlight/snmp/transport.ts'
import { EVERY_DEVICE } from '../../src/demo/fleet.ts'
import { FLEET_EPOCH_MS } from '../../src/demo/instant.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { type Client, openClient, walk } from './client.ts'

/** The same moment for all walks, so that they read the same values: power everywhere, and the laptop is at access-2. */
const FROZEN_MS = FLEET_EPOCH_MS + 900 * 86_400_000 + 12 * 3_600_000 + 120_000
const NAMES = EVERY_DEVICE.map((model) => model.name)

const tool = Bun.which('snmpbulkwalk')
if (tool === null) console.warn('snmpbulkwalk is not installed: walks with net-snmp are skipped')

let client: Client
let transport: Transport
const agents = new Map<string, DemoAgent>()

function agentOf(name: string): DemoAgent {
  const agent = agents.get(name)
  if (agent === undefined) throw new Error(`no agent ${name}`)
  return agent
}

beforeAll(async () => {
  client = await openClient()
  transport = await createTransport()
  for (const name of NAMES) agents.set(name, await openDemoAgent(name, { now: () => FROZEN_MS }))
})
afterAll(() => {
  client.close()
  transport.close()
  for (const agent of agents.values()) agent.stop()
})

function target(agent: DemoAgent, snmpver: SnmpTarget['snmpver']): SnmpTarget {
  const { address, port, community, v3 } = agent
  return {
    address,
    port,
    transport: 'udp',
    snmpver,
    community: snmpver === 'v3' ? null : community,
    authlevel: v3?.authlevel ?? null,
    authname: v3?.authname ?? null,
    authpass: v3?.authpass ?? null,
    authalgo: v3?.authalgo ?? null,
    cryptopass: v3?.cryptopass ?? null,
    cryptoalgo: v3?.cryptoalgo ?? null,
    timeout: 5,
    retries: 1,
  }
}

/** Instances counted in `agent.size` but missing from a walk at the frozen moment: the alarms of a UPS on mains. */
const HIDDEN: Readonly<Record<string, number>> = { 'ups-1': 2, 'ups-2': 2 }

test.each(NAMES)('%s: a walk is complete and in increasing order', async (name) => {
  const agent = agentOf(name)
  // LLDP-MIB is in the IEEE arc, below 1.0
  const parts = [await walk(client, agent, '1.0', 100), await walk(client, agent, '1.3', 100)]
  const varbinds = parts.flatMap((part) => part.varbinds)
  const oids = varbinds.map((v) => encodeOid(v.oid))
  for (const [i, oid] of oids.entries()) {
    const before = oids[i - 1]
    if (before !== undefined) expect(compareOid(before, 0, before.length, oid, 0, oid.length)).toBeLessThan(0)
  }
  expect(varbinds.length).toBe(agent.size - (HIDDEN[name] ?? 0))
})

describe("with Debian's net-snmp tools", () => {
  /** Lines of a tool's walk, with OIDs, types and values as net-snmp prints them. */
  async function lines(program: string, version: string, agent: DemoAgent, credentials: readonly string[]) {
    const command = [
      program,
      version,
      ...credentials,
      '-On',
      '-t',
      '5',
      '-r',
      '1',
      `${agent.address}:${agent.port}`,
      '.1',
    ]
    const child = Bun.spawn(command, { env: { MIBS: '', MIBDIRS: '/nonexistent' }, stderr: 'pipe' })
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, err, lines: out.split('\n').filter((line) => line !== '' && !line.includes('No more variables')) }
  }
  const community = (agent: DemoAgent) => ['-c', agent.community]

  test.skipIf(tool === null).each(NAMES)(
    '%s: snmpbulkwalk sees as many instances as we do',
    async (name) => {
      const agent = agentOf(name)
      const walked = await lines('snmpbulkwalk', '-v2c', agent, community(agent))
      expect([walked.code, walked.err]).toEqual([0, ''])
      // a value with line breaks, such as some sysDescr, takes several lines
      const instances = walked.lines.filter((line) => /^\.1\.[03]\./.test(line))
      expect(instances.length).toBe(agent.size - (HIDDEN[name] ?? 0))
    },
    20_000,
  )

  test.skipIf(tool === null)('snmpwalk by GETNEXT reads what snmpbulkwalk reads', async () => {
    for (const name of ['db-1', 'fw-1', 'ups-1', 'wan-1']) {
      const agent = agentOf(name)
      const [bulk, single] = await Promise.all([
        lines('snmpbulkwalk', '-v2c', agent, community(agent)),
        lines('snmpwalk', '-v2c', agent, community(agent)),
      ])
      expect(single.lines).toEqual(bulk.lines)
    }
  })

  test.skipIf(tool === null)('SNMPv3 authPriv reads what v2c reads', async () => {
    const agent = agentOf('db-1')
    const { v3 } = agent
    if (v3 === null) throw new Error('db-1 has no v3 user')
    const user = [
      '-l',
      v3.authlevel,
      '-u',
      v3.authname,
      '-a',
      v3.authalgo,
      '-A',
      v3.authpass,
      '-x',
      v3.cryptoalgo,
      '-X',
      v3.cryptopass,
    ]
    const [secure, plain] = await Promise.all([
      lines('snmpbulkwalk', '-v3', agent, user),
      lines('snmpbulkwalk', '-v2c', agent, community(agent)),
    ])
    expect(secure.lines).toEqual(plain.lines)
  })

  test.skipIf(tool === null).each([
    ['a wrong password', { authpass: 'not-the-password' }, 'Authentication failure'],
    ['an unknown user', { authname: 'nobody' }, 'Unknown user name'],
  ] as const)('SNMPv3 with %s gets that error', async (_what, wrong, message) => {
    const agent = agentOf('db-1')
    if (agent.v3 === null) throw new Error('db-1 has no v3 user')
    const v3 = { ...agent.v3, ...wrong }
    const user = [
      '-l',
      v3.authlevel,
      '-u',
      v3.authname,
      '-a',
      v3.authalgo,
      '-A',
      v3.authpass,
      '-x',
      v3.cryptoalgo,
      '-X',
      v3.cryptopass,
    ]
    const { code, err } = await lines('snmpwalk', '-v3', agent, user)
    expect(code).not.toBe(0)
    expect(err).toContain(message)
  })
})

describe('with the engine', () => {
  test.each(['core-1', 'ups-1', 'printer-1', 'access-3'])('%s: a walk is complete', async (name) => {
    const agent = agentOf(name)
    const session = openSession(transport, target(agent, 'v2c'))
    const walks = [await session.walkColumn('1.0.8802'), await session.walkColumn('1.3.6.1')]
    const cells = walks.map((walked) => (walked.kind === 'complete' ? walked.cells.size : 0))
    expect(cells[1]).toBeGreaterThan(0)
    expect((cells[0] ?? 0) + (cells[1] ?? 0)).toBe(agent.size - (HIDDEN[name] ?? 0))
  })

  test('SNMPv3 authPriv reads what v2c reads', async () => {
    const agent = agentOf('db-1')
    const [secure, plain] = await Promise.all(
      (['v3', 'v2c'] as const).map((version) => openSession(transport, target(agent, version)).walkColumn('1.3.6.1')),
    )
    if (secure?.kind !== 'complete' || plain?.kind !== 'complete') throw new Error(`${secure?.kind} ${plain?.kind}`)
    expect([...secure.cells]).toEqual([...plain.cells])
  })

  test('a device without a v3 user does not answer v3', async () => {
    const agent = agentOf('web-1')
    const v3 = target(agentOf('db-1'), 'v3')
    const session = openSession(transport, {
      ...v3,
      address: agent.address,
      port: agent.port,
      timeout: 0.2,
      retries: 0,
    })
    expect(await session.get(['1.3.6.1.2.1.1.5.0'])).toEqual({ kind: 'timeout' })
  })
})
