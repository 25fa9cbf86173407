import { failureFrom, type SnmpFailure } from '@portlight/snmp/failure.ts'
import type { Store } from '../database/client.ts'

/** Stored facts about a device besides its record. */
export interface DeviceSummary {
  /** Seconds between polls; null: as the setting says. */
  readonly pollInterval: number | null
  /** Answers to SNMP requests are accepted from any address and port. */
  readonly anySource: boolean
  /** Names of the groups that the device is a member of, sorted. */
  readonly groups: readonly string[]
  /** Number of objects of each kind. */
  readonly found: {
    readonly ports: number
    readonly portsDeleted: number
    readonly addresses: number
    readonly inventory: number
    readonly processors: number
    readonly mempools: number
    readonly storage: number
    readonly sensors: number
    readonly wireless: number
    readonly vlans: number
    readonly neighbours: number
    readonly bgpPeers: number
  }
  /** What the last discovery found with each module and its cost, most expensive first. */
  readonly modules: readonly {
    readonly module: string
    readonly rows: number
    readonly requests: number
    readonly tookMs: number
    /** Why something is missing; '' when complete. */
    readonly note: string
  }[]
  /** Why the last polls were incomplete, and since when; null: they were complete, or there were none. */
  readonly failure: { readonly since: Date; readonly failure: SnmpFailure } | null
  /** What it reported and could not be stored, in words, and since when. */
  readonly unstored: readonly { readonly reason: string; readonly since: Date }[]
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  readonly events: readonly {
    readonly datetime: Date
    readonly type: string | null
    readonly message: string | null
  }[]
}

/** Counts, attributes and the last ten events of a device. */
export async function deviceFacts({ sql }: Store, deviceId: number): Promise<DeviceSummary> {
  const [counts, modules, failures, unstored, attributes, events] = await Promise.all([
    sql<(DeviceSummary['found'] & Pick<DeviceSummary, 'pollInterval' | 'anySource' | 'groups'>)[]>`
      select d.poll_interval as "pollInterval", d.snmp_any_source = 1 as "anySource", array(select g.name from device_group_device m
          join device_groups g on g.id = m.device_group_id where m.device_id = d.device_id order by g.name) as groups,
        (select count(*) from ports p where p.device_id = d.device_id and p.deleted = 0)::int as ports,
        (select count(*) from ports p where p.device_id = d.device_id and p.deleted = 1)::int as "portsDeleted",
        ((select count(*) from ipv4_addresses a join ports p using (port_id) where p.device_id = d.device_id)
          + (select count(*) from ipv6_addresses a join ports p using (port_id) where p.device_id = d.device_id))::int
          as addresses,
        (select count(*) from "entPhysical" e where e.device_id = d.device_id)::int as inventory,
        (select count(*) from processors c where c.device_id = d.device_id)::int as processors,
        (select count(*) from mempools m where m.device_id = d.device_id)::int as mempools,
        (select count(*) from storage s where s.device_id = d.device_id)::int as storage,
        (select count(*) from sensors s where s.device_id = d.device_id and s.sensor_deleted = 0)::int as sensors,
        (select count(*) from wireless_sensors w where w.device_id = d.device_id and w.sensor_deleted = 0)::int
          as wireless,
        (select count(*) from vlans v where v.device_id = d.device_id)::int as vlans,
        (select count(*) from links l where l.local_device_id = d.device_id)::int as neighbours,
        (select count(*) from "bgpPeers" b where b.device_id = d.device_id)::int as "bgpPeers"
      from devices d where d.device_id = ${deviceId}`,
    sql<DeviceSummary['modules'][number][]>`
      select module, rows, requests, took_ms as "tookMs", note from device_modules
      where device_id = ${deviceId} order by requests desc, module`,
    sql<{ kind: string; detail: string; since: Date }[]>`
      select kind, detail, since from device_failures
      where device_id = ${deviceId}`,
    sql<DeviceSummary['unstored'][number][]>`
      select reason, since from discovery_failures where device_id = ${deviceId} order by since, subject`,
    sql<{ name: string; value: string }[]>`
      select attrib_type as name, attrib_value as value from devices_attribs
      where device_id = ${deviceId} order by attrib_type`,
    sql<DeviceSummary['events'][number][]>`
      select datetime, type, message from eventlog
      where device_id = ${deviceId} order by datetime desc, event_id desc limit 10`,
  ])
  const { pollInterval, anySource, groups, ...found } = counts[0] ?? {
    pollInterval: null,
    anySource: false,
    groups: [],
    ...NOTHING,
  }
  const [stored] = failures
  const failure = stored === undefined ? null : failureFrom(stored.kind, stored.detail)
  return {
    pollInterval,
    anySource,
    groups,
    found,
    modules,
    failure: stored === undefined || failure === null ? null : { since: stored.since, failure },
    unstored,
    attributes,
    events,
  }
}

const NOTHING = {
  ports: 0,
  portsDeleted: 0,
  addresses: 0,
  inventory: 0,
  processors: 0,
  mempools: 0,
  storage: 0,
  sensors: 0,
  wireless: 0,
  vlans: 0,
  neighbours: 0,
  bgpPeers: 0,
}
