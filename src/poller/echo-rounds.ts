import type { PingResult } from '../icmp/echo.ts'
import { addressOf, type DeviceEntry } from './device.ts'
import type { Core } from './poller.ts'
import type { Runs } from './runs.ts'
import { createSchedule } from './scheduler.ts'

/** ICMP echo to every device once per `ping.interval`, spread over it; the answers are samples and decide, with SNMP, whether a device is up. */
export interface EchoRounds {
  /** Sets when a device is pinged: never, when `icmp_check` is off or the device overrides it. */
  place(entry: DeviceEntry, nowMs: number): void
  remove(id: number): void
  tick(nowMs: number): void
  /** One round to these addresses, in their order. */
  ping(addresses: readonly string[], count: number, timeoutMs: number): Promise<readonly PingResult[]>
}

/** Devices of one job: their requests go out in one burst. */
const JOB_SIZE = 200

export function createEchoRounds(core: Core, runs: Runs): EchoRounds {
  const { settings, pool, log } = core
  const schedule = createSchedule()
  let available = true

  function ping(addresses: readonly string[], count: number, timeoutMs: number): Promise<readonly PingResult[]> {
    return new Promise((resolve) => {
      pool.run(0, { kind: 'ping', addresses, count, timeoutMs }, (answer) => {
        if (answer.kind === 'pinged') return resolve(answer.results)
        if (answer.kind === 'failed') log.error({ reason: answer.message }, 'echo round failed')
        resolve(addresses.map(() => ({ kind: 'unavailable' })))
      })
    })
  }

  async function round(entries: readonly DeviceEntry[]): Promise<void> {
    const addressed: { entry: DeviceEntry; address: string }[] = []
    for (const entry of entries) {
      const address = await addressOf(core.resolver, entry.stored)
      if (address !== null) addressed.push({ entry, address })
    }
    const results = await ping(
      addressed.map((a) => a.address),
      settings.get('ping.count'),
      settings.get('ping.timeout'),
    )
    const time = Date.now()
    for (const [i, { entry }] of addressed.entries()) {
      const result = results[i]
      if (result === undefined || core.entries.get(entry.id) !== entry) continue
      if (result.kind === 'unavailable') {
        if (available) log.warn('this host can send no ICMP echo: SNMP alone decides whether a device is up')
        available = false
        entry.checks.icmp = 'off'
      } else {
        const { sent, received, rttAvgMs, rttMinMs, rttMaxMs } = result
        core.writer.batch().addIcmp({ deviceId: entry.id, time, sent, received, rttAvgMs, rttMinMs, rttMaxMs })
        const before = entry.checks.icmp
        entry.checks.icmp = received > 0 ? 'ok' : 'failed'
        // it is back: ask by SNMP at once instead of at its next turn
        if (before === 'failed' && received > 0 && entry.checks.snmp === 'failed') core.polls.hasten(entry.id, time)
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
    tick(nowMs) {
      if (!available) return
      const ids = schedule.take(nowMs, JOB_SIZE)
      if (ids.length === 0) return
      const entries = ids.map((id) => core.entries.get(id)).filter((e) => e !== undefined)
      round(entries)
        .catch((error: unknown) => log.error({ err: error }, 'echo round failed'))
        .finally(() => {
          for (const id of ids) schedule.done(id, Date.now())
        })
    },
  }
}
