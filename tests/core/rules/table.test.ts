import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { compile } from '../../../src/core/rules/compile.ts'
import { brokenRule, ruleFaults } from '../../../src/core/rules/read-matches.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { CASES, GROUPS, REFUSED } from './cases.ts'

setDefaultTimeout(60_000)

// Fixed data, and what rules match on it. Devices are 1 to 5.

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database.store
  await sql`insert into locations (id, location) values (1, 'Berlin DC1'), (2, 'Hamburg')`
  await sql`
    insert into devices (device_id, hostname, "sysName", os, version, hardware, serial, uptime, status, status_reason,
      disabled, ignore, type, location_id, ip, purpose, notes, last_polled)
    values (1, 'core1.example.net', 'CORE1', 'junos', '9.10', 'MX204', '0010', 100, 1, '', 0, 0, 'network', 1,
        '192.0.2.1', null, 'spare in rack 4', now()),
      (2, 'edge_2.example.net', 'edge2', 'JUNOS', '9.9', 'MX80', '10', 5000, 0, 'icmp', 0, 0, 'network', 2,
        '192.0.2.2', 'transit', null, now() - interval '7 minutes'),
      (3, 'host3', null, 'linux', 'rolling', null, 'A-1', null, 0, 'snmp', 1, 0, 'server', null,
        null, null, '', null),
      (4, 'ups-4', 'ups', 'apc', '', 'Smart-UPS', '', 0, 1, '', 0, 1, 'power', 2,
        '2001:db8::4', null, null, now() - interval '40 minutes'),
      (5, 'sw5.example.net', 'SW5', 'ios', '15.2(4)E', 'C2960X', '2E1', 86400, 1, '', 0, 0, 'network', 1,
        '198.51.100.5', '100%', 'path C:\\tmp', now())`
  await sql`
    insert into ports (port_id, device_id, "ifIndex", "ifName", "ifAlias", "ifOperStatus", "ifOperStatus_prev",
      "ifAdminStatus", "ifSpeed", deleted, ignore)
    values (11, 1, 1, 'ge-0/0/0', 'Transit: 50%', 'up', 'up', 'up', 1000, 0, 0),
      (12, 1, 2, 'ge-0/0/1', 'uplink', 'down', 'up', 'up', 1000, 0, 0),
      (13, 1, 3, 'ge-0/0/2', null, 'down', 'down', 'down', 0, 0, 0),
      (21, 2, 1, 'xe-0', 'Peering', 'down', 'down', 'up', 10000, 0, 0),
      (51, 5, 1, 'Gi0/1', 'uplink to core', 'up', 'down', 'up', 1000, 0, 0),
      (52, 5, 2, 'Gi0/2', '', 'down', 'up', 'up', null, 1, 0),
      (53, 5, 3, 'Gi0/3', 'desk', 'down', 'up', 'up', 100, 0, 1)`
  await sql`
    insert into sensors (sensor_id, device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr,
      sensor_current, sensor_limit, sensor_limit_low, sensor_alert)
    values (1, 1, 'temperature', 'a', '1', '.1', 'Inlet', 45, 40, 5, 1),
      (2, 1, 'temperature', 'a', '2', '.1', 'Exhaust', 30, 60, null, 1),
      (3, 4, 'voltage', 'a', '1', '.1', 'Output', 190, 250, 200, 1),
      (4, 5, 'state', 'psuState', '1', '.1', 'PSU 1', 2, null, null, 1),
      (5, 5, 'temperature', 'a', '5', '.1', 'CPU', null, 70, null, 0)`
  await sql`insert into state_indexes (state_index_id, state_name) values (1, 'psuState')`
  await sql`insert into state_translations (state_translation_id, state_index_id, state_descr, state_draw_graph, state_value, state_generic_value)
    values (1, 1, 'ok', 0, 1, 0), (2, 1, 'failed', 0, 2, 2)`
  await sql`insert into sensors_to_state_indexes (sensor_id, state_index_id) values (4, 1)`
  await sql`
    insert into processors (device_id, processor_oid, processor_index, processor_type, processor_descr, processor_usage)
    values (1, '.1', '1', 'hr', 'RE0', 20), (1, '.1', '2', 'hr', 'RE1', 40), (5, '.1', '1', 'hr', 'CPU', 95)`
  await sql`
    insert into storage (device_id, type, storage_index, storage_descr, storage_perc, storage_size)
    values (3, 'hr', '1', '/var', 99, 1000), (3, 'hr', '2', '/', 20, 1000), (5, 'hr', '1', 'flash:', 60, 10)`
  await sql`
    insert into services (service_id, device_id, service_type, service_status, service_ignore, service_disabled, service_param)
    values (1, 3, 'http', 2, 0, 0, '-p hunter2'), (2, 5, 'ssh', 0, 0, 0, ''), (3, 1, 'https', 2, 0, 1, '')`
  await sql`
    insert into "bgpPeers" (device_id, "bgpPeerIdentifier", "bgpPeerRemoteAs", "bgpPeerState", "bgpPeerAdminStatus")
    values (1, '192.0.2.9', 64496, 'established', 'start'), (1, '192.0.2.10', 64497, 'idle', 'start'),
      (2, '2001:db8::9', 4200000000, 'active', 'stop')`
  await sql`insert into eventlog (device_id, message, type, severity) values (5, 'Interface Gi0/2 went down', 'interface', 4)`
  await sql`insert into syslog (device_id, program, msg, level) values (1, 'LINEPROTO', 'line protocol changed', 'notice')`
  await sql`
    insert into bills (bill_id, bill_name, bill_type, bill_quota, bill_cdr, total_data, rate_95th, dir_95th,
      bill_custid, bill_ref, bill_notes)
    values (1, 'Transit', 'quota', 100, 0, 150, 0, 'in', '', '', ''), (2, 'Office', 'cdr', 0, 1000, 0, 500, 'in', '', '', '')`
  await sql`insert into bill_ports (bill_id, port_id) values (1, 11), (2, 51)`
  await sql`insert into component (id, device_id, type, label, status, disabled, ignore)
    values (1, 1, 'module', 'FPC0', 2, 0, 0), (2, 5, 'module', 'stack', 0, 0, 0), (3, 4, 'module', 'off', 2, 1, 0)`
}, 60_000)
afterAll(() => database?.drop())

