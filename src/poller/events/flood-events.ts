import type { Log } from '../../observe/log.ts'
import type { Clock } from '../clock.ts'
import type { DeviceChanges } from '../devices/device-changes.ts'
import type { DeviceMap } from '../devices/polled-device.ts'
import { createFloodReports } from './flood-reports.ts'

/** Events about floods of unexpected datagrams. */
export interface FloodEvents {
  /** Reports a flood from an address, naming the device if there is one. */
  report(address: string): void
  /** Number of floods reported. */
  readonly total: number
}

export interface FloodEventsParts {
  readonly devices: DeviceMap
  readonly changes: DeviceChanges
  readonly log: Log
  readonly clock: Clock
}

/** Maximum number of devices with the same address that get an event about its flood. */
const MAX_FLOOD_EVENTS = 10

export function createFloodEvents({ devices, changes, log, clock }: FloodEventsParts): FloodEvents {
  const floods = createFloodReports()
  return {
    report(address) {
      if (!floods.isNews(address, clock.steady())) return
      const ids = [...devices.values()].filter((device) => device.address === address).map(({ id }) => id)
      log.warn({ address, deviceIds: ids }, 'an address floods this host with unexpected datagrams')
      const message = 'This device sends more than 1,000 unexpected datagrams a second, which are dropped.'
      for (const id of ids.slice(0, MAX_FLOOD_EVENTS)) changes.event('flood', id, message, 4)
    },
    get total() {
      return floods.total
    },
  }
}
