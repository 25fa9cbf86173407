import { type DemoFleet, startDemoFleet } from '../demo/demo.ts'
import type { DemoDevice } from '../demo/serve.ts'
import { SYSTEM } from '../domain/actor.ts'
import { DomainError } from '../domain/errors.ts'
import type { Gateway } from '../domain/gateway.ts'
import type { Services } from '../domain/services.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/client.ts'
import { updateDevice } from '../store/writers/devices.ts'

/** Seconds between polls of a demonstration device, so that graphs have something to show after two minutes. */
const INTERVAL_S = 30

/** Starts the simulated fleet and adds its devices; those of an earlier start are told where they are now. */
export async function addDemoDevices(services: Services, gateway: Gateway, store: Store, log: Log): Promise<DemoFleet> {
  const fleet = await startDemoFleet({ log: log.child({ component: 'demo' }) })
  const added = await Promise.all(fleet.devices.map((device) => add(services, log, device)))
  for (const { hostname, address, port } of fleet.devices) {
    const device = await services.devices.resolve(hostname)
    if (device === null) continue
    await updateDevice(store, device.device_id, { overwrite_ip: address, port, poll_interval: INTERVAL_S }, undefined)
    gateway.refresh(device.device_id)
  }
  log.info({ devices: fleet.devices.length, added: added.filter(Boolean).length }, 'demo fleet is watched')
  return fleet
}

/** False: it was there already, or could not be added. */
async function add(services: Services, log: Log, device: DemoDevice): Promise<boolean> {
  const { hostname, address, port, community, snmpver, v3 } = device
  const credentials = v3 === null ? { community } : { ...v3 }
  try {
    await services.devices.add(SYSTEM, { hostname, overwriteIp: address, port, snmpver, ...credentials })
    return true
  } catch (error) {
    if (error instanceof DomainError && error.code === 'conflict') return false
    log.warn(
      { device: hostname, reason: error instanceof Error ? error.message : String(error) },
      'demo device not added',
    )
    return false
  }
}
