import { ZONE } from '../database/zone.ts'

/**
 * How the API shows stored values, as SQL text. Used only for records whose JSON PostgreSQL makes, because those lists
 * can be long (docs/explanation/api.md, docs/adr/0030-records.md). Other records are converted in `src/api/v0/records`.
 */

/** The instant `expression` as local time, `Y-m-d H:i:s`. */
export function localTime(expression: string): string {
  return `left((${expression} at time zone '${ZONE}')::text, 19)`
}

/** The instant `expression` as ISO 8601 in UTC with microseconds. */
export function isoTime(expression: string): string {
  return `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
