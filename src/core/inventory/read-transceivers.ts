import { transceivers } from '../../../db/schema/index.ts'
import { portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { selectList } from '../database/columns.ts'
import { epochSeconds } from '../database/instants.ts'

type Instant = 'created_at' | 'updated_at'

/**
 * A transceiver; `port_id` null: the interface is unknown or has no port. Instants are seconds since 1970, exact to the
 * microsecond.
 */
export type TransceiverRow = Readonly<Omit<typeof transceivers.$inferSelect, Instant>> & {
  readonly [K in Instant]: number
}

const COLUMNS = selectList(transceivers, 'x', {
  created_at: epochSeconds('x.created_at'),
  updated_at: epochSeconds('x.updated_at'),
})

/** Transceivers in scope of a device or port, by id. Without a port, the scope of the device decides. */
export async function listTransceivers(
  { sql }: Store,
  scope: Scope,
  of: { readonly deviceId: number } | { readonly portId: number },
): Promise<TransceiverRow[]> {
  const where = 'portId' in of ? sql`x.port_id = ${of.portId}` : sql`x.device_id = ${of.deviceId}`
  return await sql<TransceiverRow[]>`
    select ${sql.unsafe(COLUMNS)}
    from transceivers x
    cross join lateral (select x.device_id, x.port_id) p
    where ${where} and ${portInScope(sql, scope)} order by x.id`
}
