import { durationsOf } from '../observe/figures.ts'
import type { Metric } from '../observe/metrics.ts'
import type { ModuleCost } from './protocol.ts'

/** Histograms of runs, all devices together. */
export interface Durations {
  /** A poll that ended, in ms, answered or not. */
  poll(tookMs: number): void
  /** The modules of a discovery. Those that the deadline left no request for are not counted. */
  discovery(modules: readonly ModuleCost[]): void
  metrics(): Metric[]
}

const POLL_BOUNDS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const MODULE_BOUNDS_S = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]

export function createDurations(): Durations {
  const polls = durationsOf('portlight_poll_duration_seconds', POLL_BOUNDS_S)
  const modules = durationsOf('portlight_discovery_module_duration_seconds', MODULE_BOUNDS_S)
  return {
    poll: (tookMs) => polls.observe(tookMs / 1000),
    discovery(costs) {
      for (const { name, tookMs, requests, complete } of costs)
        if (complete || requests > 0) modules.observe(tookMs / 1000, name)
    },
    metrics: () => [...polls.metrics(), ...modules.metrics()],
  }
}
