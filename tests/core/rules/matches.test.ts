import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { compile } from '../../../src/core/rules/compile.ts'
import { MACROS } from '../../../src/core/rules/macros.ts'
import { brokenRule, ruleFaults } from '../../../src/core/rules/read-matches.ts'
import { RULE_TABLES } from '../../../src/core/rules/read-tables.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database.store
  await sql`insert into locations (id, location) values (1, 'Room 1'), (2, 'Attic')`
  await sql`insert into devices (device_id, hostname, os, version, uptime, status, disabled, ignore, location_id, last_polled)
    values (1, 'Core1.example.net', 'junos', '9.10', 100, 1, 0, 0, 1, now()),
      (2, 'edge_2.example.net', 'JUNOS', '9.9', 5000, 0, 0, 0, 2, now() - interval '7 minutes'),
      (3, 'host3', 'linux', 'rolling', null, 0, 1, 0, null, null),
      (4, '', 'ping', '', 0, 1, 0, 1, null, now())`
  await sql`insert into ports (port_id, device_id, "ifIndex", "ifName", "ifAlias", "ifOperStatus", "ifAdminStatus", "ifSpeed")
    values (11, 1, 1, 'ge-0/0/0', 'ge-0/0/0', 'up', 'up', 1000), (12, 1, 2, 'ge-0/0/1', 'uplink', 'down', 'up', 1000),
      (13, 1, 3, 'ge-0/0/2', null, 'down', 'down', 0), (21, 2, 1, 'xe-0', '50%', 'down', 'up', 10000)`
  await sql`insert into processors (device_id, processor_oid, processor_index, processor_type, processor_descr, processor_usage)
    values (1, '.1', '1', 'hr', 'a', 20), (1, '.1', '2', 'hr', 'b', 40)`
})
afterAll(() => database.drop())

const rule = (field: string, operator: string, value: unknown = '') => ({ field, operator, value })
const all = (...rules: unknown[]) => ({ condition: 'AND', rules })

async function members(...rules: unknown[]): Promise<number[]> {
  const compiled = compile(all(...rules))
  expect(await brokenRule(database.store, compiled)).toBeNull()
  const rows = await database.store.sql.unsafe<{ device_id: number }[]>(compiled.members, [...compiled.params])
  return rows.map((row) => row.device_id).toSorted()
}

test.each<[string, string, unknown, string]>([
  ['devices.os', 'equal', 'junos', `lower(os) = 'junos'`],
  ['devices.os', 'not_equal', 'junos', `lower(os) <> 'junos'`],
  ['devices.device_id', 'equal', '2', 'device_id = 2'],
  ['devices.device_id', 'equal', 'two', 'false'],
  ['devices.uptime', 'less', 2000, 'uptime < 2000'],
  ['devices.uptime', 'greater_or_equal', '100', 'uptime >= 100'],
  ['devices.version', 'less', '9.9', `(version ~ '^[0-9.]+$' and version::numeric < 9.9) or version in ('', '9.1')`],
  ['devices.uptime', 'between', [1, 100], 'uptime between 1 and 100'],
  ['devices.uptime', 'not_between', [1, 100], 'uptime not between 1 and 100'],
  ['devices.hostname', 'begins_with', 'CORE', `hostname ilike 'core%'`],
  ['devices.hostname', 'not_begins_with', 'CORE', `hostname not ilike 'core%'`],
  ['devices.hostname', 'contains', 'EXAMPLE', `hostname ilike '%example%'`],
  ['devices.hostname', 'contains', 'e_2', `hostname ilike '%e_2%'`],
  ['devices.hostname', 'ends_with', '3', `hostname ilike '%3'`],
  ['devices.hostname', 'ends_with', 'a\\', 'false'],
  ['devices.hostname', 'not_ends_with', 'net', `hostname not ilike '%net'`],
  ['devices.hostname', 'is_empty', '', `hostname = ''`],
  ['devices.hostname', 'is_not_empty', '', `hostname <> ''`],
  ['devices.uptime', 'is_null', '', 'uptime is null'],
  ['devices.uptime', 'is_not_null', '', 'uptime is not null'],
  ['devices.hostname', 'regex', '^(core|EDGE)', `hostname ~* '^(core|edge)'`],
  ['devices.hostname', 'not_regex', 'o', `hostname !~* 'o'`],
  ['devices.os', 'in', 'linux, JUNOS', `lower(os) in ('linux', 'junos')`],
  ['devices.device_id', 'not_in', '1 2', 'device_id not in (1, 2)'],
  ['devices.last_polled', 'less', '`macros.past_5m`', `last_polled < now() - interval '5 minutes'`],
  ['devices.last_polled', 'greater', '2020-01-01 00:00:00', `last_polled is not null`],
  ['devices.last_polled', 'contains', '20', 'last_polled is not null'],
  ['devices.HOSTNAME', 'equal', 'HOST3', `hostname = 'host3'`],
  ['macros.device_up', 'equal', '1', 'status = 1 and disabled = 0 and ignore = 0'],
  ['macros.device_down', 'equal', 0, 'not (status = 0 and disabled = 0 and ignore = 0)'],
  ['macros.packet_loss_5m', 'greater', 50, 'status = 0'],
  ['macros.device_cpu_avg_perc', 'equal', '30', 'device_id = 1'],
  ['locations.location', 'equal', 'room 1', 'location_id = 1'],
  ['ports.ifName', 'equal', '`ports.ifAlias`', 'device_id = 1'],
  ['ports.ifAlias', 'is_null', '', 'device_id in (1, 3, 4)'],
  ['macros.port_down', 'equal', 1, 'device_id in (1, 2)'],
])('members: %s %s %p', async (field, operator, value, where) => {
  const wanted = await database.store.sql.unsafe<{ device_id: number }[]>(
    `select device_id from devices where ${where} order by 1`,
  )
  expect(await members(rule(field, operator, value))).toEqual(wanted.map((row) => row.device_id))
})

