import type { SnmpVersion } from '@portlight/snmp/target.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { withCredentials } from '../secrets/values.ts'

/** A service and what its checks need to know about the device. */
export interface CheckedService {
  readonly service_id: number
  readonly device_id: number
  readonly service_type: string
  /** null or '': that of the device. */
  readonly service_ip: string | null
  readonly service_param: string | null
  readonly service_name: string | null
  readonly service_desc: string | null
  readonly service_disabled: number
  readonly service_status: number
  /** Epoch seconds. */
  readonly service_changed: number
  readonly service_message: string | null
  readonly service_ds: string | null
  readonly hostname: string
  readonly overwrite_ip: string | null
  readonly device_disabled: number
  /**
   * 0: the device is down. A device whose reachability is not checked has status 0 without a reason, and counts as up.
   */
  readonly device_status: number
  readonly port: number
  readonly snmpver: SnmpVersion
  readonly community: string | null
  readonly authlevel: 'noAuthNoPriv' | 'authNoPriv' | 'authPriv' | null
  readonly authname: string | null
  readonly authpass: string | null
  readonly authalgo: string | null
  readonly cryptopass: string | null
  /** A credential cannot be decrypted and is null. */
  readonly unreadable: boolean
  readonly cryptoalgo: string | null
  /** Failed checks in a row; null: it was never checked. */
  readonly attempt: number | null
}

/** Which services. */
export type ServiceSelection =
  | 'all'
  | { readonly services: readonly number[] }
  | { readonly devices: readonly number[] }

/** Services by id, disabled ones and those of disabled devices included. Throws StoreError. */
export async function servicesToCheck({ sql }: Store, which: ServiceSelection): Promise<CheckedService[]> {
  const chosen =
    which === 'all'
      ? sql`true`
      : 'services' in which
        ? sql`s.service_id = any(${[...which.services]}::int[])`
        : sql`s.device_id = any(${[...which.devices]}::int[])`
  const rows = await sql<Omit<CheckedService, 'unreadable'>[]>`
      select s.service_id, s.device_id, s.service_type, s.service_ip, s.service_param, s.service_name, s.service_desc,
        s.service_disabled, s.service_status, s.service_changed, s.service_message, s.service_ds,
        d.hostname, d.overwrite_ip, d.disabled as device_disabled, (d.status = 1 or d.status_reason = '')::int as device_status, d.port, d.snmpver,
        d.community, d.authlevel, d.authname, d.authpass, d.authalgo, d.cryptopass, d.cryptoalgo, c.attempt
      from services s join devices d on d.device_id = s.device_id
        left join service_checks c on c.service_id = s.service_id
      where ${chosen} order by s.service_id`
  return rows.map(withCredentials)
}

/** What is stored after a check. */
export interface CheckedState {
  readonly serviceId: number
  /** The service's state: 0 ok, 1 warning, 2 critical, 3 unknown. */
  readonly status: number
  /** Epoch seconds of its last change. */
  readonly changed: number
  readonly message: string
  /** JSON object: unit of each data set; null: as it was. */
  readonly ds: string | null
  /** Failed checks in a row that have not changed the state yet. */
  readonly attempt: number
  /** Epoch ms of the check. */
  readonly at: number
  readonly tookMs: number
  readonly lastStatus: number
  readonly lastMessage: string
}

/** A change of a service's state, for the event log. */
export interface ServiceEvent {
  readonly serviceId: number
  readonly deviceId: number
  /** Epoch ms. */
  readonly at: number
  readonly message: string
  readonly severity: number
}

/**
 * Stores the state of services, at most one for each, and events, in one transaction. Services and devices that no
 * longer exist are left out. Throws StoreError.
 */
export async function writeCheckedStates(
  { sql }: Store,
  states: readonly CheckedState[],
  events: readonly ServiceEvent[],
): Promise<void> {
  const sorted = states.toSorted((a, b) => a.serviceId - b.serviceId)
  return await sql
    .begin(async (tx) => {
      if (sorted.length > 0) {
        const rows = JSON.stringify(sorted)
        // in the order of ids, so that no two writers wait for each other; those that are there now stay
        await tx`
          select from services where service_id = any(${integers(sorted.map((one) => one.serviceId))}::text::int[])
          order by service_id for no key update`
        await tx`
          update services s set service_status = n.status, service_changed = n.changed, service_message = n.message,
            service_ds = coalesce(n.ds, s.service_ds)
          from json_to_recordset(${rows}::text::json) n("serviceId" int, status int, changed int, message text, ds text)
          where s.service_id = n."serviceId" and (s.service_status, s.service_changed, s.service_message, s.service_ds)
            is distinct from (n.status, n.changed, n.message, coalesce(n.ds, s.service_ds))`
        await tx`
          insert into service_checks (service_id, checked_at, took_ms, attempt, last_status, last_message)
          select s.service_id, to_timestamp(n.at / 1000), n."tookMs", n.attempt, n."lastStatus", n."lastMessage"
          from json_to_recordset(${rows}::text::json) n("serviceId" int, at float8, "tookMs" real, attempt int,
            "lastStatus" int, "lastMessage" text) join services s on s.service_id = n."serviceId"
          order by s.service_id
          on conflict (service_id) do update set checked_at = excluded.checked_at, took_ms = excluded.took_ms,
            attempt = excluded.attempt, last_status = excluded.last_status, last_message = excluded.last_message`
      }
      if (events.length > 0) {
        await tx`
          insert into eventlog (device_id, datetime, message, type, reference, severity)
          select d.device_id, to_timestamp(n.at / 1000), left(n.message, 255), 'service', n."serviceId"::text, n.severity
          from json_to_recordset(${JSON.stringify(events)}::text::json) n("serviceId" int, "deviceId" int, at float8,
            message text, severity int) join devices d on d.device_id = n."deviceId" order by n.at`
      }
    })
    .then(() => undefined)
}
