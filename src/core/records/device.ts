import { localTime } from './forms.ts'
import { DEVICE_COLUMNS, DEVICE_SECRETS } from './read-device-columns.ts'

/** Members that clients expect to be text, never null. */
const TEXT_MEMBERS: ReadonlySet<string> = new Set(['display', 'hardware', 'sysName', 'status_reason'])

/** Members that clients expect to be numbers, never null. */
const NUMBER_MEMBERS: ReadonlySet<string> = new Set(['last_polled_timetaken', 'last_discovered_timetaken'])

/**
 * The device record of lists as a select list over aliases `d` (devices) and `l` (locations): times are local, flags
 * 0/1, degrees decimal text. Without `secrets` those members are null.
 */
export function deviceRecord(secrets: boolean): string {
  return selectList(deviceMembers(secrets))
}

/** Members of the parents, over `x` of `parentsOf`. */
const PARENT_MEMBERS = [
  ['dependency_parent_id', 'x.ids'],
  ['dependency_parent_hostname', 'x.names'],
] as const

/** Whether the device record of lists has this member. */
export function isDeviceMember(name: string): boolean {
  return DEVICE_COLUMNS.has(name) || ['location', 'lat', 'lng'].includes(name) || isParentMember(name)
}

function isParentMember(name: string): boolean {
  return PARENT_MEMBERS.some(([member]) => member === name)
}

/**
 * Some members of the device record, in the order of the record: a select list over `d`, `l` and, if `parents`, `x` of
 * `parentsOf`. null: all members.
 */
export function deviceRecordPart(
  names: readonly string[] | null,
  secrets: boolean,
): { readonly columns: string; readonly parents: boolean } {
  const wanted = [...deviceMembers(secrets), ...PARENT_MEMBERS].filter(([name]) => names?.includes(name) ?? true)
  return { columns: selectList(wanted), parents: wanted.some(([name]) => isParentMember(name)) }
}

function selectList(members: readonly (readonly [name: string, expression: string])[]): string {
  return members.map(([name, expression]) => `${expression} as "${name}"`).join(', ')
}

function deviceMembers(secrets: boolean): readonly (readonly [name: string, expression: string])[] {
  const own = [...DEVICE_COLUMNS].map(([name, kind]): [string, string] => {
    const column = `d."${name}"`
    if (!secrets && DEVICE_SECRETS.has(name)) return [name, 'null::text']
    if (kind === 'address') return [name, `coalesce(host(${column}), '')`]
    if (TEXT_MEMBERS.has(name)) return [name, `coalesce(${column}, '')`]
    if (NUMBER_MEMBERS.has(name)) return [name, `coalesce(${column}, 0)`]
    return [name, kind === 'instant' ? localTime(column) : column]
  })
  return [...own, ['location', 'l.location'], ['lat', 'l.lat::text'], ['lng', 'l.lng::text']]
}
