import type { Settings } from '../../config/schema.ts'
import type { Store } from '../database/client.ts'
import { MAX_SHOWN_FAULTS } from './context.ts'
import type { EngineRule } from './engine-rule.ts'
import type { OnCall } from './operations/read-recipients.ts'
import type { AlertSubject } from './read-subjects.ts'
import { momentOf } from './rules/preview.ts'
import { MAX_KEYS } from './state.ts'
import { alertWrite, type Moment } from './transition.ts'
import type { DeviceFaults } from './write-evaluation.ts'
import { type AlertTransition, changeAlerts } from './write-transitions.ts'

/** Most faults of a device that are read for its alert, and rows shown of each. */
export const FAULT_LIMITS = { maxKeys: MAX_KEYS, maxRows: MAX_SHOWN_FAULTS }

interface AlertChangesDeps {
  readonly store: Store
  readonly settings: Settings
  /** Epoch ms. */
  readonly now: () => number
  /** Called after notifications were stored. */
  readonly notified: () => void
  /** Default: nobody is on call. */
  readonly onCall?: OnCall | undefined
}

/** Changes alerts and stores their notifications, and counts both. */
export function createAlertChanges({ store, settings, now, notified, onCall }: AlertChangesDeps) {
  const counts = { changes: 0, notifications: 0 }
  return {
    counts,
    /** What holds now for all changes of a step. */
    moment: () => momentOf(store, settings, now()),
    async apply(changes: readonly AlertTransition[]): Promise<void> {
      if (changes.length === 0) return
      const { alerts, notifications } = await changeAlerts(store, changes, onCall)
      counts.changes += alerts
      counts.notifications += notifications
      if (notifications > 0) notified()
    },
  }
}

export type AlertChanges = ReturnType<typeof createAlertChanges>

/** The change of a rule's alerts on these devices; `faultsOn` undefined: they were not read. */
export function changeOf(
  rule: EngineRule,
  deviceIds: readonly number[],
  faultsOn: (deviceId: number) => DeviceFaults | null | undefined,
  moment: Moment,
): AlertTransition {
  const work = (subjects: readonly AlertSubject[]) =>
    subjects.flatMap((subject) => {
      const write = alertWrite(rule, subject, faultsOn(subject.device.device_id), moment)
      return write === null ? [] : [write]
    })
  return { rule, severity: rule.severity, now: moment.now, deviceIds, work }
}