const json = (rule: readonly unknown[]) => ({ field: rule[0], operator: rule[1], value: rule[2] ?? '' })

async function matches(builder: unknown): Promise<number[]> {
  const compiled = compile(builder)
  expect(await brokenRule(database.store, compiled)).toBeNull()
  const { store } = database
  const rows = await store.sql.unsafe<{ device_id: number }[]>(compiled.members, [...compiled.params])
  const members = rows.map((row) => row.device_id).toSorted((a, b) => a - b)
  // faults are on the same devices, except that a device without rows may match
  const faults = await ruleFaults(store, compiled, null)
  if (faults.kind !== 'rows') throw new Error(faults.message)
  for (const { device_id, fault } of faults.rows) {
    expect(members).toContain(device_id)
    expect(JSON.stringify(fault)).not.toContain('hunter2')
  }
  return members
}

test.each(CASES)('%s %s %p', async (field, operator, value, expected) => {
  expect(await matches({ condition: 'AND', rules: [json([field, operator, value])] })).toEqual([...expected])
})

test.each(GROUPS)('%s', async (_, builder, expected) => {
  expect(await matches(builder)).toEqual([...expected])
})

test.each(REFUSED)('%s is refused: %s', (field, reason) => {
  expect(() => compile({ condition: 'AND', rules: [json([field, 'equal', '1'])] })).toThrow(reason)
})

test('the table has at least 150 inputs', () => {
  expect(CASES.length + GROUPS.length).toBeGreaterThanOrEqual(150)
})
