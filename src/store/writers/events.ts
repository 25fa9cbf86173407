import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** One line of the event log. */
export interface Event {
  /** null: about no device. */
  readonly deviceId: number | null
  /** Epoch ms. */
  readonly at: number
  readonly message: string
  readonly type: string
  /** Id of the concerned object. */
  readonly reference: number | null
  readonly username?: string
  /** 0 unknown, 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
  readonly severity: 0 | 1 | 2 | 3 | 4 | 5
}

/** Appends to the event log, in one statement. Events of devices that are gone by now are left out. */
export async function writeEvents({ sql }: Store, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((e) => ({ ...e, username: e.username ?? null }))
  await guarded(
    () => sql`
      insert into eventlog (device_id, datetime, message, type, reference, username, severity)
      select e."deviceId", to_timestamp(e.at / 1000), e.message, e.type, e.reference, e.username, e.severity
      from jsonb_to_recordset(${sql.json(rows as never)}) as e(
        "deviceId" int, at float8, message text, type text, reference text, username text, severity int)
      where e."deviceId" is null or exists (select from devices d where d.device_id = e."deviceId")`,
  )
}
