import type { Clock } from '../clock.ts'
import type { Resolver } from '../resolve.ts'
import type { DeviceStatus } from './device-status.ts'
import { createLookups, type NameLookup } from './lookups.ts'
import {
  addressOf,
  type DeviceMap,
  type DevicePlanRow,
  isCurrent,
  nameOf,
  type PolledDevice,
  readdress,
} from './polled-device.ts'
import type { Schedules } from './schedules.ts'

/** The addresses of devices, and what follows when a name no longer resolves or resolves again. */
export interface Addresses {
  /** Looks up the names of several devices, by device id; see `createLookups`. */
  lookUp(found: ReadonlyMap<number, DevicePlanRow>): Promise<ReadonlyMap<number, NameLookup>>
  /** Applies the result of such a look-up to a device whose plan was made from it, now or once it is known. */
  apply(device: PolledDevice, lookup: NameLookup | undefined): void
  /** Looks up the device's name; a changed address rebuilds the plan. Never throws. */
  locate(device: PolledDevice): Promise<void>
  /** Waits for the look-up only if the device has no address; otherwise a new address is used from the next run on. */
  whenLocated(device: PolledDevice, run: () => void): void
}

export interface AddressesParts {
  readonly resolver: Resolver
  readonly devices: DeviceMap
  readonly schedules: Schedules
  readonly status: DeviceStatus
  readonly clock: Clock
}

export function createAddresses({ resolver, devices, schedules, status, clock }: AddressesParts): Addresses {
  /** Without an address all checks fail; with one again, the device is checked at once. */
  function located(device: PolledDevice): void {
    const { checks, stored, address } = device
    const now = clock.now()
    const made = (['icmp', 'snmp'] as const).filter((check) => checks[check] !== 'off')
    if (stored.disabled === 1 || made.length === 0) return
    if (address === null) {
      for (const check of made) checks[check] = 'failed'
      status.note(device, { kind: 'unresolved', hostname: nameOf(stored) }, now)
      status.settle(device, now)
    } else if (device.failure?.kind === 'unresolved') {
      for (const check of made) checks[check] = 'unknown'
      status.note(device, null, now)
      schedules.polls.hasten(device.id, clock.steady())
      schedules.pings.hasten(device.id, clock.steady())
    }
  }

  async function locate(device: PolledDevice): Promise<void> {
    const { stored } = device
    const address = await addressOf(resolver, stored)
    if (!isCurrent(devices, device) || device.stored !== stored || address === device.address) return
    readdress(device, address)
    located(device)
  }

  return {
    lookUp: createLookups(resolver),
    apply(device, lookup) {
      if (lookup?.address !== undefined) return located(device)
      // the name servers were too slow to wait for
      const { stored } = device
      void lookup?.done.then((address) => {
        if (!isCurrent(devices, device) || device.stored !== stored) return
        if (address !== device.address) readdress(device, address)
        located(device)
      })
    },
    locate,
    whenLocated(device, run) {
      const looked = locate(device)
      if (device.address === null) void looked.then(run)
      else run()
    },
  }
}
