import type { Store } from '../database/client.ts'
import { writeAudit } from './write-audit.ts'

/** Kinds of changes of administration, as the type of their event. */
export type ChangeKind =
  | 'settings'
  | 'access'
  | 'alert-rule'
  | 'alert-template'
  | 'transport'
  | 'device-edit'
  | 'maintenance'
  | 'group'
  | 'on-call'
  | 'alert-link'

/**
 * Kinds of events in the audit. Those of the last line are written with the change itself (`core/base/write-audit.ts`), and
 * some of these types also have events without a person.
 */
const AUDITED = [
  ...['settings', 'access', 'alert-rule', 'alert-template', 'transport', 'device-edit', 'maintenance', 'group'],
  ...['bill', 'component', 'on-call', 'alert-link'],
] as const
const AUDITED_IF_NAMED = ['alert', 'interface', 'service', 'system'] as const

/** A change that a person or a command made: who changed what. */
export interface ChangeRow {
  readonly id: number
  readonly at: Date
  readonly kind: string
  /**
   * What was changed: the name of a setting, user, rule, template, transport or maintenance window; the id of a device.
   */
  readonly subject: string | null
  readonly message: string
  /** `cli`: a command; '': the program itself. */
  readonly username: string
}

/** Writes a change to the event log. `message` holds no secret. */
export async function insertChange(
  { db }: Store,
  change: Pick<ChangeRow, 'message' | 'username'> & {
    readonly kind: ChangeKind
    readonly subject: string
    /** The device that was changed; null or absent: none. */
    readonly deviceId?: number | null
  },
): Promise<void> {
  const { kind, subject, message, username, deviceId = null } = change
  await db.transaction((tx) =>
    writeAudit(tx, {
      deviceId,
      type: kind,
      reference: subject.slice(0, 64),
      message: message.slice(0, 1000),
      username,
      severity: 3,
    }),
  )
}

/** Changes, the latest first. `before`: only those with a smaller id. */
export async function listChanges(
  { sql }: Store,
  { limit, before }: { readonly limit: number; readonly before: number | null },
): Promise<ChangeRow[]> {
  return await sql<ChangeRow[]>`
      select event_id::float8 as id, datetime as at, type as kind, reference as subject, coalesce(message, '') as message,
        coalesce(username, '') as username
      from eventlog
      where (type = any(${[...AUDITED]}::text[]) or (type = any(${[...AUDITED_IF_NAMED]}::text[]) and username <> ''))
        and (type <> 'maintenance' or device_id is null)
        -- a new name of a device has a row with both names
        and not (type = 'system' and message like 'Hostname changed -> %')
        and ${before === null ? sql`true` : sql`event_id < ${before}`}
      order by datetime desc, event_id desc limit ${limit}`
}

/** The last change of each setting. */
export async function lastSettingChanges({ sql }: Store): Promise<ChangeRow[]> {
  return await sql<ChangeRow[]>`
      select distinct on (reference) event_id::float8 as id, datetime as at, type as kind, reference as subject,
        coalesce(message, '') as message, coalesce(username, '') as username
      from eventlog where device_id is null and type = 'settings' order by reference, event_id desc`
}
