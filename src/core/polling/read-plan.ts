import { failureFrom, type SnmpFailure } from '@portlight/snmp/failure.ts'
import { createShared } from '../../lib/intern.ts'
import { createSharedText } from '../../lib/intern-text.ts'
import type { PortStatus } from '../../modules/ports/observation.ts'
import type { StoredRow } from '../../series/kind.ts'
import type { KindName } from '../../series/kinds.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { withCredentials } from '../secrets/values.ts'
import { READ_DEVICES, READ_DIGESTS, READ_KINDS, READ_PORTS } from './statements.ts'

/** Everything the poller needs to poll a device: how to reach it, what it is, and what to read. */
export interface DevicePlan {
  readonly device_id: number
  readonly hostname: string
  /** Address to use instead of resolving hostname; null or '': none. */
  readonly overwrite_ip: string | null
  readonly community: string | null
  readonly authlevel: 'noAuthNoPriv' | 'authNoPriv' | 'authPriv' | null
  readonly authname: string | null
  readonly authpass: string | null
  readonly authalgo: string | null
  readonly cryptopass: string | null
  /** A credential cannot be decrypted and is null. */
  readonly unreadable: boolean
  readonly cryptoalgo: string | null
  readonly snmpver: 'v1' | 'v2c' | 'v3'
  readonly port: number
  readonly transport: 'udp' | 'udp6' | 'tcp' | 'tcp6'
  /** Seconds; null: as the setting says. */
  readonly timeout: number | null
  readonly retries: number | null
  readonly snmp_disable: number
  /** 1: answers are accepted from any address and port. */
  readonly snmp_any_source: number
  readonly disabled: number
  readonly status: number
  readonly status_reason: string
  /** Why the last poll was incomplete; null: it was complete. */
  readonly failure: SnmpFailure | null
  readonly os: string | null
  readonly sysObjectID: string | null
  readonly sysDescr: string | null
  /** Seconds between polls; null: setting poller.interval. */
  readonly poll_interval: number | null
  readonly last_discovered: Date | null
  /**
   * The whole of its last discoveries could not be stored: their number in a row, and when the last one was tried, epoch
   * ms; null: it could.
   */
  readonly unstored: { readonly tries: number; readonly at: number } | null
  /** A table of its last discovery was truncated: rows may be missing. */
  readonly truncated: boolean
  readonly poller_group: number
  /** What identifies a port when ifIndexes change: see `associationMode`. */
  readonly port_association_mode: number
  /** Attribute override_icmp_disable: ping does not count for this device's status. */
  readonly icmp_disable: boolean
  /** Modules that found something at the last discovery. */
  readonly modules: readonly string[]
  /** Attributes `discover_{module}` and `poll_{module}`: 0 switches the module off for the device, 1 on. */
  readonly switches: Readonly<Record<string, boolean>>
  /** Names of the groups that the device is a member of, sorted. */
  readonly groups: readonly string[]
  readonly ports: readonly PlannedPort[]
  /**
   * Rows of the kinds that a poll measures, by id, with the columns that their polls need. Kinds without rows are
   * absent.
   */
  readonly polled: Readonly<Partial<Record<KindName, readonly StoredRow[]>>>
  /** Columns of `ts.stats_samples` for which the agent has objects. */
  readonly stats: readonly string[]
  /** Number of MAC addresses that the device has learned. */
  readonly fdb_count: number
}

/** A port of the device, which may be deleted or disabled. Polls update what may change between discoveries. */
export interface PlannedPort {
  readonly port_id: number
  readonly ifIndex: number
  ifName: string | null
  ifAlias: string | null
  readonly ifDescr: string | null
  /** bit/s; null: unknown. */
  ifSpeed: number | null
  /** Mbit/s; null: unknown. */
  ifHighSpeed: number | null
  ifAdminStatus: PortStatus | null
  ifOperStatus: PortStatus | null
  readonly hc_mask: number
  readonly lc_mask: number
  readonly disabled: number
  readonly deleted: number
  /** Its speed says nothing about what it can carry; absent: it does. */
  readonly nominal?: boolean
}

type PlannedDeviceRow = Omit<DevicePlan, 'failure' | 'switches' | 'ports' | 'polled'> & {
  readonly failure: readonly [kind: string, detail: string] | null
  readonly switches: DevicePlan['switches'] | null
}
type OfDevice<T> = T & { readonly device_id: number }

/**
 * Polling plans of these devices (absent: all) by device_id, with one statement per table for all of them. Unknown
 * devices have no plan. Throws StoreError.
 */
