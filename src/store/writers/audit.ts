import { eventlog } from '../../../db/schema/index.ts'
import type { DbTx } from '../client.ts'

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
export async function writeAudit(tx: DbTx, event: AuditEvent): Promise<void> {
  const { deviceId, ...rest } = event
  await tx.insert(eventlog).values({ device_id: deviceId, ...rest })
}
