import { expect, setDefaultTimeout, test } from 'bun:test'
import { dropLeftovers } from '../../../src/core/system/read-leftovers.ts'
import { testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)

/** Rows are the state of what devices have now: limits of discovery bound them, and a later discovery replaces them. */
const DISCOVERED = 'what a device has now, within the limits of discovery (discovery.max_rows, max_ports, max_octets)'
const GONE = `${DISCOVERED}; what is gone: discovery.keep_gone_days, discovery.max_gone`
/** People and programs with a right to write add these one by one. */
const ENTERED = 'entered by people and programs with the right to do so'
const ONE = 'at most one row for each of something else that is bounded'
const LOG = (setting: string) => `partitions are dropped after ${setting} days`
const SCHEMA = 'describes the schema or this program'
const CANDIDATES =
  'limits of the whole and of each reporting device, and candidates_purge (src/core/candidates/limits.ts)'
const IMPORT = 'one import of an installation'

/** What bounds the number of rows of each table. A new table needs a line, and whatever it says has to be true. */
const BOUNDS: Readonly<Record<string, string>> = {
  alert_device_map: ENTERED,
  alert_group_map: ENTERED,
  alert_location_map: ENTERED,
  alert_log: LOG('alert_log_purge'),
  alert_operation_segments: ENTERED,
  alert_operation_transport_map: ENTERED,
  alert_operations: ENTERED,
  alert_attempts: 'at most alert.rate for each transport and minute; deleted after 10 minutes',
  alert_messages: 'each has a notification of the outbox; deleted 90 days after they were sent or given up',
  alert_outbox: 'an alert waits with one reminder; sent ones are deleted after 7 days, those given up after 90',
  alert_paths: 'one for each transport',
  alert_rule_failures: ONE,
  alert_rules: ENTERED,
  alert_schedulables: ENTERED,
  alert_schedule: ENTERED,
  alert_template_map: ENTERED,
  alert_templates: ENTERED,
  alert_transport_groups: ENTERED,
  alert_transport_map: ENTERED,
  alert_transports: ENTERED,
  alerts: 'one for each rule and device',
  api_tokens: ENTERED,
  as_names: 'AS numbers of BGP peers',
  authlog: LOG('authlog_purge'),
  availability: 'one for each device and window of graphing.availability',
  bgpPeers: DISCOVERED,
  bgpPeers_cbgp: DISCOVERED,
  bill_data:
    'one for 5 minutes of a bill, which is the record that is billed from; none before its ports were monitored',
  bill_history: 'one for each period of a bill',
  bill_late: 'one for each billed port',
  bill_perms: ENTERED,
  bill_ports: ENTERED,
  bill_ports_past: ENTERED,
  bills: ENTERED,
  candidate_addresses: CANDIDATES,
  candidate_evidence: CANDIDATES,
  candidate_rules: 'entered by people, 1000 at most',
  candidate_sources: CANDIDATES,
  candidates: CANDIDATES,
  cluster_lead: 'one row',
  component: `${DISCOVERED}, or ${ENTERED}`,
  component_prefs: 'attributes of components',
  component_statuslog: 'deleted after eventlog_purge days',
  computed_parents: 'at most MAX_CONTACT_METHODS for each device',
  config: 'one for each setting',
  device_claims: ONE,
  device_failures: ONE,
  device_graphs: 'one for each device and graph of statistics that this program knows',
  device_group_device: 'one for each group and device',
  device_groups: ENTERED,
  device_modules: 'one for each device and module',
  device_doubles: 'at most MAX_DOUBLES (src/core/identity/find-doubles.ts)',
  device_other_addresses: 'the latest of each device, within a limit (src/core/candidates/limits.ts)',
  device_outages: 'deleted after device_outages_purge days',
  device_unreachable: 'deleted after device_outages_purge days',
  device_relationships: ENTERED,
  devices: ENTERED,
  devices_attribs: `${ENTERED}; notes of a port are deleted with it`,
  devices_group_perms: ENTERED,
  devices_perms: ENTERED,
  discovery_failures: 'one for each kind of rows of a device, and deleted when they can be stored',
  entPhysical: DISCOVERED,
  eventlog: `${LOG('eventlog_purge')}; more than 50 changes of a kind at once are one event`,
  fault_history: 'FAULT_BOUNDS.history for each fault',
  faults: 'open ones: MAX_KEYS of each alert; ended ones are deleted after alert.faults_purge days',
  gone_objects: 'discovery.keep_gone_days, discovery.max_gone',
  import_ids: IMPORT,
  import_marks: IMPORT,
  ipsec_tunnels: DISCOVERED,
  default_routes: DISCOVERED,
  ipv4_addresses: DISCOVERED,
  ipv4_mac: DISCOVERED,
  ipv4_networks: 'networks of the addresses that devices have; others are deleted every hour, except imported ones',
  ipv6_addresses: DISCOVERED,
  ipv6_nd: DISCOVERED,
  ipv6_networks: 'networks of the addresses that devices have; others are deleted every hour, except imported ones',
  isis_adjacencies: DISCOVERED,
  last_backup: 'one row',
  learned_values:
    'one for each thing that a rule on what is usual, or a forecast, may concern; deleted 8 days after the last such rule',
  links: DISCOVERED,
  listener_counts: 'one for each protocol and reason',
  live_events: 'the newest 10,000, and up to 1,000 more',
  locations: 'those that devices named and left are deleted after 90 days; the others are entered by people',
  locations_perms: ENTERED,
  log_batches: 'deleted after a day',
  log_counts: 'deleted with their partition',
  log_tables: SCHEMA,
  log_totals: 'added up every minute',
  mac_moves: 'sightings that begin, within sightings.max_per_hour; deleted after sightings_purge days',
  mempools: GONE,
  model_has_roles: ENTERED,
  mpls_saps: DISCOVERED,
  mpls_services: DISCOVERED,
  on_call_layers: 'MAX_LAYERS of each schedule',
  on_call_overrides: 'MAX_OVERRIDES of each schedule that are not over, and those of a year',
  on_call_schedules: 'MAX_SCHEDULES',
  on_call_turns: 'MAX_PEOPLE of each layer',
  on_call_ways: 'MAX_CONTACT_METHODS of each user',
  ospf_nbrs: DISCOVERED,
  ospf_ports: DISCOVERED,
  ospfv3_areas: DISCOVERED,
  ospfv3_instances: DISCOVERED,
  ospfv3_nbrs: DISCOVERED,
  ospfv3_ports: DISCOVERED,
  permissions: SCHEMA,
  poller_cluster: 'processes that have not run for 90 days are deleted',
  poller_cluster_stats: 'one for each process and kind of work',
  poller_groups: ENTERED,
  pollers: ENTERED,
  port_group_port: ENTERED,
  port_groups: ENTERED,
  port_refusals: 'deleted after series.keep_days',
  port_security: DISCOVERED,
  ports: GONE,
  ports_fdb: `${DISCOVERED}; deleted some days after they were last seen`,
  ports_nac: `${DISCOVERED}; former sessions are deleted after some days`,
  ports_perms: ENTERED,
  ports_stack: DISCOVERED,
  ports_stp: DISCOVERED,
  ports_vlans: DISCOVERED,
  printer_supplies: DISCOVERED,
  processors: DISCOVERED,
  remote_poller_refusals: 'the newest of each remote poller',
  remote_pollers: ENTERED,
  role_has_permissions: ENTERED,
  roles: ENTERED,
  scans: 'the newest 200; those before are deleted when one is added',
  schema_migrations: SCHEMA,
  schema_series: SCHEMA,
  second_factors: 'one for each user and device',
  secret_keys: 'one for each key in use',
  qos_classes: DISCOVERED,
  sensors: GONE,
  sensors_to_state_indexes: ONE,
  service_checks: ONE,
  push_subscriptions: 'MAX_BROWSERS for each user',
  service_datasets: 'the first 64 values of a service',
  services: ENTERED,
  sessions: 'auth.session_idle and auth.session_age, and a maximum for each user',
  sighting_readings: 'one for each device and table that sightings come from',
  sightings:
    'sightings.max_open and sightings.max_per_hour of each table of a device; ended ones are deleted after sightings_purge days',
  signing_keys: 'one for each purpose',
  site_keys: 'one for each remote poller',
  state_indexes: 'one for each kind of state that definitions declare',
  state_translations: 'the states of a kind that definitions declare',
  storage: DISCOVERED,
  stp: DISCOVERED,
  syslog: LOG('syslog_purge'),
  transceivers: DISCOVERED,
  transport_group_transport: ENTERED,
  trap_engine: 'one row',
  trap_senders: 'one for each engine that this program sends as',
  used_alert_links: 'one for each notification whose link was used; deleted when the link has expired',
  user_identities: ENTERED,
  users: ENTERED,
  users_prefs: 'one preference for each user, also of an import',
  vlans: DISCOVERED,
  vrfs: DISCOVERED,
  wireless_sensors: GONE,
}

