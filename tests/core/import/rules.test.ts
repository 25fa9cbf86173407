import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { listOperations } from '../../../src/core/alerts/operations/read.ts'
import { openDump } from '../../../src/core/import/dump.ts'
import type { ImportReport } from '../../../src/core/import/report.ts'
import { SourceError } from '../../../src/core/import/source.ts'
import { widened } from '../../../src/core/import/status-reasons.ts'
import { compile } from '../../../src/core/rules/compile.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { importInto } from './imported.ts'

setDefaultTimeout(120_000)

const folder = mkdtempSync(join(tmpdir(), 'portlight-rules-'))
const databases: TestDatabase[] = []
afterAll(async () => {
  for (const one of databases) await one.drop()
  rmSync(folder, { recursive: true, force: true })
})

type Value = string | number | null
type Table = readonly Readonly<Record<string, Value>>[]

const quoted = (value: Value) =>
  value === null
    ? 'NULL'
    : typeof value === 'number'
      ? String(value)
      : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A dump of an installation whose newest migration has this name. */
function dumpOf(migration: string, tables: Readonly<Record<string, Table>>, charset = 'utf8mb4'): string {
  const all: Record<string, Table> = {
    migrations: [{ id: 1, migration, batch: 1 }],
    devices: [
      { device_id: 7, hostname: 'sw7', os: 'linux', snmpver: 'v2c', status: 0, status_reason: 'icmp' },
      { device_id: 8, hostname: 'sw8', os: 'linux', snmpver: 'v2c', status: 0, status_reason: 'snmp' },
      { device_id: 9, hostname: 'sw9', os: 'linux', snmpver: 'v2c', status: 1, status_reason: '' },
    ],
    ...tables,
  }
  const parts = Object.entries(all).flatMap(([name, rows]) => {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    const types = columns.map(
      (column) => `  \`${column}\` ${rows.some((row) => typeof row[column] === 'number') ? 'int' : 'text'}`,
    )
    const values = rows.map((row) => `(${columns.map((column) => quoted(row[column] ?? null)).join()})`)
    return [
      `CREATE TABLE \`${name}\` (\n${types.join(',\n')}\n);`,
      ...(rows.length > 0 ? [`INSERT INTO \`${name}\` VALUES ${values.join(',\n')};`] : []),
    ]
  })
  return `/*!40101 SET NAMES ${charset} */;\n/*!40103 SET TIME_ZONE='+00:00' */;\n${parts.join('\n')}\n-- Dump completed\n`
}

async function imported(
  dump: string | Uint8Array,
  options: { readonly rulesDisabled?: boolean } = {},
): Promise<{ into: TestDatabase; report: ImportReport }> {
  const into = await testDatabase()
  databases.push(into)
  const file = join(folder, `${databases.length}.sql`)
  writeFileSync(file, dump)
  const report = await importInto(into, await openDump(file, null), { zone: 'UTC', ...options })
  expect(report.checks.filter(({ holds }) => !holds)).toEqual([])
  return { into, report }
}

const condition = (operator: string, value: unknown, field = 'devices.status_reason') => ({
  id: field,
  field,
  operator,
  value,
})
const all = (...rules: unknown[]) => ({ condition: 'AND', rules, valid: true })
const rule = (id: number, name: string, builder: unknown, more: Record<string, Value> = {}) => ({
  id,
  name,
  severity: 'critical',
  extra: '{"count":"-1","delay":0,"interval":300}',
  disabled: 0,
  query: '',
  builder: JSON.stringify(builder),
  ...more,
})

async function membersOf({ store: { sql } }: TestDatabase, builder: unknown): Promise<number[]> {
  const { members, params } = compile(builder)
  const rows = await sql.unsafe<{ device_id: number }[]>(members, [...params])
  return rows.map(({ device_id }) => device_id).toSorted()
}

