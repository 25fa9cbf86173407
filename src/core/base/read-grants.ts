import { isIP } from 'node:net'
import type { Sql, Store } from '../database/client.ts'
import { deviceGroupInScope, deviceInScope, type Granted, portInScope, type Scope } from './scope.ts'

/**
 * Every object that a change touches, as ids by kind (`names` excepted). A change of a group, location or rule counts
 * as a change of every member.
 */
export interface GrantReach {
  readonly devices?: readonly number[]
  readonly ports?: readonly number[]
  readonly bills?: readonly number[]
  readonly deviceGroups?: readonly number[]
  readonly portGroups?: readonly number[]
  /** A group without devices is in everybody's reach. 0 is the general group. */
  readonly pollerGroups?: readonly number[]
  readonly locations?: readonly number[]
  readonly rules?: readonly number[]
  readonly services?: readonly number[]
  readonly components?: readonly number[]
  /** Locations that a device is moved to. Allowed if one of its devices is in scope, or if it has no devices. */
  readonly places?: readonly number[]
  /** Locations by name, case-insensitive. A name that does not exist yet creates a location. */
  readonly placeNames?: readonly string[]
  /** Hostnames and addresses that a device is to get. No device outside the scope may already use them. */
  readonly names?: readonly string[]
}

export type ReachKind = keyof GrantReach

/** SQL condition that the scope covers `x.ref` (an id or text). Objects that do not exist are not covered. */
type Covered = (sql: Sql, scope: Granted) => ReturnType<Sql>

const COVERED: Readonly<Record<ReachKind, Covered>> = {
  devices: (sql, scope) =>
    sql`exists (select from devices d where d.device_id = x.ref and ${deviceInScope(sql, scope)})`,
  ports: (sql, scope) => sql`exists (select from ports p where p.port_id = x.ref and ${portInScope(sql, scope)})`,
  bills: (sql, { userId }) => sql`x.ref in (select bill_id from bill_perms where user_id = ${userId})`,
  deviceGroups: (sql, scope) => sql`(
    exists (select from device_groups g where g.id = x.ref and g.type = 'static' and ${deviceGroupInScope(sql, scope)})
    and not exists (select from device_group_device m join devices d on d.device_id = m.device_id
      where m.device_group_id = x.ref and not ${deviceInScope(sql, scope)}))`,
  portGroups: (sql, scope) => sql`(
    exists (select from port_groups g where g.id = x.ref)
    and not exists (select from port_group_port m join ports p on p.port_id = m.port_id
      where m.port_group_id = x.ref and not ${portInScope(sql, scope)}))`,
  pollerGroups: (sql, scope) => sql`not exists (
    select from devices d where d.poller_group = x.ref and not ${deviceInScope(sql, scope)})`,
  locations: (sql, scope) => sql`(
    exists (select from devices d where d.location_id = x.ref)
    and not exists (select from devices d where d.location_id = x.ref and not ${deviceInScope(sql, scope)}))`,
  rules: (sql, scope) => sql`(
    exists (select from alert_rules r where r.id = x.ref and r.invert_map = 0)
    and (exists (select from alert_device_map m where m.rule_id = x.ref)
      or exists (select from alert_group_map m where m.rule_id = x.ref)
      or exists (select from alert_location_map m where m.rule_id = x.ref))
    and not exists (select from alert_device_map m join devices d on d.device_id = m.device_id
      where m.rule_id = x.ref and not ${deviceInScope(sql, scope)})
    and not exists (select from (select group_id as ref from alert_group_map where rule_id = x.ref) x
      where not ${COVERED.deviceGroups(sql, scope)})
    and not exists (select from (select location_id as ref from alert_location_map where rule_id = x.ref) x
      where not ${COVERED.locations(sql, scope)}))`,
  services: (sql, scope) => sql`exists (select from services s join devices d on d.device_id = s.device_id
    where s.service_id = x.ref and ${deviceInScope(sql, scope)})`,
  components: (sql, scope) => sql`exists (select from component c join devices d on d.device_id = c.device_id
    where c.id = x.ref and ${deviceInScope(sql, scope)})`,
  places: (sql, scope) => sql`exists (select from locations l where l.id = x.ref and ${isPlace(sql, scope)})`,
  placeNames: (sql, scope) =>
    sql`not exists (select from locations l where lower(l.location) = lower(x.ref) and not ${isPlace(sql, scope)})`,
  names: (sql, scope) => sql`not exists (select from devices d
    where (lower(d.hostname) = lower(x.ref) or lower(d."sysName") = lower(x.ref) or lower(d.overwrite_ip) = lower(x.ref)
        or host(d.ip) = x.ref
        or exists (select from ports p join ipv4_addresses a on a.port_id = p.port_id
          where p.device_id = d.device_id and p.deleted = 0 and a.ipv4_address = x.ref)
        or exists (select from ports p join ipv6_addresses a on a.port_id = p.port_id
          where p.device_id = d.device_id and p.deleted = 0 and x.ref in (a.ipv6_address, a.ipv6_compressed)))
      and not ${deviceInScope(sql, scope)})`,
}

/** Condition on alias `l`: the location has a device in scope, or no devices at all. */
function isPlace(sql: Sql, scope: Granted) {
  return sql`(exists (select from devices d where d.location_id = l.id and ${deviceInScope(sql, scope)})
    or not exists (select from devices d where d.location_id = l.id))`
}

const TEXTS: ReadonlySet<ReachKind> = new Set<ReachKind>(['placeNames', 'names'])

/** The first kind with an object outside the scope; null: the scope covers everything. */
export async function firstBeyond({ sql }: Store, scope: Scope, reach: GrantReach): Promise<ReachKind | null> {
  if (scope.kind === 'all') return null
  for (const kind of Object.keys(COVERED) as ReachKind[]) {
    const refs = [...new Set<number | string>(reach[kind] ?? [])]
    if (refs.length === 0) continue
    const list = TEXTS.has(kind)
      ? sql`jsonb_array_elements_text(${JSON.stringify(refs.map((ref) => canonical(String(ref))))}::text::jsonb)`
      : sql`unnest(${refs.map(Number)}::int[])`
    const beyond = await sql`select from ${list} x(ref) where not ${COVERED[kind](sql, scope)} limit 1`
    if (beyond.length > 0) return kind
  }
  return null
}

/** An IPv6 address as PostgreSQL writes it; other text unchanged. */
function canonical(text: string): string {
  return isIP(text) === 6 && !text.includes('%')
    ? new URL(`http://[${text}]`).hostname.slice(1, -1)
    : text.toWellFormed()
}
