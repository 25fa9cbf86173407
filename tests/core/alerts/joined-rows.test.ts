import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { faultsOfDevices } from '../../../src/core/alerts/write-evaluation.ts'
import { compile } from '../../../src/core/rules/compile.ts'
import { ruleFaults } from '../../../src/core/rules/read-matches.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// The rows that the engine joins itself are those that the server joins with its own functions.

setDefaultTimeout(120_000)

let db: TestDatabase

beforeAll(async () => {
  db = await testDatabase()
  const { sql } = db.store
  await sql`insert into devices (device_id, hostname, status, community, authpass, notes, uptime)
    select n, 'sw' || n, 1, 'secret-' || n, 'secret', case when n = 2 then 'a "note", {} \\ ü' end, n::bigint * 1000000000000
    from generate_series(1, 3) n`
  await sql`insert into ports (port_id, device_id, "ifIndex", "ifName", "ifAlias", "ifOperStatus", "ifAdminStatus")
    select d * 10 + p, d, p, case when p = 1 then null else 'Gi' || p end, case when d = 3 then '漢' end, 'down', 'up'
    from generate_series(1, 3) d, generate_series(1, 3) p`
  await sql`insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr, sensor_current)
    values (1, 'temperature', 't', '1', '.1', 'a', 1e300), (1, 'temperature', 't', '2', '.1', 'b', -0.0),
      (2, 'temperature', 't', '1', '.1', '', 0.1), (3, 'temperature', 't', '1', '.1', 'd', null)`
}, 120_000)
afterAll(async () => {
  await db?.drop()
}, 60_000)

const withoutNulls = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

test.each([
  ['devices', [['devices.hostname', 'begins_with', 'sw']]],
  ['ports', [['ports.ifOperStatus', 'equal', 'down']]],
  ['sensors, of which one has no value', [['sensors.sensor_class', 'equal', 'temperature']]],
  [
    'ports and devices, whose columns share names',
    [
      ['ports.ifOperStatus', 'equal', 'down'],
      ['devices.status', 'equal', '1'],
    ],
  ],
  [
    'ports and sensors',
    [
      ['ports.ifOperStatus', 'equal', 'down'],
      ['sensors.sensor_class', 'equal', 'temperature'],
    ],
  ],
  ['nothing', [['devices.hostname', 'equal', 'nobody']]],
] as const)('rows of %s', async (_, compared) => {
  const rules = compared.map(([field, operator, value]) => ({ field, operator, value }))
  const { params, parts, ...rest } = compile({ condition: 'AND', rules })
  const rule = { id: 1, group: '', inverted: false, mapped: false, invertMap: false, params, parts }
  const ids = [1, 2, 3]
  const found = await faultsOfDevices(db.store, rule, ids, { maxKeys: 100, maxRows: 100, timeoutMs: 60_000 })
  const oracle = await ruleFaults(db.store, { params, ...rest }, ids)
  if (found.kind !== 'faults' || oracle.kind !== 'rows') throw new Error('the rule cannot be run')
  for (const id of ids) {
    const text = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted()
    const own = found.of.get(id)?.rows ?? []
    // the order of columns counts too: templates show them in it
    expect(text(own)).toEqual(
      text(oracle.rows.filter(({ device_id }) => device_id === id).map(({ fault }) => withoutNulls(fault))),
    )
    expect(JSON.stringify(own)).not.toContain('secret')
  }
})
