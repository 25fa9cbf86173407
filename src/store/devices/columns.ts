import { getTableColumns } from 'drizzle-orm'
import { devices } from '../../../db/schema/index.ts'

/** Columns of `devices` with secrets, shown to administrators only. */
export const DEVICE_SECRETS: ReadonlySet<string> = new Set(['community', 'authpass', 'cryptopass'])

/** Our own columns, which are not part of the API's device record. */
const PRIVATE: ReadonlySet<string> = new Set(['poll_interval'])

/** Members that clients expect to be text, never null. */
const TEXT_MEMBERS: ReadonlySet<string> = new Set(['display', 'hardware', 'sysName', 'status_reason'])

/** Members that clients expect to be numbers, never null. */
const NUMBER_MEMBERS: ReadonlySet<string> = new Set(['last_polled_timetaken', 'last_discovered_timetaken'])

export type ColumnKind = 'text' | 'number' | 'instant' | 'address'

/** Columns of the device record in API order, and their kind. */
export const DEVICE_COLUMNS: ReadonlyMap<string, ColumnKind> = new Map(
  Object.entries(getTableColumns(devices))
    .filter(([name]) => !PRIVATE.has(name))
    .map(([name, column]) => [
      name,
      name === 'ip'
        ? 'address'
        : column.dataType === 'date'
          ? 'instant'
          : column.dataType === 'number'
            ? 'number'
            : 'text',
    ]),
)

/** Format of instants: local `Y-m-d H:i:s` (`rows`), or ISO 8601 UTC with microseconds (`model`). */
export type TimeForm = 'local' | 'iso'

/** The time zone of local times: the server's. Safe inside SQL text, because the name comes from the runtime. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** SQL expression that formats the instant `expression` as text. */
export function instantSql(expression: string, form: TimeForm): string {
  return form === 'local'
    ? `left((${expression} at time zone '${ZONE}')::text, 19)`
    : `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/**
 * SQL expressions of the device record over aliases `d` (devices) and `l` (locations), by member. Flags stay 0/1.
 * Without `secrets` those members are null.
 */
export function deviceExpressions(form: TimeForm, secrets: boolean): [name: string, expression: string][] {
  const own = [...DEVICE_COLUMNS].map(([name, kind]): [string, string] => {
    const column = `d."${name}"`
    if (!secrets && DEVICE_SECRETS.has(name)) return [name, 'null::text']
    if (kind === 'address') return [name, `coalesce(host(${column}), '')`]
    if (TEXT_MEMBERS.has(name)) return [name, `coalesce(${column}, '')`]
    if (NUMBER_MEMBERS.has(name)) return [name, `coalesce(${column}, 0)`]
    // LibreNMS casts all but this one.
    if (kind === 'instant') return [name, instantSql(column, name === 'last_poll_attempted' ? 'local' : form)]
    return [name, column]
  })
  const degrees = form === 'local' ? '::text' : ''
  return [...own, ['location', 'l.location'], ['lat', `l.lat${degrees}`], ['lng', `l.lng${degrees}`]]
}

/** Select list of `deviceExpressions`. */
export function deviceSelectList(form: TimeForm, secrets: boolean): string {
  return deviceExpressions(form, secrets)
    .map(([name, expression]) => `${expression} as "${name}"`)
    .join(', ')
}
