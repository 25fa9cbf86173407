import { duration } from '../availability/write.ts'
import type { Store } from '../database/client.ts'
import { writeEvents } from '../discovery/events.ts'
import { lockedValues, portChange, readPortsById } from '../discovery/ports.ts'
import type { PortChange } from '../discovery/write.ts'
import { LIMIT_EVENTS } from '../series/read-current.ts'
import { storedRows } from '../series/stored-rows.ts'
import { DEMO_ATTRIBUTE } from './read.ts'
import { UNKNOWN_NETWORK } from './settings.ts'

/** Marks a device as part of the demo. Throws StoreError. */
export async function markDemoDevice({ sql }: Store, deviceId: number): Promise<void> {
  await sql`
      insert into devices_attribs (device_id, attrib_type, attrib_value) values (${deviceId}, ${DEMO_ATTRIBUTE}, 'added')
      on conflict do nothing`
}

/**
 * Leaves ping out of the status of a device that can lose its power: every address in 127.0.0.0/8 answers ping, whatever
 * happens to the device. Throws StoreError.
 */
export async function dismissPing({ sql }: Store, deviceId: number): Promise<void> {
  await sql`
      insert into devices_attribs (device_id, attrib_type, attrib_value)
      select ${deviceId}, 'override_icmp_disable', 'true'
      where not exists (select from devices_attribs where device_id = ${deviceId} and attrib_type = 'override_icmp_disable')`
}

/** Deletes those of these locations that have no devices; returns their names. Throws StoreError. */
export async function deleteEmptyLocations({ sql }: Store, ids: readonly number[]): Promise<string[]> {
  const gone = await sql.begin(
    (tx) => tx<{ location: string }[]>`
      delete from locations l where id = any(${[...ids]}::int[])
        and not exists (select from devices d where d.location_id = l.id) returning location`,
  )
  return gone.map(({ location }) => location).sort()
}

