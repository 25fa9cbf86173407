import {
  detailOf,
  failureFrom,
  failureText,
  isAnswer,
  isSameFailure,
  type SnmpFailure,
} from '@portlight/snmp/failure.ts'
import type { Store } from '../database/client.ts'

/** Why a device cannot be read, or that it can be again. */
export interface FailureChange {
  readonly deviceId: number
  /** null: everything is read. */
  readonly failure: SnmpFailure | null
  /** Epoch ms. */
  readonly at: number
  /** False: log no event, because the device is no longer polled. Default true. */
  readonly event?: boolean
}

/** An event about reaching a device. */
export interface DeviceEvent {
  readonly message: string
  readonly type: 'snmp' | 'dns'
  /** 1 ok, 2 info, 4 warning. */
  readonly severity: 1 | 2 | 4
}

/**
 * The event for a change from one failure to another; null: none. A timeout has no event of its own, because it changes
 * the status, which is logged.
 */
export function failureEvent(before: SnmpFailure | null, now: SnmpFailure | null): DeviceEvent | null {
  if (isSameFailure(before, now) || (hasNoEvent(before) && hasNoEvent(now))) return null
  if (now !== null) {
    const type = now.kind === 'unresolved' ? 'dns' : 'snmp'
    return { message: `${type === 'dns' ? 'DNS' : 'SNMP'}: ${failureText(now)}`, type, severity: 4 }
  }
  if (before?.kind === 'unresolved')
    return { message: `DNS: the name ${before.hostname} resolves`, type: 'dns', severity: 1 }
  const again = before !== null && isAnswer(before) ? 'the agent answers without errors' : 'the agent answers'
  return { message: `SNMP: ${again} again`, type: 'snmp', severity: 1 }
}

/** No failure, or one that has no event of its own. */
function hasNoEvent(failure: SnmpFailure | null): boolean {
  return failure === null || failure.kind === 'timeout' || failure.kind === 'deadline'
}

/**
 * Stores why a device cannot be read and logs changes, in one transaction. Does nothing if this failure is already
 * stored or the device is gone.
 */
export async function writeFailure(
  store: Store,
  { deviceId, failure, at, event = true }: FailureChange,
): Promise<void> {
  return await store.sql
    .begin(async (tx) => {
      const [device] = await tx<{ kind: string | null; detail: string | null }[]>`
        select f.kind, f.detail from devices d left join device_failures f using (device_id)
        where d.device_id = ${deviceId} for no key update of d`
      if (device === undefined) return
      const before = device.kind === null ? null : failureFrom(device.kind, device.detail ?? '')
      if (device.kind !== null && isSameFailure(before, failure)) return
      if (failure === null) await tx`delete from device_failures where device_id = ${deviceId}`
      else {
        await tx`
          insert into device_failures (device_id, kind, detail, since)
          values (${deviceId}, ${failure.kind}, ${detailOf(failure)}, to_timestamp(${at / 1000}))
          on conflict (device_id) do update set kind = excluded.kind, detail = excluded.detail, since = excluded.since`
      }
      const said = event ? failureEvent(before, failure) : null
      if (said === null) return
      await tx`
        insert into eventlog (device_id, datetime, message, type, reference, severity)
        values (${deviceId}, to_timestamp(${at / 1000}), left(${said.message}, 255), ${said.type}, ${String(deviceId)}, ${said.severity})`
    })
    .then(() => undefined)
}
