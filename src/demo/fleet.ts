import type { DeviceModel, RecordedDevice } from './device.ts'
import { accessSwitch, arubaSwitch, junosSwitch } from './devices/access-switches.ts'
import { branchRouter } from './devices/branch-router.ts'
import { coreSwitch } from './devices/core-switch.ts'
import { firewall } from './devices/firewall.ts'
import { hypervisor } from './devices/hypervisor.ts'
import { leafSwitch } from './devices/leaf-switch.ts'
import { loadBalancer } from './devices/load-balancer.ts'
import { printer } from './devices/printer.ts'
import { providerEdge } from './devices/provider-edge.ts'
import { edgeRouter, wanRouter } from './devices/routers.ts'
import { databaseServer, webServer } from './devices/servers.ts'
import { storageServer } from './devices/storage-server.ts'
import ups1 from './devices/ups-1.snmprec' with { type: 'text' }
import { warehouseSwitch } from './devices/warehouse-switch.ts'
import { wirelessController } from './devices/wireless-controller.ts'

/** The demo devices in order of their addresses. Append new ones, so that existing addresses do not change. */
export const FLEET = [
  coreSwitch,
  accessSwitch,
  arubaSwitch,
  junosSwitch,
  leafSwitch,
  edgeRouter,
  wanRouter,
  branchRouter,
  firewall,
  wirelessController,
  // a small management card: small messages, few rows per response
  { name: 'ups-1', kind: 'UPS', maxMessageOctets: 1200, maxRepetitions: 10, recording: ups1 },
  webServer,
  databaseServer,
  storageServer,
  hypervisor,
  printer,
  warehouseSwitch,
  providerEdge,
  loadBalancer,
] as const satisfies readonly (DeviceModel | RecordedDevice)[]

/** The device with this name; throws RangeError if there is none. */
export function demoDevice(name: string): DeviceModel | RecordedDevice {
  const model: DeviceModel | RecordedDevice | undefined = FLEET.find((m) => m.name === name)
  if (model === undefined)
    throw new RangeError(`no demo device ${name}; there are ${FLEET.map((m) => m.name).join(', ')}`)
  return model
}
