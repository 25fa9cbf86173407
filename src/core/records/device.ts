import type { devices } from '../../../db/schema/index.ts'
import { type FieldsOver, listed, membersSql, presenter, type Row, selectMembers } from './fields.ts'
import { TIMES } from './times.ts'

/**
 * The record of a device, over `d` (devices) and `l` (locations). Columns that are not listed here are our own and not
 * part of the API.
 */
export const DEVICE = {
  device_id: { form: 'whole' },
  inserted: { form: 'instant', ifNull: null },
  hostname: { form: 'text' },
  sysName: { form: 'text', ifNull: '' },
  display: { form: 'text' },
  display_template: { form: 'text', ifNull: null },
  ip: { form: 'address', ifNull: '', about: 'Printable form; empty if unknown' },
  overwrite_ip: { form: 'text', ifNull: null },
  community: { form: 'text', ifNull: null, secret: true },
  authlevel: { form: 'text', ifNull: null },
  authname: { form: 'text', ifNull: null },
  authpass: { form: 'text', ifNull: null, secret: true },
  authalgo: { form: 'text', ifNull: null },
  cryptopass: { form: 'text', ifNull: null, secret: true },
  cryptoalgo: { form: 'text', ifNull: null },
  snmpver: { form: 'text' },
  port: { form: 'whole' },
  transport: { form: 'text' },
  timeout: { form: 'whole', ifNull: null },
  retries: { form: 'whole', ifNull: null },
  snmp_disable: { form: 'flag' },
  bgpLocalAs: { form: 'whole', ifNull: null },
  sysObjectID: { form: 'text', ifNull: null },
  snmpEngineID: { form: 'text', ifNull: null },
  sysDescr: { form: 'text', ifNull: null },
  sysContact: { form: 'text', ifNull: null },
  version: { form: 'text', ifNull: null },
  hardware: { form: 'text', ifNull: '' },
  features: { form: 'text', ifNull: null },
  location_id: { form: 'whole', ifNull: null },
  os: { form: 'text', ifNull: null },
  status: { form: 'flag' },
  status_reason: { form: 'text' },
  ignore: { form: 'flag' },
  disabled: { form: 'flag' },
  uptime: { form: 'whole', ifNull: null },
  agent_uptime: { form: 'whole' },
  last_polled: { form: 'instant', ifNull: null },
  // the one time that LibreNMS does not convert to ISO 8601
  last_poll_attempted: { form: 'local time', ifNull: null },
  last_polled_timetaken: { form: 'number', ifNull: 0 },
  last_discovered_timetaken: { form: 'number', ifNull: 0 },
  last_discovered: { form: 'instant', ifNull: null },
  last_ping: { form: 'instant', ifNull: null },
  last_ping_timetaken: { form: 'number', ifNull: null },
  purpose: { form: 'text', ifNull: null },
  type: { form: 'text' },
  serial: { form: 'text', ifNull: null },
  icon: { form: 'icon', ifNull: null },
  poller_group: { form: 'whole' },
  override_sysLocation: { form: 'flag', ifNull: null },
  notes: { form: 'text', ifNull: null },
  port_association_mode: { form: 'whole' },
  max_depth: { form: 'whole' },
  disable_notify: { form: 'flag' },
  ignore_status: { form: 'flag' },
  mtu_status: { form: 'flag' },
  location: { form: 'text', ifNull: null, column: 'l.location' },
  lat: { form: 'degrees', ifNull: null, column: 'l.lat' },
  lng: { form: 'degrees', ifNull: null, column: 'l.lng' },
} as const satisfies FieldsOver<typeof devices.$inferSelect>

/** Members that lists have besides, over `x` of `parentsOf`. */
export const DEVICE_PARENTS = {
  dependency_parent_id: { form: 'text', ifNull: null, column: 'x.ids', about: 'Ids, separated by commas' },
  dependency_parent_hostname: { form: 'text', ifNull: null, column: 'x.names' },
} as const satisfies FieldsOver<object>

/** A device with its location, as read from the database; secrets are null unless requested. */
export type DeviceRow = Row<typeof DEVICE>

const FIELDS: FieldsOver<object> = DEVICE

/** Columns of `devices` with secrets, shown to administrators only. */
export const DEVICE_SECRETS: ReadonlySet<string> = new Set(
  Object.entries(FIELDS).flatMap(([name, { secret }]) => (secret === true ? [name] : [])),
)

/** How a column of `devices` in the record is ordered; null: there is none. */
export function deviceColumnOrder(name: string): 'text' | 'value' | null {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (field === undefined || field.column !== undefined) return null
  return field.form === 'text' || field.form === 'icon' ? 'text' : 'value'
}

/** Whether the device record of lists has this member. */
export function isDeviceMember(name: string): boolean {
  return Object.hasOwn(DEVICE, name) || Object.hasOwn(DEVICE_PARENTS, name)
}

/**
 * Some members of the device record of lists, in the order of the record: a select list over `d`, `l` and, if
 * `parents`, `x` of `parentsOf`. null: all members. Without `secrets` those members are null.
 */
export function deviceRecordPart(
  names: readonly string[] | null,
  secrets: boolean,
): { readonly columns: string; readonly parents: boolean } {
  const members = membersSql({ ...DEVICE, ...DEVICE_PARENTS }, 'd', listed, secrets)
  const wanted = members.filter(([name]) => names?.includes(name) ?? true)
  return { columns: selectMembers(wanted), parents: wanted.some(([name]) => Object.hasOwn(DEVICE_PARENTS, name)) }
}

/** A device as shown by the command line: flags are 0/1, texts and durations are not null, times are ISO 8601. */
export const deviceRecord = presenter(DEVICE, TIMES)
