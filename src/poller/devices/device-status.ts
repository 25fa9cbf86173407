import { failureText, isSameFailure, type SnmpFailure } from '@portlight/snmp/failure.ts'
import type { Settings } from '../../config/schema.ts'
import type { Upstream } from '../../core/pollers/upstream.ts'
import type { Log } from '../../observe/log.ts'
import type { Clock } from '../clock.ts'
import type { DeviceChanges } from './device-changes.ts'
import type { FailureState } from './failures.ts'
import { checkAfter, judge } from './liveness.ts'
import type { PolledDevice } from './polled-device.ts'
import type { Quarantine } from './quarantine.ts'
import type { Schedules } from './schedules.ts'

/** Whether devices are up, and why not. All times are epoch ms. */
export interface DeviceStatus {
  /** Sets or clears (null) the device's failure; if it changed, stores it and writes an event. */
  note(device: PolledDevice, failure: SnmpFailure | null, at: number, options?: { readonly event: boolean }): void
  /** Decides from its checks whether the device is up, and stores a change. */
  settle(device: PolledDevice, at: number): void
  /** Records a result of a check; if more results are needed to change its state, the check is repeated soon. */
  checked(device: PolledDevice, check: 'icmp' | 'snmp', passed: boolean): void
  /** Updates the SNMP check and the failure of the device after a run. */
  ran(device: PolledDevice, at: number, answered: boolean, failureState: FailureState): void
}

export interface DeviceStatusParts {
  readonly upstream: Upstream
  readonly settings: Settings
  readonly log: Log
  readonly clock: Clock
  readonly changes: DeviceChanges
  readonly schedules: Schedules
  readonly quarantine: Quarantine
}

export function createDeviceStatus(parts: DeviceStatusParts): DeviceStatus {
  const { upstream, settings, log, clock, changes, schedules, quarantine } = parts

  function note(device: PolledDevice, failure: SnmpFailure | null, at: number, { event } = { event: true }): void {
    if (isSameFailure(device.failure, failure)) return
    device.failure = failure
    device.cleanPolls = 0
    log.info(
      { deviceId: device.id, reason: failure === null ? 'none' : failureText(failure) },
      'device failure changed',
    )
    changes.write(device, 'failure', () => upstream.failure({ deviceId: device.id, failure, at, event }))
  }

  function settle(device: PolledDevice, at: number): void {
    const now = judge(device.checks)
    if (now === null || (now.up === device.up && now.reason === device.reason)) return
    device.up = now.up
    device.reason = now.reason
    log.info({ deviceId: device.id, up: now.up, reason: now.reason }, 'device status changed')
    const considerMaintenance = settings.get('graphing.availability_consider_maintenance')
    changes.write(device, 'status', () => upstream.status({ deviceId: device.id, ...now, at, considerMaintenance }))
  }

  function checked(device: PolledDevice, check: 'icmp' | 'snmp', passed: boolean): void {
    const before = device.streaks[check]
    const streak = passed ? Math.max(0, before) + 1 : Math.min(0, before) - 1
    device.streaks[check] = streak
    const steadiness = { downAfter: settings.get('status.down_after'), upAfter: settings.get('status.up_after') }
    const now = checkAfter(device.checks[check], device.up, { passed, streak: Math.abs(streak) }, steadiness)
    device.checks[check] = now
    if (now === (passed ? 'ok' : 'failed')) return
    const schedule = check === 'snmp' ? schedules.polls : schedules.pings
    setTimeout(() => schedule.hasten(device.id, clock.steady()), settings.get('status.retry') * 1000).unref()
  }

  return {
    note,
    settle,
    checked,
    ran(device, at, answered, { failure, cleanPolls }) {
      // a run that started before the name stopped resolving must not clear that failure
      if (device.address === null && failure?.kind !== 'unresolved') return
      checked(device, 'snmp', answered)
      if (answered) device.failures = 0
      // no back-off for names that do not resolve, because a look-up is cheap
      else if (failure?.kind !== 'unresolved') device.failures++
      // a manual poll does not end the quarantine
      const held = device.failure?.kind === 'stalled' && quarantine.heldMs(device.id, clock.steady()) > 0
      note(device, held ? device.failure : failure, at)
      device.cleanPolls = cleanPolls
      settle(device, at)
    },
  }
}
