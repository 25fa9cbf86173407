import type { DeviceIdentity } from '../device.ts'
import { system } from '../mib/system.ts'
import { type Instance, scalarValues } from '../table.ts'

/** The system group of a device. */
export function systemGroup(device: Omit<DeviceIdentity, 'maxMessageOctets'>): Instance[] {
  return [
    ...scalarValues(system, {
      sysDescr: device.sysDescr,
      sysObjectID: device.sysObjectID,
      sysUpTime: (t) => t.ticks,
      sysContact: 'Network operations <noc@demo.example>',
      sysName: device.name,
      sysLocation: device.location,
      sysServices: device.sysServices,
    }),
  ]
}
