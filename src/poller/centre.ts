import type { Observation } from '../modules/observation.ts'
import type { StatusChange } from '../store/availability/write.ts'
import type { DeviceClaim } from '../store/cluster/claims.ts'
import type { FailureChange } from '../store/devices/failures.ts'
import type { DiscoveryRun, PortChange } from '../store/discovery/write.ts'
import type { ModuleReport } from '../store/polling/modules.ts'
import type { DevicePlan } from '../store/polling/plan.ts'
import type { PortState, SampleBatch } from '../store/series/samples.ts'
import type { Written } from '../store/series/write.ts'

/**
 * Where the poller gets its devices from and delivers what it measured: the database, or from a remote site the stream
 * that leads to it. Results of one device arrive in the order in which they were delivered. All functions reject; after
 * an error that is `retryable` the same call can be repeated.
 */
export interface Centre {
  /** Ids of the devices that this poller polls, ascending. */
  deviceIds(): Promise<number[]>
  /** Polling plans of those of these devices that this poller polls. */
  plans(deviceIds: readonly number[]): Promise<DevicePlan[]>
  /** Takes these devices over: nobody else's results are stored from now on, and no later ones change what is returned. */
  claim(deviceIds: readonly number[]): Promise<TakenOver>
  /** Resolves when `deviceIds` and `plans` follow what is known now of the other pollers. */
  learn(): Promise<void>
  /** Whether another poller may have claimed devices of this one. */
  isShared(): boolean
  /** Whether a device is still claimed with this number. */
  holds(claim: DeviceClaim): Promise<boolean>
  /** Delivers a batch as a whole, less what was made under claims that are lost, or not at all. */
  samples(batch: SampleBatch): Promise<Written>
  /** A discovery with `run` and `modules`; without them, what a poll observed besides samples. */
  discovery(deviceId: number, observations: readonly Observation[], ended?: EndedDiscovery): Promise<DiscoveryDelivered>
  portChanges(deviceId: number, changes: readonly PortChange[]): Promise<void>
  status(change: StatusChange): Promise<void>
  failure(change: FailureChange): Promise<void>
  /** `beforeS`: seconds the agent had been up before it restarted; `at`: epoch ms. */
  reboot(deviceId: number, beforeS: number, at: number): Promise<void>
  /** An event about polling a device. `severity`: 4 warning, 5 error; `at`: epoch ms. */
  event(deviceId: number, message: string, severity: 4 | 5, at: number): Promise<void>
  /** True for an error after which the same call can be repeated later: the centre cannot be reached. */
  retryable(error: unknown): boolean
  /** True for an error that is logged already, where it arises again and again. */
  reported(error: unknown): boolean
}

/** What a poller has of devices that it begins to poll. */
export interface TakenOver {
  /** Number of the claim for all of them. */
  readonly claim: number
  /** Raw counters of each device's ports at its last poll, by device_id; absent: none. */
  readonly states: ReadonlyMap<number, PortState>
}

export interface EndedDiscovery {
  readonly run: DiscoveryRun
  readonly modules: readonly ModuleReport[]
}

export interface DiscoveryDelivered {
  /** Values truncated or dropped because they did not fit their column; 0 where only the other end knows. */
  readonly cleaned: number
}
