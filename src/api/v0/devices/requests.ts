import { invalid, unusable } from '../../../core/base/errors.ts'
import { FieldValueError } from '../../../core/devices/edit.ts'
import { ASSOCIATION_MODES } from '../../../core/devices/new-device.ts'
import type { FieldValue, NewDevice } from '../../../core/devices/service.ts'
import { members } from '../../body.ts'

type Body = Readonly<Record<string, unknown>>

/** Text, or a number as text. Undefined if empty or null. */
function text(body: Body, name: string): string | undefined {
  const value = body[name]
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A whole number, as number or text. Throws 400 for anything else. */
function whole(body: Body, name: string, min: number, max: number): number | undefined {
  const value = text(body, name)
  if (value === undefined) return undefined
  const number = Number(value)
  if (!Number.isInteger(number) || number < min || number > max) throw invalid(`Invalid ${name}: ${value}`)
  return number
}

/** A flag: true, 1 or any text except 0 and false. */
function flag(body: Body, name: string): boolean | undefined {
  const value = text(body, name)
  return value === undefined ? undefined : value !== '0' && value.toLowerCase() !== 'false'
}

function associationMode(body: Body): number | undefined {
  const named = (ASSOCIATION_MODES as readonly unknown[]).indexOf(body['port_association_mode'])
  return named >= 0 ? named + 1 : whole(body, 'port_association_mode', 1, ASSOCIATION_MODES.length)
}

/** Parses the body of add_device. Throws 400 if it is empty or has no hostname. */
export function newDevice(json: unknown): NewDevice {
  const body = members(json)
  if (Object.keys(body).length === 0) throw invalid('No information has been provided to add this new device')
  const hostname = text(body, 'hostname')
  if (hostname === undefined) throw invalid('Missing the device hostname')
  return {
    hostname,
    snmpver: (text(body, 'version') ?? text(body, 'snmpver'))?.toLowerCase(),
    port: whole(body, 'port', 1, 65_535),
    transport: text(body, 'transport'),
    pollerGroup: whole(body, 'poller_group', 0, 2_147_483_647),
    force: flag(body, 'force_add'),
    anySource: flag(body, 'snmp_any_source'),
    snmpDisable: flag(body, 'snmp_disable'),
    pingFallback: flag(body, 'ping_fallback'),
    community: text(body, 'community'),
    authlevel: text(body, 'authlevel'),
    authname: text(body, 'authname'),
    authpass: text(body, 'authpass'),
    authalgo: text(body, 'authalgo'),
    cryptopass: text(body, 'cryptopass'),
    cryptoalgo: text(body, 'cryptoalgo'),
    os: text(body, 'os'),
    sysName: text(body, 'sysName'),
    hardware: text(body, 'hardware'),
    displayTemplate: text(body, 'display_template') ?? text(body, 'display'),
    overwriteIp: text(body, 'overwrite_ip'),
    location: text(body, 'location'),
    locationId: whole(body, 'location_id', 1, 2_147_483_647),
    overrideSysLocation: flag(body, 'override_sysLocation'),
    portAssociationMode: associationMode(body),
  }
}

/** The changes for update_device_field; `list` if names and values were sent as lists. */
export interface FieldChanges {
  readonly list: boolean
  readonly changes: readonly (readonly [string, FieldValue])[]
}

/** Parses the body of update_device_field. Throws `invalid` without a field, `unusable` if the lists differ in length. */
export function fieldChanges(json: unknown): FieldChanges {
  const { field, data } = members(json)
  if (Array.isArray(field)) {
    const values: unknown[] = Array.isArray(data) ? data : data === undefined ? [] : [data]
    if (field.length === 0) throw invalid('Device field to patch has not been supplied')
    if (field.length !== values.length) {
      throw unusable(
        `Device fields failed to be updated as the number of fields (${field.length}) does not match the supplied data (${values.length})`,
      )
    }
    return { list: true, changes: field.map((name, i) => [String(name), fieldValue(values[i])]) }
  }
  if (typeof field !== 'string' || field === '') throw invalid('Device field to patch has not been supplied')
  return { list: false, changes: [[field, fieldValue(data)]] }
}

/** Lists and objects are stored as JSON text. */
function fieldValue(value: unknown): FieldValue {
  if (value === undefined || value === null) return null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value)
}

/** Maps refused values to the messages of update_device_field. */
export function updateFailed(thrown: unknown, { list, changes }: FieldChanges): unknown {
  if (!(thrown instanceof FieldValueError)) return thrown
  return unusable(list ? 'Device fields failed to be updated' : `Device ${changes[0]?.[0]} field failed to be updated`)
}
