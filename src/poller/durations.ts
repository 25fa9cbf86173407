import { durationsOf } from '../observe/figures.ts'
import type { Metric } from '../observe/metrics.ts'
import type { Trace } from '../observe/trace.ts'
import type { DiscoveryOutcome, PollOutcome } from './protocol.ts'
import { discoverySpan, pollSpan, type TracedDevice } from './traced.ts'

/** Histograms of the durations of polls and discovery modules, over all devices. */
export interface Durations {
  /** Records a poll that ended, answered or not. */
  poll(device: TracedDevice, outcome: Exclude<PollOutcome, { kind: 'planless' }>): void
  /** Records a discovery that ended. Modules that sent no request before the deadline are not counted. */
  discovery(device: TracedDevice, outcome: DiscoveryOutcome): void
  metrics(): Metric[]
}

const POLL_BOUNDS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const MODULE_BOUNDS_S = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]

/** `trace` also records spans; null: no spans. */
export function createDurations(trace: Trace | null): Durations {
  const polls = durationsOf('portlight_poll_duration_seconds', POLL_BOUNDS_S)
  const modules = durationsOf('portlight_discovery_module_duration_seconds', MODULE_BOUNDS_S)
  return {
    poll(device, outcome) {
      polls.observe(outcome.cost.tookMs / 1000)
      trace?.(pollSpan(device, outcome))
    },
    discovery(device, outcome) {
      trace?.(discoverySpan(device, outcome))
      if (outcome.kind === 'failed') return
      for (const { name, tookMs, requests, complete } of outcome.modules)
        if (complete || requests > 0) modules.observe(tookMs / 1000, name)
    },
    metrics: () => [...polls.metrics(), ...modules.metrics()],
  }
}
