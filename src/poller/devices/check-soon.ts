import type { PolledDevice } from './polled-device.ts'
import type { Schedules } from './schedules.ts'

/**
 * Makes a check of the device due now: a ping, which costs least; also a poll, if it is not pinged or its last poll failed.
 */
export function checkSoon(device: PolledDevice, { pings, polls }: Schedules, nowMs: number): void {
  pings.hasten(device.id, nowMs)
  if (device.checks.icmp === 'off' || device.checks.icmp === 'unknown' || device.checks.snmp === 'failed')
    polls.hasten(device.id, nowMs)
}
