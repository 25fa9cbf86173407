import { deviceInScope, deviceInScopeText, portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'
import type { FoundKind, FoundRows } from './found-rows.ts'

interface FoundList {
  /** Rows with `device_id`, `port_id` and `level`; the latter may come from `beside`. */
  readonly rows: string
  /** Columns of other devices, and where they come from; read for the rows `x` of a page. `r` is a device in scope. */
  readonly beside?: { readonly columns: string; readonly join: (inScope: string) => string }
  /** Columns that the search text may match. */
  readonly searched: readonly string[]
  /** Order within a device. */
  readonly order: string
}

/** Wireless values by class; a controller reports one of each class for every access point or radio. */
const wireless = (name: string, as: string, how = 'max') =>
  `${how}(w.sensor_current) filter (where w.sensor_class = '${name}') as ${as}`

const LISTS: Readonly<Record<FoundKind, FoundList>> = {
  nac: {
    rows: `select n.device_id, n.port_id, n.mac_address as mac, n.username, n.ip_address as address, n.domain, n.method,
        n.authz_status as status, n.vlan, n.updated_at as seen, n.historical = 1 as ended,
        case when n.historical = 1 then 'off' when n.authz_status ilike 'auth%success' or n.authz_status ilike 'authorized' then 'ok'
          when n.authz_status ilike '%fail%' or n.authz_status ilike 'unauth%' then 'bad' else 'off' end as level
      from ports_nac n`,
    searched: ['mac', 'username', 'address', 'domain', 'status', 'method'],
    order: 'ended, seen desc, mac',
  },
  security: {
    rows: `select s.device_id, s.port_id, s.status, s.address_count as addresses, s.max_addresses, s.violation_count as violations,
        s.violation_action as action, nullif(s.last_mac_address, '') as last_mac, s.sticky_enable as sticky,
        case when s.port_security_enable is distinct from 1 then 'off' when s.status = 'shutdown' then 'bad'
          when s.violation_count > 0 then 'warn' else 'ok' end as level
      from port_security s`,
    searched: ['status', 'last_mac'],
    order: 'natural_key(port)',
  },
  ipsec: {
    rows: `select t.device_id, null::int as port_id, t.tunnel_name as name, t.peer_addr as peer, t.local_addr as local, t.tunnel_status as status,
        case when t.tunnel_status = 'active' then 'ok' else 'bad' end as level
      from ipsec_tunnels t`,
    searched: ['name', 'peer', 'local', 'status'],
    order: 'natural_key(name), natural_key(peer)',
  },
  mpls: {
    rows: `select s.device_id, null::int as port_id, 'service' as kind, s.svc_oid::float8 as service, nullif(s."svcDescription", '') as name, s."svcType" as type,
        s."svcAdminStatus" as admin, s."svcOperStatus" as oper, null as encapsulation, s."svcMtu" as mtu, s."svcNumSaps" as saps,
        case when s."svcAdminStatus" = 'down' then 'off' when s."svcOperStatus" = 'up' then 'ok' when s."svcOperStatus" is null then 'off' else 'bad' end as level
      from mpls_services s
      union all select s.device_id, p.port_id, 'access point', s.svc_oid::float8, nullif(s."sapDescription", ''), s."sapType",
        s."sapAdminStatus", s."sapOperStatus", s."sapEncapValue", null, null,
        case when s."sapAdminStatus" = 'down' then 'off' when s."sapOperStatus" = 'up' then 'ok' when s."sapOperStatus" is null then 'off' else 'bad' end
      from mpls_saps s left join lateral (select p.port_id from ports p where p.device_id = s.device_id and p.deleted = 0
        and p."ifName" = s."ifName" order by p.port_id limit 1) p on true`,
    searched: ['service::bigint::text', 'name', 'type', 'encapsulation'],
    order: 'service, kind desc, natural_key(port), natural_key(encapsulation)',
  },
  'default-routes': {
    rows: 'select t.default_route_id as id, t.device_id, t.port_id, t.next_hop from default_routes t',
    beside: {
      columns: `r.device_id as hop_id, coalesce(nullif(r.display, ''), r.hostname) as hop, r.status = 1 as hop_up,
        case when r.status = 1 then 'ok' when r.status = 0 and r.disabled = 0 then 'bad' else 'off' end as level`,
      join: (inScope) => `left join lateral (
          select min(o.device_id) as device_id from (
              select port_id from ipv4_addresses where ipv4_address = x.next_hop
              union all select port_id from ipv6_addresses where ipv6_compressed = x.next_hop) a
            join ports p using (port_id) join devices o using (device_id)
          where p.deleted = 0 and o.device_id <> x.device_id
            and o.poller_group = (select poller_group from devices where device_id = x.device_id)
          having count(distinct o.device_id) = 1) h on true
        left join devices r on r.device_id = h.device_id and ${inScope}`,
    },
    searched: ['next_hop'],
    order: 'natural_key(next_hop)',
  },
  isis: {
    rows: `select a.id, a.device_id, a.port_id, a."isisISAdjNeighSysID" as neighbour, a."isisISAdjIPAddrAddress" as address, a."isisISAdjUsage" as usage,
        a."isisISAdjAreaAddress" as area, a."isisISAdjState" as state, a."isisISAdjUptime"::float8 as up_s, a."isisISAdjHoldTimer" as hold_s,
        case when a."isisISAdjState" = 'up' then 'ok' when a."isisCircAdminState" = 'off' or a."isisISAdjState" is null then 'off' else 'bad' end as level
      from isis_adjacencies a`,
    searched: ['neighbour', 'address', 'area', 'state'],
    order: 'natural_key(port), neighbour, usage',
  },
  stp: {
    rows: `select t.stp_id as id, t.device_id, s.port_id, t.instance, t.protocol, t."bridgeAddress" as bridge, t.priority, t."designatedRoot" as root,
        t."rootPriority" as root_priority, t.is_root = 1 as is_root, t."rootCost"::float8 as cost, t."topChanges"::float8 as changes,
        t."timeSinceTopologyChange"::float8 as since_s, case when t.is_root is null then 'off' else 'ok' end as level
      from stp t left join ports_stp s on s.device_id = t.device_id and s.instance = t.instance and s.port_index = t."rootPort"
        and t.is_root is distinct from 1`,
    searched: ['instance', 'protocol', 'bridge', 'root'],
    order: 'natural_key(instance)',
  },
  'stp-ports': {
    rows: `select s.port_stp_id as id, s.device_id, s.port_id, s.instance, s.port_index as number, s.state, s.role, s."pathCost"::float8 as cost, s.priority,
        s."designatedBridge" as designated, s."forwardTransitions"::float8 as transitions, s.edge = 1 as edge,
        case s.state when 'forwarding' then 'ok' when 'blocking' then 'warn' when 'learning' then 'warn' when 'listening' then 'warn' else 'off' end as level
      from ports_stp s`,
    searched: ['instance', 'state', 'role', 'designated'],
    order: 'natural_key(instance), number',
  },
  qos: {
    rows: `select q.qos_id as id, q.device_id, q.port_id, q.circuit, q.direction, q.policy, q.class, q.offered_rate as offered, q.sent_rate as sent,
        q.dropped_rate as dropped_bits, q.dropped_packets_rate as dropped,
        case when q.dropped_packets_rate > 0 then 'warn' when q.dropped_packets_rate is null then 'off' else 'ok' end as level
      from qos_classes q`,
    searched: ['circuit', 'direction', 'policy', 'class'],
    order: 'natural_key(port), circuit, direction, policy, class, id',
  },
  balancers: {
    rows: `select c.device_id, null::int as port_id,
        case c.type when 'f5-ltm-vs' then 'virtual server' when 'f5-ltm-pool' then 'pool'
          when 'f5-ltm-bwc' then 'bandwidth policy' else 'member' end as kind,
        coalesce(case when c.type = 'f5-ltm-poolmember' then coalesce(a.nodename, a.ip) else c.label end, '') as name,
        case c.type when 'f5-ltm-vs' then a.pool when 'f5-ltm-poolmember' then c.label end as pool,
        concat_ws(' port ', a.ip, a.port_number) as address, coalesce(c.error, '') as error, m.up, m.members,
        case when c.disabled = 1 then 'off' when c.status = 0 then 'ok' when c.status = 1 then 'warn' else 'bad' end as level
      from component c left join lateral (
          select max(value) filter (where attribute = 'IP') as ip, max(value) filter (where attribute = 'port') as port_number,
            max(value) filter (where attribute = 'nodename') as nodename, max(value) filter (where attribute = 'pool') as pool
          from component_prefs where component = c.id) a on true
        left join lateral (
          select count(*) filter (where status = 0)::int as up, count(*)::int as members from component m
          where c.type = 'f5-ltm-pool' and m.device_id = c.device_id and m.type = 'f5-ltm-poolmember' and m.label = c.label
            and m.disabled = 0) m on c.type = 'f5-ltm-pool'
      where c.type in ('f5-ltm-vs', 'f5-ltm-pool', 'f5-ltm-poolmember', 'f5-ltm-bwc')`,
    searched: ['name', 'kind', 'pool', 'address', 'error'],
    order: `array_position(array['virtual server', 'pool', 'member', 'bandwidth policy'], kind), natural_key(pool), natural_key(name)`,
  },
  supplies: {
    rows: `select s.device_id, null::int as port_id, s.supply_descr as name, s.supply_type as type, s.supply_current as left,
        case when s.supply_current is null then 'off' when s.supply_current < 5 then 'bad' when s.supply_current < 15 then 'warn' else 'ok' end as level
      from printer_supplies s`,
    searched: ['name', 'type'],
    order: 'type, natural_key(name)',
  },
  optics: {
    rows: `select t.device_id, t.port_id, t.type, t.vendor, t.model, t.serial, t.wavelength, t.distance as reach, t.connector, x.rx, x.tx, x.celsius,
        case when x.beyond then 'bad' when x.near then 'warn' when x.known then 'ok' else 'off' end as level
      from transceivers t left join ports q on q.port_id = t.port_id left join lateral (
        select min(s.sensor_current) filter (where s.sensor_class = 'dbm' and s.sensor_descr ~* '\\m(rx|receive|input)') as rx,
          min(s.sensor_current) filter (where s.sensor_class = 'dbm' and s.sensor_descr ~* '\\m(tx|transmit|output)') as tx,
          max(s.sensor_current) filter (where s.sensor_class = 'temperature') as celsius,
          bool_or(s.sensor_current > s.sensor_limit or s.sensor_current < s.sensor_limit_low) as beyond,
          bool_or(s.sensor_current > s.sensor_limit_warn or s.sensor_current < s.sensor_limit_low_warn) as near,
          bool_or(s.sensor_current is not null) as known
        from sensors s where s.device_id = t.device_id and s.sensor_deleted = 0 and s.sensor_class <> 'state' and (
          (s."entPhysicalIndex_measured" = 'ports' and s."entPhysicalIndex" = q."ifIndex"::text)
          or (s."entPhysicalIndex_measured" is null and (s."entPhysicalIndex" = t.entity_physical_index::text
            or s."entPhysicalIndex" in (select e."entPhysicalIndex"::text from "entPhysical" e
              where e.device_id = q.device_id and e."ifIndex" = q."ifIndex"))))) x on true`,
    searched: ['type', 'vendor', 'model', 'serial'],
    order: 'natural_key(port), model',
  },
  radios: {
    rows: `select w.device_id, null::int as port_id, coalesce(nullif(w.sensor_descr, ''), w.sensor_index, '') as name,
        ${wireless('clients', 'clients', 'sum')}, ${wireless('power', 'power')}, ${wireless('snr', 'snr', 'min')},
        ${wireless('noise-floor', 'noise')}, ${wireless('frequency', 'frequency')}, ${wireless('channel', 'channel')},
        ${wireless('utilization', 'utilisation')}, ${wireless('quality', 'quality', 'min')},
        case when bool_or(w.sensor_current > w.sensor_limit or w.sensor_current < w.sensor_limit_low) then 'bad'
          when bool_or(w.sensor_current > w.sensor_limit_warn or w.sensor_current < w.sensor_limit_low_warn) then 'warn'
          when bool_or(w.sensor_current is not null) then 'ok' else 'off' end as level
      from wireless_sensors w where w.sensor_deleted = 0
        and w.sensor_class in ('clients', 'power', 'snr', 'noise-floor', 'frequency', 'channel', 'utilization', 'quality')
      group by w.device_id, coalesce(nullif(w.sensor_descr, ''), w.sensor_index, '')`,
    searched: ['name'],
    order: 'natural_key(name)',
  },
}

export const FOUND_KINDS = Object.keys(LISTS) as readonly FoundKind[]

export interface FoundQuery {
  /** null: all enabled devices. */
  readonly deviceId: number | null
  /** Part of the device's or port's name, or of the row's own text, case-insensitive; '' for all. */
  readonly text: string
  readonly offset: number
  readonly limit: number
}

/** A page of what discovery found of this kind on devices and ports in scope, by device. */
export async function listFound<K extends FoundKind>(
  { sql }: Store,
  scope: Scope,
  kind: K,
  query: FoundQuery,
): Promise<{ rows: FoundRows[K][]; total: number }> {
  const { rows, beside, searched, order } = LISTS[kind]
  const mine = deviceInScope(sql, scope)
  const like = containing(query.text)
  const text = ['device', 'port', ...searched].map((column) => `coalesce(${column}::text, '')`).join(` || ' ' || `)
  const sorted = sql.unsafe(`natural_key(device), device_id, ${order}`)
  const page = sql`select x.*, count(*) over ()::int as total from (
        select f.*, case when ${mine} then coalesce(nullif(d.display, ''), d.hostname) end as device, coalesce(p."ifName", p."ifDescr") as port
        from (${sql.unsafe(rows)}) f join devices d on d.device_id = f.device_id left join ports p on p.port_id = f.port_id
        where (${mine} or ${portInScope(sql, scope)})
          and ${query.deviceId === null ? sql`d.disabled = 0` : sql`f.device_id = ${query.deviceId}`}) x
      where ${query.text === '' ? sql`true` : sql`${sql.unsafe(text)} ilike ${like}`}
      order by ${sorted} limit ${query.limit} offset ${query.offset}`
  type Row = FoundRows[K] & { total: number }
  const found = beside
    ? await sql<Row[]>`
        select x.*, ${sql.unsafe(beside.columns)}
        from (select p.*, row_number() over () as place from (${page}) p) x ${sql.unsafe(beside.join(deviceInScopeText(scope, 'r')))}
        order by x.place`
    : await sql<Row[]>`${page}`
  return { rows: found, total: found[0]?.total ?? 0 }
}
