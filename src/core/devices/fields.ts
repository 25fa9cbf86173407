import { authLevel, isSnmpVersion } from './credentials.ts'
import { MAX_DISPLAY } from './display.ts'
import { ASSOCIATION_MODES, TRANSPORTS } from './new-device.ts'
import { isAddress } from './read.ts'

/** A value that a client may write to a field. */
export type FieldValue = string | number | boolean | null

/** Returns the value to store, or undefined if the value does not fit. */
type Fit = (value: FieldValue) => string | number | null | undefined

const text: Fit = (value) => (value === null ? null : ownText(value))

/**
 * For text columns that are never null. Unpaired surrogates cannot be stored, and integers beyond 2^53 have lost
 * digits.
 */
const ownText: Fit = (value) => {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined
  if (typeof value === 'string' && !value.isWellFormed()) return undefined
  return value === null ? '' : String(value)
}

/** Text of at most `max` characters (code points). */
const upTo =
  (max: number): Fit =>
  (value) => {
    const fit = text(value)
    return typeof fit === 'string' && [...fit].length > max ? undefined : fit
  }

const flag: Fit = (value) => {
  if (value === true || value === 1 || value === '1' || value === 'true') return 1
  if (value === false || value === null || value === 0 || value === '0' || value === '' || value === 'false') return 0
  return undefined
}

const whole =
  (min: number, max: number, nullable: boolean): Fit =>
  (value) => {
    if (value === null || value === '') return nullable ? null : undefined
    if (typeof value === 'boolean' || (typeof value === 'string' && !/^\d+$/.test(value))) return undefined
    const number = Number(value)
    return Number.isInteger(number) && number >= min && number <= max ? number : undefined
  }

const INT = 2_147_483_647

/** Length of column locations.location. */
const MAX_LOCATION = 255

/**
 * Fields of a device that clients may change, with their validators. All are columns except two: `display` sets the
 * template of that column, and `location` is a name, which is resolved when written.
 */
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
  display: upTo(MAX_DISPLAY),
  display_template: upTo(MAX_DISPLAY),
  features: text,
  hardware: text,
  // clients read it as a path below the web root, but it is stored as a file name
  icon: (value) => {
    const fit = text(value)
    return typeof fit === 'string' ? fit.replace(/^images\/os\//, '') : fit
  },
  ignore: flag,
  ignore_status: flag,
  ip: (value) => {
    if (value === null || value === '') return null
    return typeof value === 'string' && isAddress(value) ? value : undefined
  },
  location: upTo(MAX_LOCATION),
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
  snmp_any_source: flag,
  snmp_disable: flag,
  snmpEngineID: text,
  snmpver: (value) => (typeof value === 'string' && isSnmpVersion(value) ? value : undefined),
  status: flag,
  status_reason: ownText,
  sysDescr: text,
  sysName: (value) => {
    const fit = text(value)
    return typeof fit === 'string' ? fit.trim().toLowerCase() : fit
  },
  sysObjectID: text,
  timeout: whole(0, 3600, true),
  transport: (value) => TRANSPORTS.find((t) => t === value),
  type: ownText,
  uptime: whole(0, Number.MAX_SAFE_INTEGER, true),
  version: text,
}

/** Names of the fields that clients may change. */
export const EDITABLE_FIELDS: readonly string[] = Object.keys(EDITABLE)

/** Those of them that are 0 or 1. */
export const SWITCH_FIELDS: ReadonlySet<string> = new Set(EDITABLE_FIELDS.filter((name) => EDITABLE[name] === flag))

/** Validated changes of update_device_field. */
export interface DeviceChanges {
  /** Values of columns. */
  readonly values: Readonly<Record<string, string | number | null>>
  /** Name of the location; null: none, undefined: unchanged. */
  readonly location: string | null | undefined
  /** The display name requested together with a template; null: none, or it is itself the template. */
  readonly display: string | null
}

export type FieldFit =
  | { readonly kind: 'changes'; readonly changes: DeviceChanges }
  /** A value that does not fit the field, or a second value for one field. */
  | { readonly kind: 'misfit'; readonly field: string }
  /** Not a field that clients may change. */
  | { readonly kind: 'fixed'; readonly field: string }

/** Validates the fields of `update_device_field`. */
export function fitFields(fields: readonly (readonly [string, FieldValue])[]): FieldFit {
  const fitted = new Map<string, string | number | null>()
  for (const [field, value] of fields) {
    const fit = Object.hasOwn(EDITABLE, field) ? EDITABLE[field] : undefined
    if (fit === undefined) return { kind: 'fixed', field }
    const stored = fit(value)
    if (stored === undefined || (fitted.has(field) && fitted.get(field) !== stored)) return { kind: 'misfit', field }
    fitted.set(field, stored)
  }
  const { display, location, ...values } = Object.fromEntries(fitted)
  const template = display === undefined || 'display_template' in values ? {} : { display_template: display || null }
  return {
    kind: 'changes',
    changes: {
      values: { ...values, ...template },
      location: location === undefined ? undefined : location === null || location === '' ? null : String(location),
      display:
        display === undefined || display === null || display === '' || 'display_template' in template
          ? null
          : String(display),
    },
  }
}