/** Deletes what was found of the demo: candidates in its network and those that nobody reports any more, and its scans. */
export async function deleteFound({ sql }: Store): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      delete from candidates c where exists (select from candidate_addresses a where a.candidate_id = c.id and a.address <<= ${UNKNOWN_NETWORK}::cidr)
        or (c.snmp_version is null and not exists (select from candidate_sources s where s.candidate_id = c.id))`
    await tx`delete from scans where networks = ${[UNKNOWN_NETWORK]}::text[]`
  })
}

/** Series by the table of their subjects. */
const SUBJECTS = [
  ['port', 'port_id', 'ports'],
  ['sensor', 'sensor_id', 'sensors'],
  ['wireless', 'sensor_id', 'wireless_sensors'],
  ['processor', 'processor_id', 'processors'],
  ['mempool', 'mempool_id', 'mempools'],
  ['storage', 'storage_id', 'storage'],
  ['supply', 'supply_id', 'printer_supplies'],
  ['device', 'device_id', 'devices'],
  ['icmp', 'device_id', 'devices'],
  ['stats', 'device_id', 'devices'],
] as const

/**
 * Deletes samples from before a device was added, left by a history that was stored incompletely. Throws StoreError.
 */
export async function clearPast({ sql }: Store, deviceId: number, beforeMs: number): Promise<void> {
  await sql.begin(async (tx) => {
    const before = tx`to_timestamp(${beforeMs / 1000})`
    for (const [base, key, table] of SUBJECTS) {
      const own = tx`select ${tx(key)} from ${tx(table)} where device_id = ${deviceId}`
      await tx`select ts.unpack_rows(${`ts.${base}_samples`}::text::regclass, array(${own}), '-infinity', ${before})`
      await tx`
          delete from ${tx(`ts.${base}_samples`)} x where x."time" < ${before} and x.${tx(key)} in (${own})`
    }
    await tx`delete from eventlog where device_id = ${deviceId} and datetime < ${before}`
    await tx`delete from device_outages where device_id = ${deviceId} and up_again < ${Math.floor(beforeMs / 1000)}`
  })
}

/** Simulated events of a device before it was polled; times are epoch ms. */
export interface PastEvents {
  /** Initial state of its ports, and how it changed. */
  readonly ports: readonly { readonly at: number; readonly changes: readonly PortChange[] }[]
  /** Times without an answer. */
  readonly outages: readonly { readonly fromMs: number; readonly toMs: number }[]
  /** When it was seen to have restarted, and its uptime before that in seconds. */
  readonly reboots: readonly { readonly at: number; readonly upS: number }[]
}

/**
 * Completes a stored history from `fromMs` on: writes the events that polls would have written and the outages, and
 * dates the device's insertion back to the start. All or nothing; returns false when the device no longer exists.
 * Throws StoreError.
 */
export async function finishPast(store: Store, deviceId: number, fromMs: number, past: PastEvents): Promise<boolean> {
  return await store.sql.begin(async (tx) => {
    const done = await tx`
        update devices_attribs set attrib_value = 'history', updated = now()
        where device_id = ${deviceId} and attrib_type = ${DEMO_ATTRIBUTE}`
    if (done.count === 0) return false
    const ids = [...new Set(past.ports.flatMap(({ changes }) => changes.map(({ port_id }) => port_id)))]
    const ports = new Map((await readPortsById(tx, ids)).map((port) => [port.port_id, port]))
    const locked = await lockedValues(tx, [deviceId])
    for (const [i, { at, changes }] of past.ports.entries()) {
      for (const { port_id, ...seen } of changes) {
        const port = ports.get(port_id)
        const change = port === undefined ? null : portChange(port, seen, locked, { count: 0 })
        if (port === undefined || change === null) continue
        ports.set(port_id, { ...port, ...change.values } as typeof port)
        // the first entries are the initial state, not changes
        if (i > 0)
          await writeEvents(
            tx,
            change.events.map((event) => ({ ...event, at })),
          )
      }
    }
    const common = { deviceId, reference: deviceId } as const
    for (const { fromMs: down, toMs: up } of past.outages) {
      await tx`
          insert into device_outages (device_id, going_down, up_again)
          values (${deviceId}, ${Math.floor(down / 1000)}, ${Math.floor(up / 1000)}) on conflict do nothing`
      await writeEvents(tx, [
        { ...common, at: down, message: 'Device status changed to Down from snmp check.', type: 'down', severity: 5 },
        { ...common, at: up, message: 'Device status changed to Up from snmp check.', type: 'up', severity: 1 },
      ])
    }
    await writeEvents(
      tx,
      past.reboots.map(({ at, upS }) => ({
        ...common,
        at,
        message: `Device rebooted after ${duration(upS)}`,
        type: 'reboot',
        severity: 4,
      })),
    )
    for (const [table, base] of [
      ['sensors', 'sensor'],
      ['wireless_sensors', 'wireless'],
    ] as const) {
      await tx.unsafe(
        `with changed as (
             select s.device_id, s.sensor_id, s.sensor_class, s.sensor_descr, s.sensor_limit, s.sensor_limit_low, s.sensor_alert,
               x.value as sensor_current, lag(x.value, 1, x.value) over (partition by x.sensor_id order by x."time") as sensor_prev,
               extract(epoch from x."time") * 1000 as ms
             from ${table} s join ${storedRows(base, 'samples', 'to_timestamp($2::float8)', 'now()')} x on x.sensor_id = s.sensor_id
             where s.device_id = $1 and x."time" >= to_timestamp($2::float8) and x."time" < (select inserted from devices where device_id = $1))
           ${LIMIT_EVENTS}`,
        [deviceId, fromMs / 1000],
      )
    }
    await tx`update devices set inserted = to_timestamp(${fromMs / 1000}) where device_id = ${deviceId}`
    return true
  })
}
