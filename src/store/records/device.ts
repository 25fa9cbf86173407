import { DEVICE_COLUMNS, DEVICE_SECRETS } from '../devices/columns.ts'
import { localTime } from './forms.ts'

/** Members that clients expect to be text, never null. */
const TEXT_MEMBERS: ReadonlySet<string> = new Set(['display', 'hardware', 'sysName', 'status_reason'])

/** Members that clients expect to be numbers, never null. */
const NUMBER_MEMBERS: ReadonlySet<string> = new Set(['last_polled_timetaken', 'last_discovered_timetaken'])

/**
 * The device record of lists as a select list over aliases `d` (devices) and `l` (locations): times are local, flags
 * 0/1, degrees decimal text. Without `secrets` those members are null.
 */
export function deviceRecord(secrets: boolean): string {
  const own = [...DEVICE_COLUMNS].map(([name, kind]): [string, string] => {
    const column = `d."${name}"`
    if (!secrets && DEVICE_SECRETS.has(name)) return [name, 'null::text']
    if (kind === 'address') return [name, `coalesce(host(${column}), '')`]
    if (TEXT_MEMBERS.has(name)) return [name, `coalesce(${column}, '')`]
    if (NUMBER_MEMBERS.has(name)) return [name, `coalesce(${column}, 0)`]
    return [name, kind === 'instant' ? localTime(column) : column]
  })
  return [...own, ['location', 'l.location'], ['lat', 'l.lat::text'], ['lng', 'l.lng::text']]
    .map(([name, expression]) => `${expression} as "${name}"`)
    .join(', ')
}
