import type { SampleKind } from '../../series/kind.ts'
import { KINDS, type KindName, NARROW_NAMES, type NarrowName } from '../../series/kinds.ts'
import { deviceInScopeText, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'

/** Members of a port record that decide whether it counts towards its device's traffic. */
export interface GraphPort {
  readonly portId: number
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifType: string | null
  readonly disabled: boolean
  readonly deleted: boolean
}

/** All ports of a device, deleted ones included, by port_id. */
export async function graphPorts({ sql }: Store, deviceId: number): Promise<readonly GraphPort[]> {
  return await sql<GraphPort[]>`
      select port_id as "portId", "ifName", "ifDescr", "ifType", disabled <> 0 as disabled, deleted <> 0 as deleted
      from ports where device_id = ${deviceId} order by port_id`
}

/** What can be drawn for a device, without deleted objects; each sensor class appears once, sorted. */
export interface DeviceHas {
  readonly ports: number
  /** Kinds with their own graph for which the device has subjects. */
  readonly kinds: readonly NarrowName[]
  readonly sensorClasses: readonly string[]
  readonly wirelessClasses: readonly string[]
  /** Statistics graphs, without the prefix `device_`. */
  readonly statistics: readonly string[]
  /** Whether there are samples of polls, and of rounds of ICMP echo. */
  readonly polls: boolean
  readonly pings: boolean
  /** Graphs of some of a kind's lines, without the prefix `device_`, for which there are values. */
  readonly lines: readonly string[]
}

const NOTHING: DeviceHas = {
  ports: 0,
  kinds: [],
  sensorClasses: [],
  wirelessClasses: [],
  statistics: [],
  polls: false,
  pings: false,
  lines: [],
}

/** SQL: whether a device has samples of a kind, or daily roll-ups. */
const ever = (kind: string): string =>
  `(exists (select from ts.${kind}_samples_stored where device_id = $1) or exists (select from ts.${kind}_1d_stored where device_id = $1))`

/** Query for the kinds that a device has. */
const HAS_KINDS = NARROW_NAMES.flatMap((name) => {
  const { graphs, subject } = KINDS[name] as SampleKind
  if (graphs === undefined) return []
  return [
    `select '${name}' as kind where exists (select from ${subject.table} where device_id = $1 and ${subject.where ?? 'true'})`,
  ]
}).join(' union all ')

/** Not all subjects have all lines: whether there were values in the last day, or in the daily roll-up. */
const HAS_LINES = NARROW_NAMES.flatMap((kind) => {
  const { graphs = [], key, lines, subject } = KINDS[kind] as SampleKind
  const own = `(select ${subject.id} from ${subject.table} where device_id = $1 and ${subject.where ?? 'true'})`
  return graphs.flatMap((graph) => {
    if (graph.lines === undefined) return []
    const known = (of: 'sample' | 'rolled') =>
      lines
        .filter((line) => graph.lines?.includes(line.name) === true)
        .map((line) => `(${line[of]}) is not null`)
        .join(' or ')
    return [
      `select '${graph.name}' where exists (select from ts.${kind}_samples s where ${key} in ${own}
          and "time" > now() - interval '1 day' and (${known('sample')}))
        or exists (select from ts.${kind}_1d_stored s where ${key} in ${own} and (${known('rolled')}))`,
    ]
  })
}).join(' union all ')

const HAS = `
  select (select count(*) from ports where device_id = $1 and deleted = 0)::int as ports,
    array(${HAS_KINDS}) as kinds,
    (select coalesce(array_agg(distinct sensor_class), '{}') from sensors
      where device_id = $1 and sensor_deleted = 0) as "sensorClasses",
    (select coalesce(array_agg(distinct sensor_class), '{}') from wireless_sensors
      where device_id = $1 and sensor_deleted = 0) as "wirelessClasses",
    array(select graph from device_graphs where device_id = $1 and graph is not null
      union select 'fdb_count' where exists (select from ports_fdb where device_id = $1)
      order by 1) as statistics,
    ${ever('device')} as polls, ${ever('icmp')} as pings, array(${HAS_LINES}) as lines`

export async function deviceHas({ sql }: Store, deviceId: number): Promise<DeviceHas> {
  const [row] = await sql.unsafe<DeviceHas[]>(HAS, [deviceId], { prepare: true })
  return row ?? NOTHING
}

/** A subject of a kind that a user may see. */
export interface SeriesSubject {
  readonly id: number
  readonly name: string
  /** As the setting says if null. */
  readonly pollIntervalS: number | null
  /** Class of a sensor; null for other kinds. */
  readonly class: string | null
}

/** Which of these subjects of a kind are in scope, by id; unknown ids are missing. */
export async function visibleSubjects(
  { sql }: Store,
  kindName: KindName,
  ids: readonly number[],
  scope: Scope,
): Promise<readonly SeriesSubject[]> {
  const { subject } = KINDS[kindName] as SampleKind
  const ofDevice = subject.table === 'devices'
  const table =
    kindName === 'service'
      ? `(select x.*, s.device_id from service_datasets x join services s using (service_id))`
      : subject.table
  const name = ofDevice ? `coalesce(nullif(d.display, ''), d.hostname)` : (subject.name ?? 'ds')
  const ports =
    subject.table === 'ports' && scope.kind === 'granted'
      ? ` or x.port_id in (select port_id from ports_perms where user_id = ${Math.trunc(scope.userId)})`
      : ''
  return await sql.unsafe<SeriesSubject[]>(
    `select x.${subject.id} as id, coalesce(${name}, '') as name, d.poll_interval as "pollIntervalS",
         ${subject.class === undefined ? 'null' : `x.${subject.class}`} as class
       from ${table} x join devices d using (device_id)
       where x.${subject.id} = any($1::int[]) and (${deviceInScopeText(scope, 'd')}${ports}) order by 1`,
    [integers(ids)],
  )
}

/** Title of a graph's subject and polling interval of its device; `pollIntervalS` null: as the setting says. */
export interface GraphSubject {
  readonly name: string
  readonly pollIntervalS: number | null
}

/** `core1 Gi0/1`; null: no such port. */
export async function portSubject({ sql }: Store, portId: number): Promise<GraphSubject | null> {
  const [row] = await sql<GraphSubject[]>`
      select coalesce(nullif(d.display, ''), d.hostname) || ' '
          || coalesce(nullif(p."ifName", ''), nullif(p."ifDescr", ''), 'port ' || p."ifIndex", 'port') as name,
        d.poll_interval as "pollIntervalS"
      from ports p join devices d using (device_id) where p.port_id = ${portId}`
  return row ?? null
}

/** The device of a port; null: no such port. */
export async function deviceOfPort({ sql }: Store, portId: number): Promise<number | null> {
  const [row] = await sql<{ device_id: number }[]>`select device_id from ports where port_id = ${portId}`
  return row?.device_id ?? null
}

/** null: no such device. */
export async function deviceSubject({ sql }: Store, deviceId: number): Promise<GraphSubject | null> {
  const [row] = await sql<GraphSubject[]>`
      select coalesce(nullif(display, ''), hostname) as name, poll_interval as "pollIntervalS"
      from devices where device_id = ${deviceId}`
  return row ?? null
}
