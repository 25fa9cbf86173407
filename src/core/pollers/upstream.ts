import type { Observation } from '../../modules/observation.ts'
import type { DeviceClaim, PortCounters, SampleBatch } from '../../series/samples.ts'
import type { StatusChange } from '../availability/write.ts'
import type { FailureChange } from '../devices/write-failures.ts'
import type { DiscoveryRun, PortChange } from '../discovery/write.ts'
import type { ModuleReport } from '../polling/read-modules.ts'
import type { DevicePlan } from '../polling/read-plan.ts'
import type { Written } from '../series/write.ts'

/**
 * Where the poller gets its devices from and delivers its results: the database or, at a remote site, the stream that
 * leads to it. Results of one device arrive in the order of delivery. All functions may reject; after an error that is
 * `retryable` the same call can be repeated.
 */
export interface Upstream {
  /** Ids of the devices that this poller polls, ascending. */
  deviceIds(): Promise<number[]>
  /** Polling plans of these devices, without those that this poller does not poll. */
  plans(deviceIds: readonly number[]): Promise<DevicePlan[]>
  /**
   * A text for each device that differs once anything that its plan is made from does. Devices without one have to be
   * read to know whether they have changed.
   */
  digests(deviceIds: readonly number[]): Promise<ReadonlyMap<number, string>>
  /**
   * Takes these devices over. From now on no other poller's results for them are stored, so the returned counters stay
   * current.
   */
  claim(deviceIds: readonly number[]): Promise<TakenOver>
  /** Looks up the other pollers again; resolves when `deviceIds` and `plans` take them into account. */
  learn(): Promise<void>
  /** Whether another poller may have claimed devices of this one. */
  isShared(): boolean
  /** Whether this claim on a device still holds. */
  holds(claim: DeviceClaim): Promise<boolean>
  /** Delivers a batch, all or nothing, except for what was measured under claims lost since. */
  samples(batch: SampleBatch): Promise<Written>
  /** Delivers the observations of a discovery, or without `ended` those of a poll. */
  discovery(deviceId: number, observations: readonly Observation[], ended?: EndedDiscovery): Promise<DiscoveryDelivered>
  portChanges(deviceId: number, changes: readonly PortChange[]): Promise<void>
  status(change: StatusChange): Promise<void>
  failure(change: FailureChange): Promise<void>
  /** `beforeS`: seconds the device had been up before it restarted; `at`: epoch ms. */
  reboot(deviceId: number, beforeS: number, at: number): Promise<void>
  /** An event about polling a device. `severity`: 1 good news, 4 warning, 5 error; `at`: epoch ms. */
  event(deviceId: number, message: string, severity: 1 | 4 | 5, at: number): Promise<void>
  /** True for an error after which the same call can be repeated later, because the centre is unreachable. */
  retryable(error: unknown): boolean
  /** True for a recurring error that has already been logged elsewhere. */
  reported(error: unknown): boolean
}

/** What a poller gets for devices that it has taken over. */
export interface TakenOver {
  /** Number of the claim for all of them. */
  readonly claim: number
  /** Raw counters of each device's ports at its last poll, by device_id; absent: none. */
  readonly states: ReadonlyMap<number, PortCounters>
}

export interface EndedDiscovery {
  readonly run: DiscoveryRun
  readonly modules: readonly ModuleReport[]
}

export interface DiscoveryDelivered {
  /** Values truncated or dropped because they did not fit their column; 0 if only the centre knows. */
  readonly cleaned: number
  /** What the database rejected, in words; empty if only the centre knows. */
  readonly unstored: readonly string[]
}
