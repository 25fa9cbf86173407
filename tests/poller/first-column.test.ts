import { expect, test } from 'bun:test'
import { newProfile } from '@portlight/snmp/profile.ts'
import { createTransport } from '@portlight/snmp/transport.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { startAgent, targetAt } from '../../packages/snmp/tests/support/agent.ts'
import { entPhysicalTable } from '../../src/mibs/entity-mib.ts'
import { ifTable, ifXTable } from '../../src/mibs/if-mib.ts'
import { need, type TableNeed } from '../../src/modules/module.ts'
import { createAgents } from '../../src/poller/worker/agent.ts'
import { openReader } from '../../src/poller/worker/reader.ts'
import { int, text } from '../modules/agent.ts'

/** Reads a table of three rows of which the agent has only these columns. */
async function read(asked: TableNeed, has: readonly string[], how: { v1?: boolean; probe?: boolean }) {
  const mib: Record<string, SnmpValue> = { '1.3.6.1.2.1.1.1.0': text('a'), '1.3.6.1.9.9.9.0': int(1) }
  for (const name of has)
    for (const row of [1, 2, 3]) {
      const column = asked.table.columns[name]
      mib[`${asked.table.entry}.${column?.id}.${row}`] = column?.syntax === 'Integer' ? int(row) : text(`${name}${row}`)
    }
  const agent = await startAgent(() => mib)
  const transport = await createTransport()
  try {
    const limits = { timeoutMs: 1000, retries: 1, maxRepetitions: 0, maxPorts: 1e9, maxRows: 1000, maxOctets: 1e7 }
    const target = targetAt(agent.port, how.v1 === true ? { snmpver: 'v1' } : {})
    const { reader } = openReader(createAgents(transport, limits), target, newProfile(4), () => 60_000, 1)
    if (how.probe === true) await reader.probe?.([asked], null)
    const result = await reader.table(asked, null)
    const seen = [...result.rows].map(([index, row]) => [index, ...Object.keys(row).sort()])
    return { ...result, seen, requests: agent.requests.length }
  } finally {
    agent.stop()
    transport.close()
  }
}

const TABLES: readonly (readonly [TableNeed, readonly (readonly string[])[]])[] = [
  [need(ifXTable, ['ifName', 'ifAlias', 'ifHighSpeed']), [['ifAlias', 'ifHighSpeed'], ['ifHighSpeed'], ['ifName']]],
  [need(ifTable, ['ifDescr', 'ifType', 'ifMtu']), [['ifType', 'ifMtu'], ['ifMtu']]],
  // the first one is not the lowest
  [
    need(entPhysicalTable, ['entPhysicalName', 'entPhysicalDescr', 'entPhysicalSerialNum']),
    [['entPhysicalDescr'], ['entPhysicalSerialNum'], ['entPhysicalDescr', 'entPhysicalSerialNum']],
  ],
]

test('a table without its first columns has the others', async () => {
  for (const [asked, cases] of TABLES)
    for (const has of cases)
      for (const how of [{}, { probe: true }, { v1: true }]) {
        const { supported, complete, seen } = await read(asked, has, how)
        expect([supported, complete]).toEqual([true, true])
        expect(seen).toEqual([1, 2, 3].map((row) => [String(row), ...[...has].sort()]))
      }
})

test('a table is missing if all requested columns are, which costs at most two requests', async () => {
  for (const [asked] of TABLES) {
    for (const how of [{}, { probe: true }, { v1: true }]) {
      const { supported, complete, seen, requests } = await read(asked, [], how)
      expect([supported, complete, seen.length]).toEqual([false, true, 0])
      expect(requests).toBeLessThanOrEqual(2)
    }
  }
})

test('a table that ends early says why, and not that a limit was reached', async () => {
  const column = `${entPhysicalTable.entry}.${entPhysicalTable.columns.entPhysicalDescr.id}`
  const other = `${entPhysicalTable.entry}.${entPhysicalTable.columns.entPhysicalSerialNum.id}`
  const mib: Record<string, SnmpValue> = {}
  for (let row = 1; row <= 6; row++) {
    mib[`${column}.${row}`] = text(`d${row}`)
    mib[`${other}.${row}`] = text(`s${row}`)
  }
  // stops answering after the third row of the first column
  const agent = await startAgent(() => mib, {
    repetitionCap: 3,
    reply(answer, request, send) {
      if (!request.varbinds.some(({ oid }) => oid === `${column}.3`)) send(answer)
    },
  })
  const transport = await createTransport()
  try {
    const limits = { timeoutMs: 100, retries: 0, maxRepetitions: 0, maxPorts: 1e9, maxRows: 100_000, maxOctets: 1e7 }
    const target = targetAt(agent.port, { timeout: 0.1, retries: 0 })
    const { reader } = openReader(createAgents(transport, limits), target, newProfile(4), () => 60_000, 1)
    const read = await reader.table(need(entPhysicalTable, ['entPhysicalDescr', 'entPhysicalSerialNum']), null)
    expect(read).toMatchObject({ supported: true, complete: false, ending: 'no answer (timeout)' })
    expect(read.limitReached).toBeUndefined()
  } finally {
    agent.stop()
    transport.close()
  }
})
