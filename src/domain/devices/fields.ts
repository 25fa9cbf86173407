import { isAddress } from '../../store/readers/devices.ts'
import { ASSOCIATION_MODES, TRANSPORTS } from './add.ts'
import { authLevel, isSnmpVersion } from './credentials.ts'

/** What a client may write into a field. */
export type FieldValue = string | number | boolean | null

/** What the field stores, or `undefined`: the value does not fit. */
type Fit = (value: FieldValue) => string | number | null | undefined

const text: Fit = (value) => (value === null ? null : String(value))

/** Text of columns that are never null. */
const ownText: Fit = (value) => (value === null ? '' : String(value))

const flag: Fit = (value) => {
  if (value === true || value === 1 || value === '1' || value === 'true') return 1
  if (value === false || value === null || value === 0 || value === '0' || value === '' || value === 'false') return 0
  return undefined
}

const whole =
  (min: number, max: number, nullable: boolean): Fit =>
  (value) => {
    if (value === null || value === '') return nullable ? null : undefined
    if (typeof value === 'boolean') return undefined
    const number = Number(value)
    return Number.isInteger(number) && number >= min && number <= max ? number : undefined
  }

const INT = 2_147_483_647

/** Columns of a device that clients may change, and what fits them. `location` is a name and is handled by the writer. */
const EDITABLE: Readonly<Record<string, Fit>> = {
  authalgo: text,
  authlevel: (value) => (value === null || value === '' ? null : (authLevel(String(value)) ?? undefined)),
  authname: text,
  authpass: text,
  community: text,
  cryptoalgo: text,
  cryptopass: text,
  disable_notify: flag,
  disabled: flag,
  display_template: text,
  features: text,
  hardware: text,
  // read as a path below the web server, stored as the name of the file
  icon: (value) => (value === null ? null : String(value).replace(/^images\/os\//, '')),
  ignore: flag,
  ignore_status: flag,
  ip: (value) => {
    if (value === null || value === '') return null
    return typeof value === 'string' && isAddress(value) ? value : undefined
  },
  location: text,
  location_id: whole(1, INT, true),
  notes: text,
  os: text,
  override_sysLocation: flag,
  overwrite_ip: text,
  poller_group: whole(0, INT, false),
  port: whole(1, 65_535, false),
  port_association_mode: (value) => {
    const named = (ASSOCIATION_MODES as readonly unknown[]).indexOf(value)
    return named >= 0 ? named + 1 : whole(1, ASSOCIATION_MODES.length, false)(value)
  },
  purpose: text,
  retries: whole(0, 100, true),
  serial: text,
  snmp_disable: flag,
  snmpEngineID: text,
  snmpver: (value) => (typeof value === 'string' && isSnmpVersion(value) ? value : undefined),
  status: flag,
  status_reason: ownText,
  sysDescr: text,
  sysName: (value) => (value === null ? null : String(value).trim().toLowerCase()),
  sysObjectID: text,
  timeout: whole(0, 3600, true),
  transport: (value) => TRANSPORTS.find((t) => t === value),
  type: ownText,
  uptime: whole(0, Number.MAX_SAFE_INTEGER, true),
  version: text,
}

export type FieldFit =
  | { readonly kind: 'value'; readonly value: string | number | null }
  | { readonly kind: 'misfit' }
  /** Not a column that clients may change: ignored, as LibreNMS does. */
  | { readonly kind: 'ignored' }

/** What becomes of one field of `update_device_field`. */
export function fitField(name: string, value: FieldValue): FieldFit {
  if (!Object.hasOwn(EDITABLE, name)) return { kind: 'ignored' }
  const fitted = EDITABLE[name]?.(value)
  return fitted === undefined ? { kind: 'misfit' } : { kind: 'value', value: fitted }
}