test('for each table it is known what bounds it', async () => {
  const database = await testDatabase()
  try {
    const rows = await database.store.sql<{ name: string }[]>`
      select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
        and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(BOUNDS).toSorted())
  } finally {
    await database.drop()
  }
})

test('what is over is removed, and nothing else', async () => {
  const database = await testDatabase()
  const { sql } = database.store
  try {
    await sql`insert into locations (id, location, lat, lng, fixed_coordinates, "timestamp") values
      (1, 'left', null, null, 0, now() - interval '100 days'), (2, 'used', null, null, 0, now() - interval '100 days'),
      (3, 'entered', 1, 2, 1, now() - interval '100 days'), (4, 'new', null, null, 0, now())`
    await sql`insert into devices (device_id, hostname, location_id) values (1, 'd', 2)`
    const day = 86_400
    const now = Math.floor(Date.now() / 1000)
    for (const [down, up] of [
      [500, 450],
      [480, 399],
      [470, null],
    ] as const)
      await sql`insert into device_outages (device_id, going_down, up_again)
        values (1, ${now - down * day}, ${up === null ? null : now - up * day})`
    await sql`insert into device_unreachable (device_id, going_down, up_again) values (1, 1, ${now - 401 * day}),
      (1, 2, ${now - 399 * day}), (1, 3, null)`
    await sql`insert into poller_cluster (node_id, poller_name, last_report, master) values
      ('old', 'old', now() - interval '91 days', 0), ('recent', 'recent', now() - interval '89 days', 0)`
    await dropLeftovers(database.store, { outageDays: 400, eventDays: 30 })
    const left = async (query: string) => (await sql.unsafe<{ x: string }[]>(query)).map(({ x }) => x)
    expect(await left('select location as x from locations order by id')).toEqual(['used', 'entered', 'new'])
    expect(await left('select node_id as x from poller_cluster')).toEqual(['recent'])
    expect(
      await left(
        `select round((extract(epoch from now()) - going_down) / 86400)::text as x from device_outages order by going_down`,
      ),
    ).toEqual(['480', '470'])
    expect(await left('select going_down::text as x from device_unreachable order by going_down')).toEqual(['2', '3'])
    await dropLeftovers(database.store, { outageDays: 0, eventDays: 0 })
    expect(await left('select id::text as x from device_outages')).toHaveLength(2)
  } finally {
    await database.drop()
  }
})

test('networks without addresses are removed, except imported ones', async () => {
  const database = await testDatabase()
  const { sql } = database.store
  try {
    await sql`insert into devices (device_id, hostname) values (1, 'd')`
    await sql`insert into ports (port_id, device_id, "ifIndex") values (1, 1, 1)`
    await sql`insert into ipv4_networks (ipv4_network_id, ipv4_network) values
      (1, '192.0.2.0/28'), (2, '192.0.2.16/28'), (3, '192.0.2.32/28'), (4, '192.0.2.48/28')`
    await sql`insert into ipv6_networks (ipv6_network_id, ipv6_network) values (1, '2001:db8::/64'), (2, '2001:db8:1::/64')`
    await sql`insert into ipv4_addresses (ipv4_address, ipv4_prefixlen, ipv4_network_id, port_id)
      values ('192.0.2.1', 28, 1, 1)`
    await sql`insert into ipv6_addresses (ipv6_address, ipv6_compressed, ipv6_prefixlen, ipv6_origin, ipv6_network_id, port_id)
      values ('2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1', 64, 'manual', 1, 1)`
    await sql`insert into import_ids (source, table_name, source_id, target_id) values ('x', 'ipv4_networks', 70, 3)`
    const networks = async () =>
      (await sql<{ id: number }[]>`select ipv4_network_id as id from ipv4_networks order by 1`).map(({ id }) => id)
    await sql.begin(async (tx) => {
      // as discovery does with a network that it is about to use
      await tx`select from ipv4_networks where ipv4_network_id = 4 for key share`
      await dropLeftovers(database.store, { outageDays: 0, eventDays: 0 })
    })
    expect(await networks()).toEqual([1, 3, 4])
    await dropLeftovers(database.store, { outageDays: 0, eventDays: 0 })
    expect(await networks()).toEqual([1, 3])
    expect((await sql`select from ipv6_networks`).length).toBe(1)
  } finally {
    await database.drop()
  }
})

test('empty rows of bills from before their ports were monitored are removed, a bounded number at a time', async () => {
  const database = await testDatabase()
  const { sql } = database.store
  try {
    await sql`insert into devices (device_id, hostname, inserted) values (1, 'd', '2026-03-01 12:00Z'), (2, 'imported', null)`
    await sql`insert into ports (port_id, device_id, "ifIndex") values (1, 1, 1), (2, 2, 1)`
    await sql`insert into bills (bill_id, bill_name, bill_type, bill_custid, bill_ref, bill_notes, dir_95th) values (1, 'new', 'cdr', '', '', '', 'in'), (2, 'unknown date', 'cdr', '', '', '', 'in'),
      (3, 'imported rows', 'cdr', '', '', '', 'in'), (4, 'large', 'cdr', '', '', '', 'in')`
    await sql`insert into bill_ports (bill_id, port_id) values (1, 1), (2, 2), (3, 1), (4, 1)`
    const rows = (bill: number, from: string, count: number, period: number, unknown: number | null) => sql`
      insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta, unknown_s)
      select ${bill}, ${from}::timestamptz + i * interval '5 minutes', ${period}, ${period}, ${period}, 0, ${unknown}
      from generate_series(1, ${count}) i`
    for (const bill of [1, 2]) {
      await rows(bill, '2026-03-01 00:00Z', 150, 0, 300)
      await rows(bill, '2026-03-01 12:30Z', 10, 300, 0)
      // the device was down, which has to be known
      await rows(bill, '2026-03-01 13:20Z', 5, 0, 300)
    }
    await rows(3, '2026-02-01 00:00Z', 1, 300, null)
    await rows(3, '2026-02-02 00:00Z', 7, 0, 300)
    await rows(4, '2025-01-01 00:00Z', 650, 0, 300)
    await rows(4, '2026-03-01 12:30Z', 1, 300, 0)
    const left = async () =>
      (await sql<{ n: number }[]>`select count(*)::int as n from bill_data group by bill_id order by bill_id`).map(
        ({ n }) => n,
      )
    expect(await left()).toEqual([165, 165, 8, 651])
    await dropLeftovers(database.store, { outageDays: 0, eventDays: 0 }, 50)
    const [first = 0, second, third, large = 0] = await left()
    expect([second, third]).toEqual([165, 8])
    // of all bills together
    expect(165 - first + 651 - large).toBe(500)
    await dropLeftovers(database.store, { outageDays: 0, eventDays: 0 }, 50)
    // 6 after the device was added, 10 with traffic, 5 of the outage
    expect(await left()).toEqual([21, 165, 8, 1])
  } finally {
    await database.drop()
  }
})
