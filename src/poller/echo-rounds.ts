import type { PingResult } from '../icmp/echo.ts'
import { steadyNow } from '../lib/steady.ts'
import type { Core } from './context.ts'
import type { Runs } from './job-runner.ts'
import type { DeviceEntry } from './polled-device.ts'
import { createSchedule } from './scheduler.ts'

/**
 * Pings every device once per `ping.interval`, spread over the interval. The results are stored as samples and, with
 * those of SNMP, decide whether a device is up.
 */
export interface EchoRounds {
  /** Schedules the pings of a device, unless pings are off by `icmp_check` or for the device. */
  place(entry: DeviceEntry, nowMs: number): void
  remove(id: number): void
  /** Pings the device at the next tick. */
  hasten(id: number, nowMs: number): void
  tick(nowMs: number): void
  /** Sends one round of pings to these addresses; results are in the same order. */
  ping(addresses: readonly string[], count: number, timeoutMs: number): Promise<readonly PingResult[]>
}

/** Maximum number of devices per job, because their requests are sent in one burst. */
const JOB_SIZE = 200

export function createEchoRounds(core: Core, runs: Runs): EchoRounds {
  const { settings, pool, log } = core
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

  async function round(entries: readonly DeviceEntry[]): Promise<void> {
    const addressed: { entry: DeviceEntry; address: string }[] = []
    for (const entry of entries) {
      // a new address is used from the next round on, so that no device waits for another's DNS look-up
      void core.locate(entry)
      if (entry.address !== null) addressed.push({ entry, address: entry.address })
    }
    const results = await ping(
      addressed.map((a) => a.address),
      settings.get('ping.count'),
      settings.get('ping.timeout'),
    )
    const time = Date.now()
    for (const [i, { entry }] of addressed.entries()) {
      const result = results[i]
      if (result === undefined || core.entries.get(entry.id) !== entry || entry.address === null) continue
      if (result.kind === 'unavailable') {
        if (available) log.warn('this host cannot send ICMP echo requests; SNMP alone decides whether a device is up')
        available = false
        entry.checks.icmp = 'off'
      } else {
        const { received } = result
        core.writer
          .batch()
          .under(entry.claim)
          .addIcmp({ deviceId: entry.id, time, ...result })
        const before = entry.checks.icmp
        core.checked(entry, 'icmp', received > 0)
        // the device is back: poll it now rather than at its next due time
        if (before === 'failed' && received > 0 && entry.checks.snmp === 'failed')
          core.polls.hasten(entry.id, steadyNow())
      }
      runs.settle(entry, time)
    }
    core.writer.filled()
  }

  return {
    ping,
    place(entry, nowMs) {
      const off = !settings.get('icmp_check') || entry.stored.icmp_disable || entry.stored.disabled === 1
      if (off) {
        schedule.remove(entry.id)
        entry.checks.icmp = 'off'
      } else {
        if (entry.checks.icmp === 'off' && available) entry.checks.icmp = 'unknown'
        schedule.set(entry.id, settings.get('ping.interval') * 1000, nowMs)
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
      const entries = ids.map((id) => core.entries.get(id)).filter((e) => e !== undefined)
      round(entries)
        .catch((error: unknown) => log.error({ err: error }, 'echo round failed'))
        .finally(() => {
          for (const id of ids) schedule.done(id, steadyNow())
        })
    },
  }
}
