import type { DeviceRow } from '../../../domain/devices/service.ts'
import type { Device } from './model.ts'

/** Flags that are booleans in the model form. */
const FLAGS = [
  'snmp_disable',
  'status',
  'ignore',
  'disabled',
  'override_sysLocation',
  'disable_notify',
  'ignore_status',
  'mtu_status',
] as const

/**
 * A device in the model form: booleans, and the icon as path. Serves get_device, add_device, del_device and
 * `with=device` of get_port_info.
 */
export function presentDevice(row: DeviceRow): Device {
  const shown: Record<string, unknown> = { ...row }
  for (const flag of FLAGS) shown[flag] = row[flag] === 1
  for (const place of ['lat', 'lng']) shown[place] = row[place] == null ? null : Number(row[place])
  if (typeof row['icon'] === 'string' && row['icon'] !== '') shown['icon'] = `images/os/${row['icon']}`
  return asDevice(shown)
}

/** Guaranteed by the select list of the device record; the tests check every answer against the model. */
function asDevice(shown: Record<string, unknown>): Device {
  return shown as Device
}
