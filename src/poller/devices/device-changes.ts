import type { Upstream } from '../../core/pollers/upstream.ts'
import type { Log } from '../../observe/log.ts'
import type { Clock } from '../clock.ts'
import { type ChangeQueue, createChangeQueue } from './change-queue.ts'
import type { DeviceMap, PolledDevice } from './polled-device.ts'

/** Queue of inventory changes and events. Those of devices that another poller has claimed meanwhile are dropped. */
export interface DeviceChanges extends ChangeQueue {
  /** Writes what is newer than the rows that the device was read from. They are read again even if that fails. */
  write(device: PolledDevice, what: string, run: () => Promise<void>): void
  /** Writes an event with the present time. `severity`: 1 good news, 4 warning, 5 error. */
  event(what: string, deviceId: number, message: string, severity: 1 | 4 | 5): void
  /** Number of changes dropped because another poller had claimed the device. */
  readonly fenced: number
}

export interface DeviceChangesParts {
  readonly upstream: Upstream
  readonly devices: DeviceMap
  readonly log: Log
  readonly clock: Clock
  /** Called when something about a device was stored; `what` as in `PollerDeps.written`. */
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
}

/** What each kind of change stores, by its name in the queue. */
const WRITTEN_BY: Readonly<Record<string, string>> = {
  ports: 'ports',
  status: 'status',
  poll: 'observed',
  discovery: 'discovered',
}

export function createDeviceChanges({ upstream, devices, log, clock, written }: DeviceChangesParts): DeviceChanges {
  let fenced = 0
  const queue = createChangeQueue({
    retryable: (error) => upstream.retryable(error),
    log,
    done(change, deviceId) {
      const what = WRITTEN_BY[change]
      if (what !== undefined) written([deviceId], [what])
    },
  })

  function push(name: string, key: number, run: () => Promise<void>): Promise<void> {
    const claim = devices.get(key)?.claim
    if (claim === undefined) return queue.push(name, key, run)
    return queue.push(name, key, async () => {
      if (!upstream.isShared() || (await upstream.holds(claim))) return await run()
      fenced++
    })
  }

  return {
    ...queue,
    push,
    write(device, what, run) {
      device.digest = null
      void push(what, device.id, run)
    },
    event(what, deviceId, message, severity) {
      const at = clock.now()
      void push(what, deviceId, () => upstream.event(deviceId, message, severity, at))
    },
    get fenced() {
      return fenced
    },
  }
}
