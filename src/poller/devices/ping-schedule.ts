import type { Settings } from '../../config/schema.ts'
import { createSchedule, type Schedule } from '../scheduler.ts'
import type { PolledDevice } from './polled-device.ts'

/** When devices are pinged: each once per `ping.interval`, spread over the interval. */
export interface PingSchedule extends Pick<Schedule, 'remove' | 'hasten' | 'done'> {
  /** Schedules the pings of a device, unless pings are off by `icmp_check` or for the device. */
  place(device: PolledDevice, nowMs: number): void
  /** At most `limit` devices due at `nowMs`; none if this host cannot ping. */
  take(nowMs: number, limit: number): number[]
  /** This host cannot send ICMP echo requests, so no device is pinged from now on. Returns true the first time. */
  giveUp(): boolean
}

export function createPingSchedule(settings: Settings): PingSchedule {
  const schedule = createSchedule()
  let available = true
  return {
    remove: schedule.remove,
    hasten: schedule.hasten,
    done: schedule.done,
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
    take: (nowMs, limit) => (available ? schedule.take(nowMs, limit) : []),
    giveUp() {
      const first = available
      available = false
      return first
    },
  }
}
