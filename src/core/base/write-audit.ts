import { eventlog } from '../../../db/schema/index.ts'
import type { DbTx } from '../database/client.ts'

/** An action of a person or program for the event log. `deviceId` null: it concerns no existing device. */
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

/** Writes the event in the same transaction as the change that it describes. */
export async function writeAudit(tx: DbTx, event: AuditEvent): Promise<void> {
  const { deviceId, ...rest } = event
  await tx.insert(eventlog).values({ device_id: deviceId, ...rest })
}
