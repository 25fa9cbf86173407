import type { PingResult } from '@portlight/icmp/echo.ts'
import { steadyNow } from '../lib/steady.ts'
import type { PollerContext } from './context.ts'
import type { Runs } from './job-runner.ts'
import type { PolledDevice } from './polled-device.ts'
import { createSchedule } from './scheduler.ts'

/**
 * Pings every device once per `ping.interval`, spread over the interval. The results are stored as samples and, with
 * those of SNMP, decide whether a device is up.
 */
export interface EchoRounds {
  /** Schedules the pings of a device, unless pings are off by `icmp_check` or for the device. */
  place(device: PolledDevice, nowMs: number): void
  remove(id: number): void
  /** Pings the device at the next tick. */
  hasten(id: number, nowMs: number): void
  tick(nowMs: number): void
  /** Sends one round of pings to these addresses; results are in the same order. */
  ping(addresses: readonly string[], count: number, timeoutMs: number): Promise<readonly PingResult[]>
}

/** Maximum number of devices per job, because their requests are sent in one burst. */
const JOB_SIZE = 200

export function createEchoRounds(context: PollerContext, runs: Runs): EchoRounds {
  const { settings, pool, log } = context
  const schedule = createSchedule()
  let available = true

  function ping(addresses: readonly string[], count: number, timeoutMs: number): Promise<readonly PingResult[]> {
    return new Promise((resolve) => {
      pool.run(0, { kind: 'ping', addresses, count, timeoutMs }, (answer) => {
        if (answer.kind === 'pinged') return resolve(answer.results)
        // the round was lost with its worker; this host may still be able to ping
        if (answer.kind === 'lost') return resolve([])
        if (answer.kind === 'failed') log.error({ reason: answer.message }, 'echo round failed')
        resolve(addresses.map(() => ({ kind: 'unavailable' })))
      })
    })
  }

  async function round(devices: readonly PolledDevice[]): Promise<void> {
    const addressed: { device: PolledDevice; address: string }[] = []
    for (const device of devices) {
      // a new address is used from the next round on, so that no device waits for another's DNS look-up
      void context.locate(device)
      if (device.address !== null) addressed.push({ device, address: device.address })
    }
    const results = await ping(
      addressed.map((a) => a.address),
      settings.get('ping.count'),
      settings.get('ping.timeout'),
    )
    const time = Date.now()
    for (const [i, { device: entry }] of addressed.entries()) {
      const result = results[i]
      if (result === undefined || context.devices.get(entry.id) !== entry || entry.address === null) continue
      if (result.kind === 'unavailable') {
        if (available) log.warn('this host cannot send ICMP echo requests; SNMP alone decides whether a device is up')
        available = false
        entry.checks.icmp = 'off'
      } else {
        const { received } = result
        context.writer
          .batch()
          .under(entry.claim)
          .addIcmp({ deviceId: entry.id, time, ...result })
        const before = entry.checks.icmp
        context.checked(entry, 'icmp', received > 0)
        // the device is back: poll it now rather than at its next due time
        if (before === 'failed' && received > 0 && entry.checks.snmp === 'failed')
          context.polls.hasten(entry.id, steadyNow())
      }
      runs.settle(entry, time)
    }
    context.writer.filled()
  }

  return {
    ping,
    place(device, nowMs) {
      const off = !settings.get('icmp_check') || device.stored.icmp_disable || device.stored.disabled === 1
      if (off) {
        schedule.remove(device.id)
        device.checks.icmp = 'off'
      } else {
        if (device.checks.icmp === 'off' && available) device.checks.icmp = 'unknown'
        schedule.set(device.id, settings.get('ping.interval') * 1000, nowMs)
      }
    },
    remove(id) {
      schedule.remove(id)
    },
    hasten(id, nowMs) {
      schedule.hasten(id, nowMs)
    },
    tick(nowMs) {
      if (!available) return
      const ids = schedule.take(nowMs, JOB_SIZE)
      if (ids.length === 0) return
      const devices = ids.map((id) => context.devices.get(id)).filter((e) => e !== undefined)
      round(devices)
        .catch((error: unknown) => log.error({ err: error }, 'echo round failed'))
        .finally(() => {
          for (const id of ids) schedule.done(id, steadyNow())
        })
    },
  }
}
