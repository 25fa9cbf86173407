import type { Store } from '../database/client.ts'
import { maintainedDevices } from '../maintenance/read.ts'
import { occurrences } from '../maintenance/read-occurrences.ts'
import { availabilityOf } from './availability.ts'

/** A device went up or down. */
export interface StatusChange {
  readonly deviceId: number
  readonly up: boolean
  /** '' when up, else the failing checks, for example `icmp,snmp`. */
  readonly reason: string
  /** Epoch ms. */
  readonly at: number
  /** No outage is opened while the device is under maintenance (setting graphing.availability_consider_maintenance). */
  readonly considerMaintenance?: boolean
}

/**
 * Stores a change of a device's status in one transaction: the device record, the outage (opened unless one is open;
 * all closed when the device is up again) and the event. Does nothing if the device is gone or already has this status.
 */
export async function writeStatus(store: Store, change: StatusChange): Promise<void> {
  const { deviceId, up, reason, considerMaintenance = false } = change
  const atS = Math.floor(change.at / 1000)
  return await store.sql
    .begin(async (tx) => {
      // locked by a statement of its own: one that locks the row and then changes it can wait for a batch of samples that waits for it
      const [before] = await tx<{ was_up: boolean; was: string }[]>`
        select status = 1 as was_up, status_reason as was from devices where device_id = ${deviceId} for no key update`
      const isChanged = before !== undefined && (before.was_up !== up || before.was !== reason)
      if (isChanged)
        await tx`update devices set status = ${up ? 1 : 0}, status_reason = ${reason} where device_id = ${deviceId}`
      if (up) await tx`update device_outages set up_again = ${atS} where device_id = ${deviceId} and up_again is null`
      if (!isChanged) return
      if (!up) {
        await tx`
          insert into device_outages (device_id, going_down)
          select ${deviceId}, ${atS}
          where not exists (select from device_outages where device_id = ${deviceId} and up_again is null)
            ${considerMaintenance ? store.sql`and ${deviceId} not in (select device_id from (${maintainedDevices(store.sql, change.at)}) m)` : store.sql``}
          on conflict do nothing`
      }
      if (before.was_up === up && !up) return
      const checks = up ? before.was : reason
      const message = `Device status changed to ${up ? 'Up' : 'Down'} from ${checks === '' ? 'first' : checks} check.`
      await tx`
        insert into eventlog (device_id, datetime, message, type, reference, severity)
        values (${deviceId}, to_timestamp(${change.at / 1000}), ${message}, ${up ? 'up' : 'down'}, ${String(deviceId)}, ${up ? 1 : 5})`
    })
    .then(() => undefined)
}

/**
 * Opens outages of devices that went down during maintenance and are still down after it: from its end, or from `atMs`
 * if the end is unknown. Used with setting graphing.availability_consider_maintenance.
 */
export async function openOutagesAfterMaintenance(store: Store, atMs: number): Promise<void> {
  return await store.sql`
      insert into device_outages (device_id, going_down)
      select d.device_id, floor(extract(epoch from coalesce(l.closes, to_timestamp(${atMs / 1000}))))::bigint
      from devices d
      left join lateral (
        select max(o.closes) as closes
        from (${occurrences(store.sql, atMs / 1000 - AFTER_MAINTENANCE_S, atMs / 1000)}) o join alert_schedulables i using (schedule_id)
        where o.closes < to_timestamp(${atMs / 1000}) and (i.device_id = d.device_id or i.location_id = d.location_id
          or i.device_group_id in (select g.device_group_id from device_group_device g where g.device_id = d.device_id))) l on true
      where d.status = 0 and d.status_reason <> '' and d.disabled = 0
        and not exists (select from device_outages o where o.device_id = d.device_id and o.up_again is null)
        and d.device_id not in (select device_id from (${maintainedDevices(store.sql, atMs)}) m)
      on conflict do nothing`.then(() => undefined)
}

/** How far back to look for the end of the maintenance; if it ended earlier, the outage begins now. */
const AFTER_MAINTENANCE_S = 86_400

/** A device restarted: sysUpTime went back. `uptimeS` is the new value in seconds. */
export async function writeReboot(store: Store, deviceId: number, beforeS: number, at: number): Promise<void> {
  return await store.sql`
      insert into eventlog (device_id, datetime, message, type, reference, severity)
      select device_id, to_timestamp(${at / 1000}), ${`Device rebooted after ${duration(beforeS)}`}, 'reboot', ${String(deviceId)}, 4
      from devices where device_id = ${deviceId}`.then(() => undefined)
}

/** An event about polling a device. `severity`: 1 good news, 4 warning, 5 error. Ignored if the device is gone. */
export async function writePollerEvent(
  store: Store,
  deviceId: number,
  message: string,
  severity: 1 | 4 | 5,
  at: number,
): Promise<void> {
  return await store.sql`
      insert into eventlog (device_id, datetime, message, type, reference, severity)
      select device_id, to_timestamp(${at / 1000}), ${message}, 'poller', ${String(deviceId)}, ${severity}
      from devices where device_id = ${deviceId}`.then(() => undefined)
}

/** Seconds as "3d 4h 5m 6s": largest unit first, zeros omitted. */
export function duration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const
  let rest = Math.max(0, Math.floor(seconds))
  const parts: string[] = []
  for (const [name, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${name}`)
  }
  return parts.join(' ') || '0s'
}

/**
 * Recalculates the availability of all devices in each window. Deletes results of other windows. How it is calculated:
 * availability.ts.
 */
export async function updateAvailability(
  store: Store,
  windowsS: readonly number[],
  options: { readonly withoutUnreachable: boolean } = { withoutUnreachable: false },
): Promise<void> {
  return await store.sql`
      with former as (delete from availability where duration <> all(${windowsS as number[]}::bigint[])),
      w as (select d.device_id, x.duration from devices d cross join unnest(${windowsS as number[]}::bigint[]) as x(duration))
      insert into availability (device_id, duration, availability_perc)
      select device_id, duration, perc from (${availabilityOf(store.sql, store.sql`w`, options)}) a
      on conflict (device_id, duration) do update set availability_perc = excluded.availability_perc
      where availability.availability_perc <> excluded.availability_perc`.then(() => undefined)
}
