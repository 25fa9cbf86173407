import type { DeviceIdentity } from '../device.ts'
import { snmpEngine, system } from '../mib/system.ts'
import { type Instance, scalarValues } from '../table.ts'

/** The system and snmpEngine groups of a device. */
export function systemGroup(device: DeviceIdentity, engineId: Uint8Array): Instance[] {
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
    ...scalarValues(snmpEngine, {
      snmpEngineID: engineId,
      snmpEngineBoots: (t) => t.boots,
      snmpEngineTime: (t) => Math.floor(t.s - t.bootS),
      snmpEngineMaxMessageSize: device.maxMessageOctets,
    }),
  ]
}
