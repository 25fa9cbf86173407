import type { Settings } from '../config/schema.ts'
import type { Upstream } from '../core/pollers/upstream.ts'
import type { Log } from '../observe/log.ts'
import type { Trace } from '../observe/trace.ts'
import type { ChangeQueue } from './change-queue.ts'
import type { Repeats } from './discovery-retries.ts'
import type { PolledDevice } from './polled-device.ts'
import type { Pool } from './pool.ts'
import type { Reloads } from './reloads.ts'
import type { Resolver } from './resolve.ts'
import type { Schedule } from './scheduler.ts'
import type { UnstoredDiscoveries } from './unstored.ts'
import type { WriterQueue } from './writer-queue.ts'

/** The parts of the poller shared by its files. */
export interface PollerContext {
  readonly upstream: Upstream
  readonly settings: Settings
  /** Absent: no spans are recorded. */
  readonly trace?: Trace
  readonly log: Log
  readonly pool: Pool
  readonly resolver: Resolver
  readonly polls: Schedule
  readonly discoveries: Schedule
  readonly repeats: Repeats
  readonly unstored: UnstoredDiscoveries
  readonly writer: WriterQueue
  readonly changes: ChangeQueue
  readonly devices: Map<number, PolledDevice>
  readonly reloads: Reloads
  /** Looks up the device's name; a changed address rebuilds the plan. Never throws. */
  locate(device: PolledDevice): Promise<void>
  intervalMs(device: PolledDevice): number
  /** Records a result of a check; if more results are needed to change its state, the check is repeated soon. */
  checked(device: PolledDevice, check: 'icmp' | 'snmp', passed: boolean): void
}
