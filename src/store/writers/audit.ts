import type { TransactionSql } from 'postgres'
import type { Sql } from '../client.ts'

/** A transaction of the client for hand-written SQL, or the client itself. */
export type Tx = Sql | TransactionSql<{ bigint: number | string }>

/** Something a person or program did, for the event log. `deviceId` null: about no device that exists. */
export interface AuditEvent {
  readonly deviceId: number | null
  readonly message: string
  /** `system`, `interface`, ... */
  readonly type: string
  readonly reference: string | null
  readonly username: string
  /** 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
  readonly severity: 1 | 2 | 3 | 4 | 5
}

/** Writes the event within the transaction of what it tells of. */
export async function writeAudit(tx: Tx, event: AuditEvent): Promise<void> {
  await tx`
    insert into eventlog (device_id, message, type, reference, username, severity)
    values (${event.deviceId}, ${event.message}, ${event.type}, ${event.reference}, ${event.username}, ${event.severity})`
}
