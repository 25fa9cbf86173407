import type { Sql } from '../../src/core/database/client.ts'
import type { BenchServer } from './server.ts'

/** An operation to measure, and the minimal query for its response. */
export interface Operation {
  readonly name: string
  readonly path: string
  /** The bare query for the same rows as in the response; absent if the operation needs none. */
  readonly query?: (sql: Sql) => PromiseLike<unknown>
  /** The same query returning JSON from PostgreSQL, which may be faster for lists. */
  readonly asJson?: (sql: Sql) => PromiseLike<unknown>
  readonly list: boolean
}

const DEVICES = 1000
const PORTS_A_DEVICE = 48
const ALERTS = 2000
const EVENTS = 1_000_000
/** Rows on a page of a log. */
const PAGE = 50

const DEVICE_LIST = 'select * from devices d left join locations l on l.id = d.location_id order by lower(d.hostname)'
const PORT_COLUMNS = 'port_id,ifName,ifDescr,ifAlias,ifSpeed,ifOperStatus,ifAdminStatus,ifMtu,ifType,ifPhysAddress'
const PORT_LIST = `select ${PORT_COLUMNS.split(',')
  .map((c) => `"${c}"`)
  .join()} from ports where device_id = 7 and deleted = 0 order by "ifIndex"`
const ALERT_LIST = `select d.hostname, a.id, a.device_id, a.rule_id, a.state, a.alerted, a.open, a.note, a.timestamp::text, a.info,
  r.severity, r.name, r.proc, r.notes
  from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id where a.state = 1 order by a.id`
const eventPage = (
  where: string,
) => `select d.hostname, d."sysName", x.event_id, x.device_id, x.datetime::text, x.message, x.type,
  x.reference, x.username, x.severity from eventlog x left join devices d on d.device_id = x.device_id
  where ${where} order by x.datetime desc, x.event_id desc limit ${PAGE}`

function queries(text: string): Pick<Operation, 'query' | 'asJson'> {
  return {
    query: (sql) => sql.unsafe(text, [], { prepare: true }),
    asJson: (sql) => sql.unsafe(`select json_agg(t)::text from (${text}) t`, [], { prepare: true }),
  }
}

export const OPERATIONS: readonly Operation[] = [
  { name: 'ping', path: '/api/v0/ping', list: false },
  { name: `list_devices, ${DEVICES}`, path: '/api/v0/devices', list: true, ...queries(DEVICE_LIST) },
  {
    name: 'get_device',
    path: '/api/v0/devices/7',
    list: false,
    query: (sql) => sql`select * from devices d left join locations l on l.id = d.location_id where d.device_id = ${7}`,
  },
  {
    name: `get_device_ports, ${PORTS_A_DEVICE} x 10 columns`,
    path: `/api/v0/devices/7/ports?columns=${PORT_COLUMNS}`,
    list: true,
    ...queries(PORT_LIST),
  },
  {
    name: 'get_port_info',
    path: '/api/v0/ports/7',
    list: false,
    query: (sql) => sql`select * from ports where port_id = ${7}`,
  },
  { name: `list_alerts, ${ALERTS}`, path: '/api/v0/alerts?state=1', list: true, ...queries(ALERT_LIST) },
  {
    name: `list_eventlog, ${PAGE} of ${EVENTS}`,
    path: `/api/v0/logs/eventlog?limit=${PAGE}&sortorder=DESC`,
    list: true,
    ...queries(eventPage('true')),
  },
  {
    name: `list_eventlog of a device, ${PAGE} of ${EVENTS / DEVICES}`,
    path: `/api/v0/logs/eventlog/7?limit=${PAGE}&sortorder=DESC`,
    list: true,
    ...queries(eventPage('x.device_id = 7')),
  },
]

/** Inserts the rows that the operations read. */
export async function fill({ store: { sql } }: BenchServer): Promise<void> {
  await sql`
    insert into devices (hostname, "sysName", display, ip, community, snmpver, "sysObjectID", "sysDescr", "sysContact", version, hardware, serial, os, status, uptime, last_polled, last_poll_attempted, last_discovered, last_polled_timetaken, type, icon, disabled)
    select 'switch-' || n, 'switch-' || n || '.example.net', 'switch-' || n, ('10.0.' || n / 256 || '.' || n % 256)::inet, 'public', 'v2c',
      '.1.3.6.1.4.1.9.1.2440', 'Cisco IOS Software, Catalyst L3 Switch Software (CAT9K_IOSXE), Version 17.3.5, RELEASE SOFTWARE (fc2)', 'noc@example.net',
      '17.3.5', 'C9300-48P', 'FCW' || n, 'iosxe', 1, 8000000 + n, now(), now(), now(), 0.4, 'network', 'cisco.svg', 1
    from generate_series(1, ${DEVICES}) n`
  await sql`
    insert into ports (device_id, "ifIndex", "ifName", "ifDescr", "ifAlias", "ifType", "ifSpeed", "ifOperStatus", "ifAdminStatus", "ifMtu", "ifPhysAddress")
    select d, n, 'Gi0/' || n, 'GigabitEthernet0/' || n, 'link to floor ' || n, 'ethernetCsmacd', 1000000000, 'up', 'up', 1500, lpad(to_hex(n), 12, '0')
    from generate_series(1, ${DEVICES}) d, generate_series(1, ${PORTS_A_DEVICE}) n`
  await sql`
    insert into alert_rules (severity, extra, name, query, builder)
    select 'critical', '{}', 'Rule ' || n, 'devices.status = 0', '{}' from generate_series(1, ${ALERTS / DEVICES}) n`
  await sql`
    insert into alerts (device_id, rule_id, state, alerted, open, note)
    select d, r.id, 1, 1, 0, '' from alert_rules r, generate_series(1, ${DEVICES}) d where r.name like 'Rule %'`
  await sql`
    insert into eventlog (device_id, datetime, message, type, reference, username, severity)
    select 1 + n % ${DEVICES}, now() - (${EVENTS} - n) * interval '1 second', 'ifOperStatus: up -> down', 'interface', n::text, '', 5
    from generate_series(1, ${EVENTS}) n`
  await sql`vacuum analyze`
}
