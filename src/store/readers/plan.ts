import type { PortStatus } from '../../modules/observation.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** A device as the poller needs it: how to reach it, what it is, and everything of it that is polled. */
export interface DevicePlan {
  readonly device_id: number
  readonly hostname: string
  /** Address to use instead of the one that hostname resolves to; null or '': none. */
  readonly overwrite_ip: string | null
  readonly community: string | null
  readonly authlevel: 'noAuthNoPriv' | 'authNoPriv' | 'authPriv' | null
  readonly authname: string | null
  readonly authpass: string | null
  readonly authalgo: string | null
  readonly cryptopass: string | null
  readonly cryptoalgo: string | null
  readonly snmpver: 'v1' | 'v2c' | 'v3'
  readonly port: number
  readonly transport: 'udp' | 'udp6' | 'tcp' | 'tcp6'
  /** Seconds; null: the setting. */
  readonly timeout: number | null
  readonly retries: number | null
  readonly snmp_disable: number
  readonly disabled: number
  readonly status: number
  readonly status_reason: string
  readonly os: string | null
  readonly sysObjectID: string | null
  readonly sysDescr: string | null
  /** Seconds between polls; null: setting poller.interval. */
  readonly poll_interval: number | null
  readonly last_discovered: Date | null
  /** Attribute override_icmp_disable: ICMP says nothing about this device. */
  readonly icmp_disable: boolean
  /** Modules that found something at the last discovery. */
  readonly modules: readonly string[]
  /** Attributes `discover_{module}` and `poll_{module}`: 0 switches the module off for the device, 1 on. */
  readonly switches: Readonly<Record<string, boolean>>
  /** Device groups that the device is in, by name. */
  readonly groups: readonly string[]
  readonly ports: readonly PlannedPort[]
  readonly processors: readonly PlannedProcessor[]
  readonly mempools: readonly PlannedMempool[]
  readonly storage: readonly PlannedStorage[]
  readonly sensors: readonly PlannedSensor[]
  readonly wireless: readonly PlannedWireless[]
  readonly supplies: readonly PlannedSupply[]
  /** Columns of `ts.stats_samples` that the agent has objects for. */
  readonly stats: readonly string[]
  /** MAC addresses that the device has learned. */
  readonly fdb_count: number
}

/** Every port of the device, deleted and disabled ones too. */
export interface PlannedPort {
  readonly port_id: number
  readonly ifIndex: number
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifAlias: string | null
  /** bit/s. */
  readonly ifSpeed: number | null
  /** Mbit/s. */
  readonly ifHighSpeed: number | null
  readonly ifAdminStatus: PortStatus | null
  readonly ifOperStatus: PortStatus | null
  readonly hc_mask: number
  readonly lc_mask: number
  readonly disabled: number
  readonly deleted: number
}

/** OIDs here and below are dotted decimal without a leading dot, as the engine takes them. */
export interface PlannedProcessor {
  readonly processor_id: number
  readonly processor_oid: string
  readonly processor_precision: number
}

export interface PlannedMempool {
  readonly mempool_id: number
  readonly mempool_used_oid: string | null
  readonly mempool_free_oid: string | null
  readonly mempool_total_oid: string | null
  readonly mempool_perc_oid: string | null
  readonly mempool_precision: number
  readonly mempool_total: number | null
}

export interface PlannedStorage {
  readonly storage_id: number
  readonly storage_used_oid: string | null
  readonly storage_free_oid: string | null
  readonly storage_size_oid: string | null
  readonly storage_perc_oid: string | null
  readonly storage_units: number
  readonly storage_size: number | null
}

export interface PlannedSensor {
  readonly sensor_id: number
  readonly sensor_oid: string
  readonly sensor_type: string
  readonly sensor_divisor: number
  readonly sensor_multiplier: number
  readonly user_func: string | null
}

export interface PlannedWireless {
  readonly sensor_id: number
  readonly sensor_class: string
  /** JSON text of a list of OIDs with leading dots, as the record has it. */
  readonly sensor_oids: string
  readonly sensor_aggregator: string
  readonly sensor_divisor: number
  readonly sensor_multiplier: number
}

export interface PlannedSupply {
  readonly supply_id: number
  readonly supply_oid: string
  readonly supply_capacity: number | null
}

type DeviceRow = Omit<
  DevicePlan,
  'switches' | 'ports' | 'processors' | 'mempools' | 'storage' | 'sensors' | 'wireless' | 'supplies'
> & {
  readonly switches: DevicePlan['switches'] | null
}
type OfDevice<T> = T & { readonly device_id: number }

/**
 * Plans of these devices, of all when `deviceIds` is absent, by device_id; one statement per table, whatever the number
 * of devices. A device that does not exist has no plan. Throws StoreError.
 */