test('a fault is a row, identified by its key and described by its columns', async () => {
  const compiled = compile(all(rule('macros.port_down', 'equal', 1)))
  const one = await ruleFaults(database.store, compiled, [1])
  if (one.kind !== 'rows') throw new Error(one.message)
  expect(one.rows.map(({ device_id, key }) => ({ device_id, key }))).toEqual([
    { device_id: 1, key: { device_id: 1, port_id: 12 } },
  ])
  expect(one.rows[0]?.fault).toMatchObject({ hostname: 'Core1.example.net', ifAlias: 'uplink' })
  expect(Object.keys(one.rows[0]?.fault ?? {})).not.toContain('community')
  const every = await ruleFaults(database.store, compiled, null)
  expect(every.kind === 'rows' && every.rows.map((row) => row.key['port_id'])).toEqual([12, 21])
})

test('a rule about several tables joins them in one row, and groups are evaluated as nested', async () => {
  const builder = {
    condition: 'OR',
    rules: [
      rule('devices.os', 'equal', 'linux'),
      all(rule('ports.ifOperStatus', 'equal', 'down'), rule('locations.location', 'equal', 'Attic')),
    ],
  }
  const compiled = compile(builder)
  const rows = await database.store.sql.unsafe<{ device_id: number }[]>(compiled.members, [...compiled.params])
  expect(rows.map((row) => row.device_id).toSorted()).toEqual([2, 3])
})

test('a table that refers to a port is joined to the port in the rule, in any order', async () => {
  const { sql } = database.store
  await sql`insert into port_security (port_id, device_id, status) values (11, 1, 'secureup'), (12, 1, 'securedown')`
  const security = rule('port_security.status', 'equal', 'secureup')
  for (const rules of [
    [security, rule('ports.ifAlias', 'equal', 'uplink')],
    [rule('ports.ifAlias', 'equal', 'uplink'), security],
  ]) {
    expect(await members(...rules)).toEqual([])
  }
  expect(await members(security, rule('ports.ifName', 'equal', 'ge-0/0/0'))).toEqual([1])
})

test('an invalid regular expression is detected before the rule is stored', async () => {
  expect(await brokenRule(database.store, compile(all(rule('devices.os', 'regex', '(('))))).toContain('parentheses')
})

test('a rule that takes too long is cancelled', async () => {
  const outcome = await ruleFaults(
    database.store,
    {
      faults: {
        all: `select 1 as device_id, '{}'::jsonb as key, '{}'::jsonb as fault from generate_series(1, 1000000000)
        where pg_sleep(1) is null limit $1::text::bigint`,
        some: '',
      },
      members: '',
      params: [],
      patterns: [],
    },
    null,
    { timeoutMs: 50 },
  )
  expect(outcome).toMatchObject({ kind: 'broken', reason: 'timeout' })
})

test('every field and macro with existing tables gives a statement that the database can plan', async () => {
  for (const [table, { columns }] of RULE_TABLES) {
    if (table === 'ports_live') continue
    const rules = [...columns.keys()].flatMap((column) => [
      rule(`${table}.${column}`, 'equal', '1'),
      rule(`${table}.${column}`, 'contains', 'x'),
      rule(`${table}.${column}`, 'less', '2026-01-01'),
    ])
    expect({ table, broken: await brokenRule(database.store, compile({ condition: 'OR', rules })) }).toEqual({
      table,
      broken: null,
    })
  }
  for (const name of Object.keys(MACROS)) {
    const needed = [...(MACROS[name]?.sql ?? '').matchAll(/\{(\w+)\./g)].map(([, table]) => String(table))
    if (needed.some((table) => table !== 'macros' && !RULE_TABLES.has(table))) continue
    const compiled = compile(all(rule(`macros.${name}`, 'equal', '1')))
    expect({ name, broken: await brokenRule(database.store, compiled) }).toEqual({ name, broken: null })
  }
})

test('a rule that compiles can be evaluated with any values', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.constantFrom(
      '1e400',
      '-',
      '0x1',
      '1e-999',
      '9'.repeat(300),
      '\\',
      '%',
      '`devices.uptime`',
      '`macros.now`',
      '2026-02-31',
    ),
  )
  const field = fc.constantFrom(
    'devices.os',
    'devices.uptime',
    'devices.last_polled',
    'devices.ip',
    'macros.device',
    'ports.ifInOctets_rate',
  )
  const operator = fc.constantFrom(
    'equal',
    'not_equal',
    'less',
    'greater_or_equal',
    'begins_with',
    'contains',
    'ends_with',
    'in',
    'between',
  )
  await fc.assert(
    fc.asyncProperty(field, operator, value, async (name, op, given) => {
      let compiled: ReturnType<typeof compile>
      try {
        compiled = compile(all(rule(name, op, op === 'between' ? [given, given] : given)))
      } catch (error) {
        expect(error).toMatchObject({ name: 'BuilderError' })
        return
      }
      const outcome = await ruleFaults(database.store, compiled, [1, 2])
      expect(outcome).toMatchObject({ kind: 'rows' })
    }),
    { numRuns: 300 },
  )
})
