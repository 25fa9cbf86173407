import { afterAll, afterEach, expect, test } from 'bun:test'
import { encodeOid } from '@portlight/snmp/oid.ts'
import { PDU } from '@portlight/snmp/pdu.ts'
import { applyQuirks, bulkAnswered, NO_QUIRKS, newProfile } from '@portlight/snmp/profile.ts'
import { RowSink } from '@portlight/snmp/row-sink.ts'
import { fetchRows } from '@portlight/snmp/rows.ts'
import { openSession } from '@portlight/snmp/session.ts'
import { col, mibTable } from '@portlight/snmp/table.ts'
import { createTransport } from '@portlight/snmp/transport.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { startAgent, type TestAgent } from '../../packages/snmp/tests/support/agent.ts'
import { createAgents } from '../../src/poller/worker/agent.ts'
import { openReader } from '../../src/poller/worker/reader.ts'

const COLUMNS = ['1.3.6.1.2.1.2.2.1.10', '1.3.6.1.2.1.2.2.1.16']
const ROWS = Array.from({ length: 30 }, (_, i) => i + 1)
const transport = await createTransport()
let agent: TestAgent | null = null
afterEach(() => agent?.stop())
afterAll(() => transport.close())

/** sysUpTime and two columns of 30 rows: the value is the row's index. */
function mib(): Record<string, SnmpValue> {
  const objects: Record<string, SnmpValue> = { '1.3.6.1.2.1.1.3.0': { kind: 'TimeTicks', value: 100 } }
  for (const column of COLUMNS) for (const i of ROWS) objects[`${column}.${i}`] = { kind: 'Counter32', value: i }
  return objects
}

async function reading(quirks: Partial<typeof NO_QUIRKS>) {
  agent = await startAgent(mib)
  const profile = newProfile()
  applyQuirks(profile, { ...NO_QUIRKS, ...quirks })
  const session = openSession(transport, { ...agent.target, snmpver: 'v2c' }, { profile })
  const sink = new RowSink(ROWS.length, COLUMNS.length)
  const rows = await fetchRows(session, { columns: COLUMNS.map(encodeOid), indexes: Int32Array.from(ROWS) }, sink)
  const walk = await session.walkColumn(COLUMNS[0] ?? '')
  const values = [...sink.values.subarray(0, ROWS.length)].map(Number)
  return { rows, walk, values, requests: agent.requests }
}

test('a walk and port rows are the same with and without GETBULK', async () => {
  const { rows, walk, values, requests } = await reading({ bulk: false })
  expect(rows).toMatchObject({ kind: 'complete', rows: 30, vanished: [], newIndexes: [] })
  expect(values).toEqual(ROWS)
  expect(walk).toMatchObject({ kind: 'complete' })
  if (walk.kind === 'complete') expect(walk.cells.size).toBe(30)
  expect(requests.filter((r) => r.type === PDU.GetBulkRequest)).toEqual([])
})

test('no GETBULK requests more repetitions than the agent accepts', async () => {
  const { rows, walk, requests } = await reading({ maxRepetitions: 4 })
  expect(rows).toMatchObject({ kind: 'complete', rows: 30 })
  expect(walk).toMatchObject({ kind: 'complete' })
  const bulks = requests.filter((r) => r.type === PDU.GetBulkRequest)
  expect(bulks.length).toBeGreaterThan(7)
  // error-index of a GETBULK is max-repetitions
  expect(Math.max(...bulks.map((r) => r.errorIndex))).toBeLessThanOrEqual(4)
})

test('a GET never has more varbinds than the agent accepts, no matter how long everything succeeds', async () => {
  agent = await startAgent(mib)
  const profile = newProfile()
  applyQuirks(profile, { ...NO_QUIRKS, maxVarbinds: 5 })
  for (let i = 0; i < 1000; i++) bulkAnswered(profile, 4)
  const session = openSession(transport, agent.target, { profile })
  const answer = await session.get(ROWS.map((i) => `${COLUMNS[0]}.${i}`))
  expect(answer).toMatchObject({ kind: 'answer' })
  expect(agent.requests.map((r) => r.varbinds.length)).toEqual([5, 5, 5, 5, 5, 5])
})

test('a bad table is not requested, and counts as one that the agent does not have', async () => {
  agent = await startAgent(mib)
  const agents = createAgents(transport, {
    timeoutMs: 1000,
    retries: 1,
    maxRepetitions: 0,
    maxRows: 100_000,
    maxPorts: 100_000,
    maxOctets: 32_000_000,
  })
  const profile = newProfile()
  applyQuirks(profile, { ...NO_QUIRKS, badTables: ['1.3.6.1.2.1.2.2'] })
  const { reader } = openReader(agents, agent.target, profile, () => 10_000, 1)
  const table = mibTable('IF-MIB::ifTable', '1.3.6.1.2.1.2.2.1', { ifInOctets: col(10, 'Integer') })
  const need = { table, columns: ['ifInOctets'] }
  await reader.probe?.([need], null)
  expect(await reader.table(need, null)).toEqual({ supported: false, complete: true, rows: new Map() })
  expect(agent.requests).toEqual([])
})
