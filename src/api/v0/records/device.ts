import { deviceRecord } from '../../../core/devices/record.ts'
import type { DeviceRow } from '../../../core/devices/service.ts'
import type { Device } from '../devices/model.ts'

const isSet = (flag: number | null) => flag === 1
const degrees = (decimal: string | null) => (decimal === null ? null : Number(decimal))

/**
 * A device in the model form: booleans, ISO times, and the icon as a path. Serves get_device, add_device, del_device
 * and `with=device` of get_port_info. Lists use the form in `src/core/records/device.ts`.
 */
export function presentDevice(row: DeviceRow): Device {
  return {
    ...deviceRecord(row),
    snmp_disable: isSet(row.snmp_disable),
    status: isSet(row.status),
    ignore: isSet(row.ignore),
    disabled: isSet(row.disabled),
    override_sysLocation: isSet(row.override_sysLocation),
    disable_notify: isSet(row.disable_notify),
    ignore_status: isSet(row.ignore_status),
    mtu_status: isSet(row.mtu_status),
    icon: row.icon ? `images/os/${row.icon}` : row.icon,
    lat: degrees(row.lat),
    lng: degrees(row.lng),
  }
}
