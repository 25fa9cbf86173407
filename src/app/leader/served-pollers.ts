import type { ServedPollers } from '../../core/pollers/owner.ts'
import type { Metric } from '../../observe/metrics.ts'

/** Serves remote pollers. Only the leader does so, so that each stream has one reader. */
export interface RemotePollers extends ServedPollers {
  /** This process became the leader, or is it no longer. */
  setLeader(isLeader: boolean): void
  /** Whether this process serves them now. */
  serves(): boolean
  /** The device's record has changed. */
  refresh(deviceId: number): void
  metrics(): Metric[]
  stop(): Promise<void>
}

/** For a process whose setting `nats.url` is empty. */
export const NO_REMOTE_POLLERS: RemotePollers = {
  setLeader: () => undefined,
  serves: () => false,
  run: () => Promise.resolve(null),
  contact: () => Promise.resolve(null),
  refresh: () => undefined,
  metrics: () => [],
  stop: () => Promise.resolve(),
}