export async function loadDevicePlan({ sql }: Store, deviceIds?: readonly number[]): Promise<DevicePlan[]> {
  const only = deviceIds === undefined ? null : `{${deviceIds.join(',')}}`
  // The devices first: one that another process discovers meanwhile is not discovered yet, rather than without ports.
  const devices = await sql.unsafe<PlannedDeviceRow[]>(READ_DEVICES, [only], { prepare: true })
  const [ports, ...kinds] = await Promise.all([
    sql.unsafe<OfDevice<PlannedPort>[]>(READ_PORTS, [only], { prepare: true }),
    ...READ_KINDS.map(({ text }) => sql.unsafe<OfDevice<StoredRow>[]>(text, [only], { prepare: true })),
  ])
  const portsOf = grouped(ports, portOf)
  const rowsOf = READ_KINDS.map(({ name }, i) => [name, grouped(kinds[i] ?? [], rowOf)] as const)
  return devices.map((device) => ({
    ...withShared(withCredentials(device)),
    failure: device.failure === null ? null : failureFrom(...device.failure),
    switches: device.switches ?? NO_SWITCHES,
    ports: portsOf.get(device.device_id) ?? [],
    polled: Object.fromEntries(
      rowsOf.flatMap(([name, rows]) => {
        const own = rows.get(device.device_id)
        return own === undefined ? [] : [[name, own]]
      }),
    ),
  }))
}

/**
 * A digest of what `loadDevicePlan` reads of each device, by device_id: while it is the same, so is the plan. Read it
 * before the plan, so that a change in between is noticed by the next comparison. Unknown devices have none. Throws
 * StoreError.
 */
export async function planDigests({ sql }: Store, deviceIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql.unsafe<{ device_id: number; digest: string }[]>(READ_DIGESTS, [integers(deviceIds)], {
    prepare: true,
  })
  return new Map(rows.map(({ device_id, digest }) => [device_id, digest]))
}

/** The devices that no remote poller polls, ascending, with their poller groups; `only`: just this one. */
export async function deviceGroups(
  { sql }: Store,
  only: number | null = null,
): Promise<{ readonly device_id: number; readonly poller_group: number }[]> {
  return await sql<{ device_id: number; poller_group: number }[]>`
      select device_id, poller_group from devices where (${only}::int is null or device_id = ${only})
        and not exists (select from remote_pollers r where r.poller_group = devices.poller_group) order by device_id`
}

const shared = createSharedText()
const sharedOrNull = <T extends string>(text: T | null): T | null => (text === null ? null : (shared(text) as T))

const sharedList = createShared<readonly string[]>()
const NO_SWITCHES: DevicePlan['switches'] = {}

/** The row, with values that many devices have in common shared between them. */
function withShared<R extends Omit<PlannedDeviceRow, 'failure' | 'switches'>>(row: R): R {
  const list = (names: readonly string[]) => sharedList(names.join('\n'), names)
  return {
    ...row,
    community: sharedOrNull(row.community),
    authname: sharedOrNull(row.authname),
    authpass: sharedOrNull(row.authpass),
    authalgo: sharedOrNull(row.authalgo),
    authlevel: sharedOrNull(row.authlevel),
    cryptopass: sharedOrNull(row.cryptopass),
    cryptoalgo: sharedOrNull(row.cryptoalgo),
    snmpver: sharedOrNull(row.snmpver),
    transport: sharedOrNull(row.transport),
    status_reason: shared(row.status_reason),
    os: sharedOrNull(row.os),
    sysObjectID: sharedOrNull(row.sysObjectID),
    sysDescr: sharedOrNull(row.sysDescr),
    modules: list(row.modules),
    groups: list(row.groups),
    stats: list(row.stats),
  }
}

/**
 * A copy as an object literal takes half the memory of the query's row, because its members are stored in the object.
 */
function portOf(row: PlannedPort): PlannedPort {
  return {
    port_id: row.port_id,
    ifIndex: row.ifIndex,
    ifName: sharedOrNull(row.ifName),
    ifAlias: row.ifAlias,
    ifDescr: sharedOrNull(row.ifDescr),
    ifSpeed: row.ifSpeed,
    ifHighSpeed: row.ifHighSpeed,
    ifAdminStatus: sharedOrNull(row.ifAdminStatus),
    ifOperStatus: sharedOrNull(row.ifOperStatus),
    hc_mask: row.hc_mask,
    lc_mask: row.lc_mask,
    disabled: row.disabled,
    deleted: row.deleted,
    ...(row.nominal === true && { nominal: true }),
  }
}

function rowOf({ device_id: _, ...row }: OfDevice<StoredRow>): StoredRow {
  const own: Record<string, unknown> = row
  for (const column in own) if (typeof own[column] === 'string') own[column] = shared(own[column])
  return row
}

/** The rows of each device, converted to what is kept of them. */
function grouped<Row extends { readonly device_id: number }, T>(
  rows: readonly Row[],
  keep: (row: Row) => T,
): ReadonlyMap<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(row.device_id)
    if (group === undefined) groups.set(row.device_id, [keep(row)])
    else group.push(keep(row))
  }
  return groups
}
