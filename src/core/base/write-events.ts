import { authlog, eventlog } from '../../../db/schema/index.ts'
import type { Store } from '../database/client.ts'

/** An event posted by a client. */
export interface NewEvent {
  /** null: no device. */
  readonly device_id: number | null
  readonly message: string
  readonly type: string
  readonly reference: string | null
  readonly username: string
  /** 0 unknown, 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
  readonly severity: number
}

/** Stores an event. */
export async function insertEvent({ db }: Store, event: NewEvent): Promise<void> {
  await db.insert(eventlog).values(event)
}

/**
 * Stores an event with its own time even when the database is read-only because its disk is nearly full, since the
 * operator must know.
 */
export async function insertUrgentEvent({ sql }: Store, event: NewEvent & { readonly datetime: Date }): Promise<void> {
  await sql.begin('read write', async (tx) => void (await tx`insert into eventlog ${tx({ ...event })}`))
}

/** Stores an event of a device; nothing if the device is gone. */
export async function insertDeviceEvent(
  { sql }: Store,
  event: Pick<NewEvent, 'message' | 'type' | 'severity'> & { readonly device_id: number },
): Promise<void> {
  await sql`
      insert into eventlog (device_id, message, type, reference, severity)
      select device_id, ${event.message}, ${event.type}, device_id::text, ${event.severity}
      from devices where device_id = ${event.device_id}`
}

/** A login attempt. */
export interface AuthEntry {
  /** Empty when no user was recognised. */
  readonly user: string
  /** Empty for the command line. */
  readonly address: string
  readonly result: string
}

/** Stores login attempts. */
export async function insertAuthEntries({ db }: Store, entries: readonly AuthEntry[]): Promise<void> {
  if (entries.length > 0) await db.insert(authlog).values([...entries])
}
