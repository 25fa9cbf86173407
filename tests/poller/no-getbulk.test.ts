import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { BerWriter } from '@portlight/snmp/ber.ts'
import { encodeMessage } from '@portlight/snmp/message.ts'
import { PDU } from '@portlight/snmp/pdu.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { startAgent, type TestAgent } from '../../packages/snmp/tests/support/agent.ts'
import { createSettings } from '../../src/config/settings.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller } from '../../src/poller/poller.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

// Real workers and a real database; the agent answers GETNEXT but not GETBULK.

setDefaultTimeout(120_000)

const text = (value: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(value) })
const mib: Record<string, SnmpValue> = {
  '1.3.6.1.2.1.1.1.0': text('Linux small 6.1.0'),
  '1.3.6.1.2.1.1.2.0': { kind: 'ObjectIdentifier', value: '1.3.6.1.4.1.8072.3.2.10' },
  '1.3.6.1.2.1.1.3.0': { kind: 'TimeTicks', value: 900_000 },
  '1.3.6.1.2.1.1.5.0': text('small'),
}
for (let i = 1; i <= 4; i++) {
  mib[`1.3.6.1.2.1.2.2.1.1.${i}`] = { kind: 'Integer32', value: i }
  mib[`1.3.6.1.2.1.2.2.1.2.${i}`] = text(`eth${i}`)
  mib[`1.3.6.1.2.1.2.2.1.3.${i}`] = { kind: 'Integer32', value: 6 }
  mib[`1.3.6.1.2.1.2.2.1.7.${i}`] = { kind: 'Integer32', value: 1 }
  mib[`1.3.6.1.2.1.2.2.1.8.${i}`] = { kind: 'Integer32', value: 1 }
  mib[`1.3.6.1.2.1.31.1.1.1.1.${i}`] = text(`eth${i}`)
  mib[`1.3.6.1.2.1.31.1.1.1.6.${i}`] = { kind: 'Counter64', value: BigInt(i) * 1_000_000n }
  mib[`1.3.6.1.2.1.31.1.1.1.10.${i}`] = { kind: 'Counter64', value: BigInt(i) * 2_000_000n }
}

let database: TestDatabase
let agent: TestAgent
let answer: 'silent' | 'genErr' | 'right' = 'right'
beforeAll(async () => {
  database = await testDatabase()
  const writer = new BerWriter()
  agent = await startAgent(() => mib, {
    reply: (bytes, request, send) => {
      if (request.type !== PDU.GetBulkRequest || answer === 'right') send(bytes)
      else if (answer === 'genErr')
        send(encodeMessage(writer, { ...request, type: PDU.Response, errorStatus: 5, errorIndex: 1 }))
    },
  })
})
afterAll(async () => {
  agent?.stop()
  await database?.drop()
})
afterEach(async () => {
  await database.store.sql`delete from devices`
})

test.each(['silent', 'genErr'] as const)('GETBULK %s: ports and counters are read all the same', async (refusal) => {
  const { sql } = database.store
  const [row] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver, timeout, retries)
    values (${refusal}, '127.0.0.1', ${agent.port}, 'public', 'v2c', 1, 0) returning device_id`
  const id = row?.device_id ?? 0
  const poller = createPoller({
    upstream: databaseUpstream(database.store),
    settings: createSettings({ flags: { 'poller.interval': '3600', 'poller.workers': '1', icmp_check: 'false' } }),
    log: createLog('silent'),
  })
  const bulks = () => agent.requests.filter(({ type }) => type === PDU.GetBulkRequest).length
  const events = async () =>
    (
      await sql<{ message: string }[]>`
        select message from eventlog where device_id = ${id} and message like '%GETBULK%' order by event_id`
    ).map(({ message }) => message)
  answer = refusal
  try {
    // without a schedule, so that nothing else is read meanwhile
    await poller.open()
    expect(await poller.discover(id)).toMatchObject({ outcome: 'ok' })
    const ports = await sql`select "ifName" from ports where device_id = ${id} and deleted = 0`
    expect(ports.map(({ ifName }) => ifName).sort()).toEqual(['eth1', 'eth2', 'eth3', 'eth4'])
    const mark = bulks()
    expect(await poller.poll(id)).toMatchObject({ outcome: 'ok', failure: null })
    expect(bulks()).toBe(mark)
    const why = refusal === 'silent' ? 'it is not answered' : 'the agent answers genErr'
    expect(await events()).toEqual([
      `Tables are read with GETNEXT, which is slower, because GETBULK gives nothing: ${why}`,
    ])
    const [system] = await sql<{ note: string }[]>`
      select note from device_modules where device_id = ${id} and module = 'system'`
    expect(system?.note).toContain(`read with GETNEXT, because GETBULK gives nothing: ${why}`)

    answer = 'right'
    await poller.discover(id)
    expect((await events()).at(-1)).toBe('GETBULK works again, so tables are no longer read with GETNEXT')
    expect(bulks()).toBeGreaterThan(mark + 1)
  } finally {
    await poller.stop(2000)
  }
})
