import { portInScope, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'

/**
 * A transceiver as the API shows it; `port_id` 0: the interface is unknown or has no port. Times are ISO 8601 UTC with
 * microseconds.
 */
export interface TransceiverRecord {
  readonly id: number
  readonly created_at: string
  readonly updated_at: string
  readonly device_id: number
  readonly port_id: number
  readonly index: string
  readonly entity_physical_index: number | null
  readonly type: string | null
  readonly vendor: string | null
  readonly oui: string | null
  readonly model: string | null
  readonly revision: string | null
  readonly serial: string | null
  readonly date: string | null
  readonly ddm: boolean | null
  readonly encoding: string | null
  readonly cable: string | null
  readonly distance: number | null
  readonly wavelength: number | null
  readonly connector: string | null
  readonly channels: number
}

/** Transceivers in scope of a device or port, by id. Without a port, the scope of the device decides. */
export async function listTransceivers(
  { sql }: Store,
  scope: Scope,
  of: { readonly deviceId: number } | { readonly portId: number },
): Promise<TransceiverRecord[]> {
  const iso = sql`'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`
  const where = 'portId' in of ? sql`x.port_id = ${of.portId}` : sql`x.device_id = ${of.deviceId}`
  return await sql<TransceiverRecord[]>`
    select x.id::int as id, to_char(x.created_at at time zone 'UTC', ${iso}) as created_at,
      to_char(x.updated_at at time zone 'UTC', ${iso}) as updated_at, x.device_id, coalesce(x.port_id, 0) as port_id,
      x.index, x.entity_physical_index, x.type, x.vendor, x.oui, x.model, x.revision, x.serial, x.date,
      x.ddm <> 0 as ddm, x.encoding, x.cable, x.distance, x.wavelength, x.connector, x.channels
    from transceivers x
    cross join lateral (select x.device_id, x.port_id) p
    where ${where} and ${portInScope(sql, scope)} order by x.id`
}
