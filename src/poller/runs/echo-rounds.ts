import type { PingResult } from '@portlight/icmp/echo.ts'
import type { Settings } from '../../config/schema.ts'
import type { Log } from '../../observe/log.ts'
import type { Clock } from '../clock.ts'
import type { Addresses } from '../devices/addresses.ts'
import type { DeviceStatus } from '../devices/device-status.ts'
import { type DeviceMap, isCurrent, type PolledDevice } from '../devices/polled-device.ts'
import type { Schedules } from '../devices/schedules.ts'
import type { Pool } from '../pool.ts'
import type { WriterQueue } from '../samples/writer-queue.ts'

/**
 * Pings the devices that are due. The results are stored as samples and, with those of SNMP, decide whether a device is
 * up.
 */
export interface EchoRounds {
  tick(nowMs: number): void
  /** Sends one round of pings to these addresses; results are in the same order. */
  ping(addresses: readonly string[], count: number, timeoutMs: number): Promise<readonly PingResult[]>
}

export interface EchoRoundsParts {
  readonly settings: Settings
  readonly log: Log
  readonly clock: Clock
  readonly pool: Pool
  readonly devices: DeviceMap
  readonly schedules: Schedules
  readonly addresses: Addresses
  readonly status: DeviceStatus
  readonly writer: WriterQueue
}

/** Maximum number of devices per job, because their requests are sent in one burst. */
const JOB_SIZE = 200

export function createEchoRounds(parts: EchoRoundsParts): EchoRounds {
  const { settings, log, clock, pool, devices, schedules, addresses, status, writer } = parts

  function ping(to: readonly string[], count: number, timeoutMs: number): Promise<readonly PingResult[]> {
    return new Promise((resolve) => {
      pool.run(0, { kind: 'ping', addresses: to, count, timeoutMs }, (answer) => {
        if (answer.kind === 'pinged') return resolve(answer.results)
        // the round was lost with its worker; this host may still be able to ping
        if (answer.kind === 'lost') return resolve([])
        if (answer.kind === 'failed') log.error({ reason: answer.message }, 'echo round failed')
        resolve(to.map(() => ({ kind: 'unavailable' })))
      })
    })
  }

  async function round(due: readonly PolledDevice[]): Promise<void> {
    const addressed: { device: PolledDevice; address: string }[] = []
    for (const device of due) {
      // a new address is used from the next round on, so that no device waits for another's DNS look-up
      void addresses.locate(device)
      if (device.address !== null) addressed.push({ device, address: device.address })
    }
    const results = await ping(
      addressed.map((a) => a.address),
      settings.get('ping.count'),
      settings.get('ping.timeout'),
    )
    const time = clock.now()
    for (const [i, { device }] of addressed.entries()) {
      const result = results[i]
      if (result === undefined || !isCurrent(devices, device) || device.address === null) continue
      pinged(device, result, time)
      status.settle(device, time)
    }
    writer.filled()
  }

  function pinged(device: PolledDevice, result: PingResult, time: number): void {
    if (result.kind === 'unavailable') {
      if (schedules.pings.giveUp())
        log.warn('this host cannot send ICMP echo requests; SNMP alone decides whether a device is up')
      device.checks.icmp = 'off'
      return
    }
    const { received } = result
    writer
      .batch()
      .under(device.claim)
      .addIcmp({ deviceId: device.id, time, ...result })
    const before = device.checks.icmp
    status.checked(device, 'icmp', received > 0)
    // the device is back: poll it now rather than at its next due time
    if (before === 'failed' && received > 0 && device.checks.snmp === 'failed')
      schedules.polls.hasten(device.id, clock.steady())
  }

  return {
    ping,
    tick(nowMs) {
      const ids = schedules.pings.take(nowMs, JOB_SIZE)
      if (ids.length === 0) return
      const due = ids.map((id) => devices.get(id)).filter((device) => device !== undefined)
      round(due)
        .catch((error: unknown) => log.error({ err: error }, 'echo round failed'))
        .finally(() => {
          for (const id of ids) schedules.pings.done(id, clock.steady())
        })
    },
  }
}
