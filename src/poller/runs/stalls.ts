import type { Clock } from '../clock.ts'
import type { DeviceChanges } from '../devices/device-changes.ts'
import type { DeviceStatus } from '../devices/device-status.ts'
import type { DeviceMap } from '../devices/polled-device.ts'
import type { Quarantine } from '../devices/quarantine.ts'
import type { JobAnswer } from '../pool.ts'
import type { Schedule } from '../scheduler.ts'

/** What follows when the response of a device stalls a worker. */
export interface Stalls {
  /** Quarantines the device if its response stalled the worker. */
  ended(id: number, answer: JobAnswer): void
  /** Whether the device is in quarantine. */
  isHeld(id: number): boolean
  /** True if a due device is in quarantine; it is due again when the quarantine ends. */
  isPostponed(schedule: Schedule, id: number, intervalMs: number): boolean
}

export interface StallsParts {
  readonly quarantine: Quarantine
  readonly devices: DeviceMap
  readonly status: DeviceStatus
  readonly changes: DeviceChanges
  readonly clock: Clock
}

export function createStalls({ quarantine, devices, status, changes, clock }: StallsParts): Stalls {
  return {
    ended(id, answer) {
      if (answer.kind !== 'lost' || answer.stalledBy !== id) return
      const at = clock.now()
      const minutes = quarantine.strike(id, clock.steady()) / 60_000
      const message = `A response from this device stalled a worker; the device is not polled for ${minutes} min.`
      changes.event('stall', id, message, 5)
      const device = devices.get(id)
      const until = new Date(at + minutes * 60_000).toISOString()
      if (device !== undefined) status.note(device, { kind: 'stalled', until }, at, { event: false })
    },
    isHeld: (id) => quarantine.heldMs(id, clock.steady()) > 0,
    isPostponed(schedule, id, intervalMs) {
      const now = clock.steady()
      const heldMs = quarantine.heldMs(id, now)
      if (heldMs > 0) schedule.done(id, now, 1 + Math.ceil(heldMs / intervalMs))
      return heldMs > 0
    },
  }
}