export function loadDevicePlan({ sql }: Store, deviceIds?: readonly number[]): Promise<DevicePlan[]> {
  const only = deviceIds === undefined ? null : `{${deviceIds.join(',')}}`
  const of = (table: string) => sql`(${only}::text is null or ${sql(table)}.device_id = any(${only}::text::int[]))`
  return guarded(async () => {
    const [devices, ports, processors, mempools, storage, sensors, wireless, supplies] = await Promise.all([
      sql<DeviceRow[]>`
        select device_id, hostname, overwrite_ip, community, authlevel, authname, authpass, authalgo, cryptopass,
          cryptoalgo, snmpver, port, transport, timeout, retries, snmp_disable, disabled, status, status_reason, os,
          "sysObjectID", "sysDescr", poll_interval, last_discovered,
          exists (select from devices_attribs a where a.device_id = devices.device_id
            and a.attrib_type = 'override_icmp_disable' and lower(a.attrib_value) in ('1', 'true')) as icmp_disable,
          array(select distinct unnest(string_to_array(g.objects, ' ')) from device_graphs g
            where g.device_id = devices.device_id order by 1) as stats,
          (select count(*) from ports_fdb f where f.device_id = devices.device_id)::int as fdb_count,
          array(select m.module from device_modules m where m.device_id = devices.device_id and m.rows > 0 order by 1) as modules,
          (select jsonb_object_agg(a.attrib_type, lower(a.attrib_value) in ('1', 'true')) from devices_attribs a
            where a.device_id = devices.device_id and a.attrib_type ~ '^(discover|poll)_') as switches,
          array(select g.name from device_group_device m join device_groups g on g.id = m.device_group_id
            where m.device_id = devices.device_id order by g.name) as groups
        from devices where ${of('devices')} order by device_id`,
      sql<OfDevice<PlannedPort>[]>`
        select device_id, port_id, coalesce("ifIndex", 0) as "ifIndex", "ifName", "ifDescr", "ifAlias", "ifSpeed",
          "ifHighSpeed", "ifAdminStatus", "ifOperStatus", hc_mask, lc_mask, disabled, deleted
        from ports where ${of('ports')} order by device_id, port_id`,
      sql<OfDevice<PlannedProcessor>[]>`
        select device_id, processor_id, ltrim(processor_oid, '.') as processor_oid, processor_precision
        from processors where ${of('processors')} order by device_id, processor_id`,
      sql<OfDevice<PlannedMempool>[]>`
        select device_id, mempool_id, ltrim(mempool_used_oid, '.') as mempool_used_oid,
          ltrim(mempool_free_oid, '.') as mempool_free_oid, ltrim(mempool_total_oid, '.') as mempool_total_oid,
          ltrim(mempool_perc_oid, '.') as mempool_perc_oid, mempool_precision, nullif(mempool_total, 0) as mempool_total
        from mempools where ${of('mempools')} and mempool_deleted = 0 order by device_id, mempool_id`,
      sql<OfDevice<PlannedStorage>[]>`
        select device_id, storage_id, ltrim(storage_used_oid, '.') as storage_used_oid,
          ltrim(storage_free_oid, '.') as storage_free_oid, ltrim(storage_size_oid, '.') as storage_size_oid,
          ltrim(storage_perc_oid, '.') as storage_perc_oid, storage_units, nullif(storage_size, 0) as storage_size
        from storage where ${of('storage')} order by device_id, storage_id`,
      sql<OfDevice<PlannedSensor>[]>`
        select device_id, sensor_id, ltrim(sensor_oid, '.') as sensor_oid, sensor_type, sensor_divisor, sensor_multiplier,
          user_func
        from sensors where ${of('sensors')} and sensor_deleted = 0 and poller_type = 'snmp'
        order by device_id, sensor_id`,
      sql<OfDevice<PlannedWireless>[]>`
        select device_id, sensor_id, sensor_class, sensor_oids, sensor_aggregator, sensor_divisor, sensor_multiplier
        from wireless_sensors where ${of('wireless_sensors')} and sensor_deleted = 0 order by device_id, sensor_id`,
      sql<OfDevice<PlannedSupply>[]>`
        select device_id, supply_id, ltrim(supply_oid, '.') as supply_oid, supply_capacity
        from printer_supplies where ${of('printer_supplies')} order by device_id, supply_id`,
    ])
    const by = {
      ports: grouped(ports),
      processors: grouped(processors),
      mempools: grouped(mempools),
      storage: grouped(storage),
      sensors: grouped(sensors),
      wireless: grouped(wireless),
      supplies: grouped(supplies),
    }
    return devices.map((device) => ({
      ...device,
      switches: device.switches ?? {},
      ports: by.ports.get(device.device_id) ?? [],
      processors: by.processors.get(device.device_id) ?? [],
      mempools: by.mempools.get(device.device_id) ?? [],
      storage: by.storage.get(device.device_id) ?? [],
      sensors: by.sensors.get(device.device_id) ?? [],
      wireless: by.wireless.get(device.device_id) ?? [],
      supplies: by.supplies.get(device.device_id) ?? [],
    }))
  })
}

/** Ids of all devices, ascending. */
export async function deviceIds({ sql }: Store): Promise<number[]> {
  const rows = await guarded(() => sql<{ device_id: number }[]>`select device_id from devices order by device_id`)
  return rows.map((row) => row.device_id)
}

function grouped<T extends { readonly device_id: number }>(rows: readonly T[]): ReadonlyMap<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(row.device_id)
    if (group === undefined) groups.set(row.device_id, [row])
    else group.push(row)
  }
  return groups
}