test('all rules arrive disabled if that is asked for, and checks hold', async () => {
  const builder = all(condition('equal', '0', 'devices.status'))
  const dump = dumpOf('2026_07_01_000000_x', {
    alert_rules: [rule(1, 'on', builder), rule(2, 'off', builder, { disabled: 1 })],
  })
  const disabled = async ({ into }: { into: TestDatabase }) =>
    (await into.store.sql<{ disabled: number }[]>`select disabled from alert_rules order by id`).map(
      (one) => one.disabled,
    )
  expect(await disabled(await imported(dump, { rulesDisabled: true }))).toEqual([1, 1])
  expect(await disabled(await imported(dump))).toEqual([0, 1])
})

describe('an installation of before June 2026', () => {
  const reasons: readonly [string, unknown][] = [
    ['equal', 'icmp'],
    ['not_equal', 'icmp'],
    ['equal', 'snmp'],
    ['in', 'icmp,snmp'],
    ['not_in', ['icmp']],
    ['contains', 'snmp'],
    ['not_contains', 'snmp'],
    ['begins_with', 'icmp'],
    ['ends_with', 'snmp'],
    ['regex', '^icmp$'],
    ['not_regex', '^(icmp|snmp)$'],
    ['is_not_empty', ''],
  ]

  test('rules and groups on the status reason match a device without any answer as they did', async () => {
    const builders = reasons.map(([operator, value]) =>
      all(condition('equal', '0', 'devices.status'), condition(operator, value)),
    )
    const { into, report } = await imported(
      dumpOf('2025_12_05_205509_x', {
        alert_rules: builders.map((builder, i) => rule(i + 1, `r${i + 1}`, builder)),
        device_groups: builders.map((builder, i) => ({
          id: i + 1,
          name: `g${i + 1}`,
          type: 'dynamic',
          rules: JSON.stringify(builder),
          pattern: '',
        })),
      }),
    )
    const before = await Promise.all(builders.map((builder) => membersOf(into, builder)))
    const { sql } = into.store
    const stored = await sql<{ builder: unknown }[]>`select builder from alert_rules order by id`
    const groups = await sql<{ rules: unknown }[]>`select rules from device_groups order by id`
    // What the poller writes here of a device that answers neither.
    await sql`update devices set status_reason = 'icmp,snmp' where device_id = 7`
    for (const [i, members] of before.entries()) {
      expect([reasons[i], await membersOf(into, stored[i]?.builder)]).toEqual([reasons[i], members])
      expect([reasons[i], await membersOf(into, groups[i]?.rules)]).toEqual([reasons[i], members])
    }
    expect(report.notes.join('\n')).toContain('rule r1 also covers the status reason "icmp,snmp"')
    expect(report.notes.join('\n')).not.toContain('rule r3 ')
  })

  test('a newer one means what it says', async () => {
    const { into } = await imported(
      dumpOf('2026_06_20_000000_x', { alert_rules: [rule(1, 'r1', all(condition('equal', 'icmp')))] }),
    )
    const [stored] = await into.store.sql<{ builder: unknown }[]>`select builder from alert_rules`
    expect(await membersOf(into, stored?.builder)).toEqual([7])
    await into.store.sql`update devices set status_reason = 'icmp,snmp' where device_id = 7`
    expect(await membersOf(into, stored?.builder)).toEqual([])
  })

  test('random conditions: on the new value as they were on the old one, elsewhere unchanged', () => {
    const text = fc.constantFrom(
      'icmp',
      'snmp',
      'icmp,snmp',
      'IC',
      'mp',
      '%m%',
      '',
      '^i',
      'p$',
      '(',
      '`devices.os`',
      'x',
    )
    const operators = [
      'equal',
      'not_equal',
      'in',
      'not_in',
      'contains',
      'not_contains',
      'begins_with',
      'not_begins_with',
      'ends_with',
      'regex',
      'not_regex',
      'less',
    ]
    const leaf = fc.record({
      field: fc.constantFrom('devices.status_reason', 'devices.os'),
      operator: fc.constantFrom(...operators),
      value: text,
    })
    const group = (rules: fc.Arbitrary<unknown>) =>
      fc.record({ condition: fc.constantFrom('AND', 'OR'), rules: fc.array(rules, { minLength: 1, maxLength: 3 }) })
    fc.assert(
      fc.property(group(fc.oneof(leaf, group(leaf))), (builder) => {
        const { builder: wide, changed } = widened(builder as never)
        expect(changed).toBe(wide !== (builder as never))
        // Once is enough: the result is stable.
        const again = JSON.stringify(widened(wide).builder)
        expect(again.length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('who is notified since there are operations', () => {
  const transports = [
    {
      transport_id: 1,
      transport_name: 'default',
      transport_type: 'slack',
      is_default: 1,
      transport_config: '{"slack-url":"https://hooks.example.net/a"}',
    },
    {
      transport_id: 2,
      transport_name: 'pager',
      transport_type: 'pagerduty',
      is_default: 0,
      transport_config: '{"service_key":"k"}',
    },
  ]
  const tables = {
    alert_rules: [
      rule(1, 'one', all(condition('equal', 'x')), { alert_operation_id: 10 }),
      rule(2, 'two', all(condition('equal', 'x')), { alert_operation_id: 11 }),
      rule(3, 'none', all(condition('equal', 'x')), { alert_operation_id: null }),
      rule(4, 'empty', all(condition('equal', 'x')), { alert_operation_id: 12 }),
    ],
    alert_operations: [10, 11, 12].map((id) => ({
      id,
      name: `op${id}`,
      default_operation_step_duration_seconds: 300,
      notifications_suppressed: 0,
    })),
    alert_operation_segments: [
      {
        id: 1,
        alert_operation_id: 10,
        position: 2,
        operation_phase: 'problem',
        escalation_step_from: 4,
        escalation_step_to: null,
        start_in_seconds: 600,
        step_duration_seconds: 0,
      },
      {
        id: 2,
        alert_operation_id: 10,
        position: 1,
        operation_phase: 'problem',
        escalation_step_from: 1,
        escalation_step_to: 3,
        start_in_seconds: 60,
        step_duration_seconds: 0,
      },
      {
        id: 3,
        alert_operation_id: 11,
        position: 0,
        operation_phase: 'recovery',
        escalation_step_from: 1,
        escalation_step_to: 1,
        start_in_seconds: 0,
        step_duration_seconds: 0,
      },
      {
        id: 4,
        alert_operation_id: 11,
        position: 1,
        operation_phase: 'problem',
        escalation_step_from: 1,
        escalation_step_to: null,
        start_in_seconds: 0,
        step_duration_seconds: 60,
      },
      {
        id: 5,
        alert_operation_id: 12,
        position: 1,
        operation_phase: 'problem',
        escalation_step_from: 1,
        escalation_step_to: null,
        start_in_seconds: 0,
        step_duration_seconds: 0,
      },
    ],
    alert_operation_transport_map: [
      { id: 1, segment_id: 2, transport_or_group_id: 2, target_type: 'single' },
      { id: 2, segment_id: 4, transport_or_group_id: 5, target_type: 'group' },
      { id: 3, segment_id: 1, transport_or_group_id: 1, target_type: 'single' },
    ],
    alert_transports: transports,
    alert_transport_groups: [{ transport_group_id: 5, transport_group_name: 'night' }],
    transport_group_transport: [{ transport_group_id: 5, transport_id: 2 }],
    // Out of force, as long as it has not been dropped.
    alert_transport_map: [{ id: 1, rule_id: 3, transport_or_group_id: 1, target_type: 'single' }],
  }

  test('operations are imported whole, and rules have theirs; a rule without one notifies nobody', async () => {
    const { into, report } = await imported(dumpOf('2026_08_01_000000_x', tables))
    const { sql } = into.store
    expect(await sql`select count(*)::int as n from alert_transport_map`).toMatchObject([{ n: 0 }])
    const rules = await sql<{ extra: string; alert_operation_id: number | null; silenced: number }[]>`
      select extra, alert_operation_id, silenced from alert_rules order by id`
    expect(rules.map(({ alert_operation_id: id, silenced }) => [id, silenced])).toEqual([
      [10, 0],
      [11, 0],
      [null, 1],
      [12, 0],
    ])
    expect(rules.map(({ extra }) => JSON.parse(extra))).toMatchObject([
      { mute: false, delay: 60, interval: 300, count: 3 },
      { mute: false, delay: 0, interval: 60, count: -1 },
      { mute: false },
      { mute: false },
    ])
    const operations = await listOperations(into.store)
    expect(operations.map(({ id, name, stepDurationS, suppressed }) => [id, name, stepDurationS, suppressed])).toEqual([
      [10, 'op10', 300, false],
      [11, 'op11', 300, false],
      [12, 'op12', 300, false],
    ])
    expect(operations[0]?.segments).toMatchObject([
      { phase: 'problem', from: 1, to: 3, startS: 60, durationS: 0, targets: [{ type: 'single', id: 2 }] },
      { phase: 'problem', from: 4, to: null, startS: 600, durationS: 0, targets: [{ type: 'single', id: 1 }] },
    ])
    expect(operations[1]?.segments).toMatchObject([
      { phase: 'recovery', from: 1, to: 1, targets: [] },
      { phase: 'problem', from: 1, to: null, durationS: 60, targets: [{ type: 'group', id: 5 }] },
    ])
    const notes = report.notes.join('\n')
    expect(notes).not.toContain('rule one')
    expect(notes).not.toContain('rule two')
    expect(notes).toContain('rule none notifies nobody')
    expect(notes).toContain('rule empty notifies nobody')
    expect(report.notTaken.map(({ table }) => table)).not.toContain('alert_operation_transport_map')
  })

  test('where nothing says whom operations notify, the timing of the first segment is that of the rule', async () => {
    const { alert_operation_transport_map: _, ...others } = tables
    const { into, report } = await imported(dumpOf('2026_08_01_000000_x', others))
    const { sql } = into.store
    const rules = await sql<{ extra: string; alert_operation_id: number | null; silenced: number }[]>`
      select extra, alert_operation_id, silenced from alert_rules order by id`
    expect(rules.map(({ alert_operation_id: id, silenced }) => [id, silenced])).toEqual([
      [null, 0],
      [null, 0],
      [null, 1],
      [null, 0],
    ])
    expect(JSON.parse(rules[0]?.extra ?? '')).toMatchObject({ mute: false, delay: 60, interval: 300, count: 3 })
    expect(report.notes.join('\n')).toContain('rule one: its operation op10 is not imported')
  })

  test('a receiver that is lost here makes a check fail', async () => {
    const { into } = await imported(dumpOf('2026_08_01_000000_x', tables))
    // The next run finds the segments; their receivers cannot be stored.
    const { sql } = into.store
    await sql`delete from alert_operation_transport_map where segment_id = 1`
    await sql.unsafe(`create function refuse() returns trigger language plpgsql as 'begin return null; end'`)
    await sql.unsafe(
      'create trigger refuse before insert on alert_operation_transport_map for each row execute function refuse()',
    )
    const file = join(folder, `${databases.length}.sql`)
    const again = await importInto(into, await openDump(file, null), { zone: 'UTC' })
    expect(
      again.checks.filter(({ holds }) => !holds).map(({ name, expected, found }) => [name, expected, found]),
    ).toEqual([['receivers of operations', '3', '2']])
  })
})

test('conditions and templates that cannot be used here are named with the reason', async () => {
  const { into, report } = await imported(
    dumpOf('2025_12_05_205509_x', {
      alert_rules: [
        rule(1, 'atomic', all(condition('regex', '(?>a)b', 'ports.ifAlias'))),
        rule(2, 'unbalanced', all(condition('regex', 'CUST(', 'ports.ifAlias'))),
        rule(3, 'word', all(condition('regex', '\\bCUST\\b', 'ports.ifAlias'))),
        rule(4, 'place', all(condition('contains', 'Lab', 'devices.location'))),
      ],
      device_groups: [
        {
          id: 1,
          name: 'place',
          type: 'dynamic',
          rules: JSON.stringify(all(condition('equal', 'Lab', 'devices.location'))),
          pattern: '',
        },
        {
          id: 2,
          name: 'broken',
          type: 'dynamic',
          rules: JSON.stringify(all(condition('regex', '[', 'devices.hostname'))),
          pattern: '',
        },
        { id: 3, name: 'ancient', type: 'dynamic', rules: null, pattern: '%devices.hostname ~ "x"' },
        { id: 4, name: 'static', type: 'static', rules: null, pattern: '' },
      ],
      alert_templates: [
        {
          id: 1,
          name: 'reads',
          template: 'a\n@php $d = DB::table("devices")->first(); @endphp',
          title: null,
          title_rec: null,
        },
        {
          id: 2,
          name: 'compares',
          template: "@if ($alert->status_reason == 'icmp') gone @endif @if ('icmp' != $alert->status_reason) x @endif",
          title: null,
          title_rec: null,
        },
        { id: 3, name: 'ancient', template: '%title\n{if %state == 1}down{/if}', title: null, title_rec: null },
        {
          id: 4,
          name: 'fine',
          template: '@foreach ($alert->faults as $f)@php echo $f["x"] - 1; @endphp @endforeach',
          title: '{{ $alert->title',
          title_rec: null,
        },
      ],
    }),
  )
  const notes = report.notes.join('\n')
  for (const text of [
    'rule atomic is disabled: The regular expression (?>a)b cannot be used: (?>a is not supported',
    'rule unbalanced is disabled: the regular expression CUST( cannot be used: parentheses () not balanced',
    'group broken cannot be evaluated',
    'group ancient has no conditions, or conditions in an old format',
    'template reads cannot be used, the default text is sent instead: line 2, column 11: Static calls are not supported: DB::',
    'template compares compares the first status reason',
    'template ancient is in the language of before 2018',
    'template fine cannot be used, the default text is sent instead: line 1 of its title, column 1',
  ])
    expect(notes).toContain(text)
  expect(notes).not.toContain('group static')
  const { sql } = into.store
  expect(await sql`select name, disabled from alert_rules order by id`).toMatchObject([
    { name: 'atomic', disabled: 1 },
    { name: 'unbalanced', disabled: 1 },
    { name: 'word', disabled: 0 },
    { name: 'place', disabled: 0 },
  ])
  const [compares] = await sql<{ template: string }[]>`select template from alert_templates where name = 'compares'`
  expect(compares?.template).toBe(
    "@if (explode(',', $alert->status_reason)[0] == 'icmp') gone @endif @if ('icmp' != explode(',', $alert->status_reason)[0]) x @endif",
  )
})

describe('character sets of dumps', () => {
  const place = (text: Uint8Array, charset: string): Uint8Array => {
    const dump = dumpOf(
      '2025_12_05_205509_x',
      { locations: [{ id: 7, location: '#PLACE#', lat: null, lng: null }] },
      charset,
    )
    const [before = '', after = ''] = dump.split('#PLACE#')
    return Buffer.concat([Buffer.from(before), text, Buffer.from(after)])
  }

  test.each([
    ['latin1', [0x4b, 0xf6, 0x6c, 0x6e, 0x20, 0x80], 'Köln €'],
    ['latin2', [0xa3, 0xf3, 0x64, 0xbc], 'Łódź'],
    ['cp1251', [0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0], 'Москва'],
    ['utf8', [...new TextEncoder().encode('Zürich 🏢')], 'Zürich 🏢'],
    // UTF-8 that went through a connection which said latin1.
    ['latin1', [...new TextEncoder().encode('Zürich')], 'Zürich'],
    ['latin1', [0x52, 0x61, 0x63, 0x6b], 'Rack'],
  ])('%s %j', async (charset, octets, text) => {
    const file = join(folder, 'charset.sql')
    writeFileSync(file, place(Uint8Array.from(octets), charset))
    const source = await openDump(file, null)
    const found = await Array.fromAsync(source.rows('locations'))
    await source.close()
    expect(found.flat()).toMatchObject([{ location: text }])
  })

  test('a set whose characters may contain a backslash is refused', async () => {
    const file = join(folder, 'sjis.sql')
    writeFileSync(file, place(Uint8Array.from([0x83, 0x5c]), 'sjis'))
    await expect(openDump(file, null)).rejects.toThrow(SourceError)
    await expect(openDump(file, null)).rejects.toThrow('--default-character-set=utf8mb4')
  })
})
