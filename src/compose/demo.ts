import { type DemoFleet, startDemoFleet } from '../demo/demo.ts'
import { SYSTEM } from '../domain/actor.ts'
import { DomainError } from '../domain/errors.ts'
import type { Services } from '../domain/services.ts'
import type { Log } from '../observe/log.ts'

/** Starts the simulated fleet and adds its devices; those of an earlier start are found where they are now. */
export async function addDemoDevices(services: Services, log: Log): Promise<DemoFleet> {
  const fleet = await startDemoFleet({ log: log.child({ component: 'demo' }) })
  const added = await Promise.all(
    fleet.devices.map(async (device) => {
      const { hostname, address, port, community, snmpver, v3 } = device
      const credentials = v3 === null ? { community } : { ...v3 }
      try {
        await services.devices.add(SYSTEM, { hostname, overwriteIp: address, port, snmpver, ...credentials })
        return 1
      } catch (error) {
        if (error instanceof DomainError && error.code === 'conflict') return 0
        log.warn(
          { device: hostname, reason: error instanceof Error ? error.message : String(error) },
          'demo device not added',
        )
        return 0
      }
    }),
  )
  log.info({ devices: fleet.devices.length, added: added.filter((n) => n === 1).length }, 'demo fleet is watched')
  return fleet
}
