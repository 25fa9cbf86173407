import type { DeviceModel } from './device.ts'
import access1 from './devices/access-1.snmprec' with { type: 'text' }
import access2 from './devices/access-2.snmprec' with { type: 'text' }
import access3 from './devices/access-3.snmprec' with { type: 'text' }
import access4 from './devices/access-4.snmprec' with { type: 'text' }
import ap1 from './devices/ap-1.snmprec' with { type: 'text' }
import ap2 from './devices/ap-2.snmprec' with { type: 'text' }
import branch1 from './devices/branch-1.snmprec' with { type: 'text' }
import branch2 from './devices/branch-2.snmprec' with { type: 'text' }
import core1 from './devices/core-1.snmprec' with { type: 'text' }
import db1 from './devices/db-1.snmprec' with { type: 'text' }
import edge1 from './devices/edge-1.snmprec' with { type: 'text' }
import esx1 from './devices/esx-1.snmprec' with { type: 'text' }
import fw1 from './devices/fw-1.snmprec' with { type: 'text' }
import lb1 from './devices/lb-1.snmprec' with { type: 'text' }
import leaf1 from './devices/leaf-1.snmprec' with { type: 'text' }
import nas1 from './devices/nas-1.snmprec' with { type: 'text' }
import pe1 from './devices/pe-1.snmprec' with { type: 'text' }
import printer1 from './devices/printer-1.snmprec' with { type: 'text' }
import printer2 from './devices/printer-2.snmprec' with { type: 'text' }
import printer3 from './devices/printer-3.snmprec' with { type: 'text' }
import ups1 from './devices/ups-1.snmprec' with { type: 'text' }
import ups2 from './devices/ups-2.snmprec' with { type: 'text' }
import wan1 from './devices/wan-1.snmprec' with { type: 'text' }
import warehouse1 from './devices/warehouse-1.snmprec' with { type: 'text' }
import web1 from './devices/web-1.snmprec' with { type: 'text' }
import wlc1 from './devices/wlc-1.snmprec' with { type: 'text' }
import { POWER_CUTS } from './timetable.ts'

const WAREHOUSE = {
  name: 'warehouse-1',
  kind: 'access switch',
  life: POWER_CUTS,
  recording: warehouse1,
} as const satisfies DeviceModel

/** The demo devices in order of their addresses. Append new ones, so that existing addresses do not change. */
export const FLEET = [
  { name: 'core-1', kind: 'core switch', recording: core1 },
  { name: 'access-1', kind: 'access switch', recording: access1 },
  { name: 'access-2', kind: 'access switch', recording: access2 },
  { name: 'access-3', kind: 'access switch', maxRepetitions: 30, recording: access3 },
  { name: 'leaf-1', kind: 'data centre switch', recording: leaf1 },
  { name: 'edge-1', kind: 'router', recording: edge1 },
  { name: 'wan-1', kind: 'router', recording: wan1 },
  { name: 'branch-1', kind: 'router', recording: branch1 },
  { name: 'fw-1', kind: 'firewall', recording: fw1 },
  { name: 'wlc-1', kind: 'wireless controller', maxRepetitions: 20, recording: wlc1 },
  // a small management card: small messages, few rows per response
  { name: 'ups-1', kind: 'UPS', maxMessageOctets: 1200, maxRepetitions: 10, recording: ups1 },
  { name: 'web-1', kind: 'server', recording: web1 },
  {
    name: 'db-1',
    kind: 'server',
    v3: { authname: 'portlight', authpass: 'demo-auth-password', cryptopass: 'demo-privacy-password' },
    recording: db1,
  },
  { name: 'nas-1', kind: 'storage and video recorder', recording: nas1 },
  { name: 'esx-1', kind: 'hypervisor', recording: esx1 },
  { name: 'printer-1', kind: 'printer', maxMessageOctets: 1024, maxRepetitions: 10, recording: printer1 },
  WAREHOUSE,
  { name: 'pe-1', kind: 'router', recording: pe1 },
  { name: 'lb-1', kind: 'load balancer', recording: lb1 },
  { name: 'ap-2', kind: 'access point', behind: WAREHOUSE, recording: ap2 },
  {
    name: 'printer-3',
    kind: 'printer',
    ...{ maxMessageOctets: 1024, maxRepetitions: 10, behind: WAREHOUSE },
    recording: printer3,
  },
] as const satisfies readonly DeviceModel[]

/**
 * Devices that nobody has added: neighbours report them or a scan finds them. In order of their addresses, which are in
 * the recordings of their neighbours. Append new ones.
 */
export const UNKNOWN = [
  { name: 'access-4', kind: 'access switch', recording: access4 },
  { name: 'ap-1', kind: 'access point', recording: ap1 },
  { name: 'branch-2', kind: 'router', recording: branch2 },
  { name: 'printer-2', kind: 'printer', maxMessageOctets: 1024, maxRepetitions: 10, recording: printer2 },
  { name: 'ups-2', kind: 'UPS', maxMessageOctets: 1200, maxRepetitions: 10, recording: ups2 },
] as const satisfies readonly DeviceModel[]

/** All devices that answer. */
export const EVERY_DEVICE: readonly DeviceModel[] = [...FLEET, ...UNKNOWN]

/** The device with this name; throws RangeError if there is none. */
export function demoDevice(name: string): DeviceModel {
  const model = EVERY_DEVICE.find((m) => m.name === name)
  if (model === undefined)
    throw new RangeError(`no demo device ${name}; there are ${EVERY_DEVICE.map((m) => m.name).join(', ')}`)
  return model
}
