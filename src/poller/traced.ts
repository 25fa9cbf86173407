import { failureText } from '@portlight/snmp/failure.ts'
import type { Upstream } from '../core/pollers/upstream.ts'
import type { Written } from '../core/series/write.ts'
import type { SpanRecord, Trace } from '../observe/trace.ts'
import type { SampleBatch } from '../series/samples.ts'
import type { DiscoveryOutcome, PollOutcome } from './protocol.ts'

/** A device as named in spans. */
export interface TracedDevice {
  readonly id: number
  readonly stored: { readonly hostname: string }
}

const attributesOf = ({ id, stored }: TracedDevice, { requests, timeouts }: PollOutcomeCost) => ({
  'portlight.device_id': id,
  'portlight.hostname': stored.hostname,
  'snmp.requests': requests,
  'snmp.timeouts': timeouts,
})
type PollOutcomeCost = Extract<PollOutcome, { kind: 'answered' }>['cost']

/** Span of a poll that ended. */
export function pollSpan(device: TracedDevice, outcome: Exclude<PollOutcome, { kind: 'planless' }>): SpanRecord {
  const { cost, failure } = outcome
  return {
    name: 'poll',
    kind: 'client',
    startMs: Date.now() - cost.tookMs,
    tookMs: cost.tookMs,
    attributes: attributesOf(device, cost),
    failure: failure === null ? null : failureText(failure),
  }
}

/** Span of a discovery that ended. */
export function discoverySpan(device: TracedDevice, outcome: DiscoveryOutcome): SpanRecord {
  const { cost, failure } = outcome
  const slowest = outcome.kind === 'answered' ? outcome.modules.toSorted((a, b) => b.tookMs - a.tookMs)[0] : undefined
  return {
    name: 'discovery',
    kind: 'client',
    startMs: Date.now() - cost.tookMs,
    tookMs: cost.tookMs,
    attributes: {
      ...attributesOf(device, cost),
      ...(slowest !== undefined && {
        'portlight.slowest_module': slowest.name,
        'portlight.slowest_module_ms': Math.round(slowest.tookMs),
      }),
    },
    failure: failure === null ? null : failureText(failure),
  }
}

/** Delivers a batch of samples and records a span. Throws like `Centre.samples`. */
export async function writeTraced(trace: Trace, upstream: Upstream, batch: SampleBatch): Promise<Written> {
  const startMs = Date.now()
  const began = performance.now()
  let failure: string | null = 'not written'
  try {
    const written = await upstream.samples(batch)
    failure = null
    return written
  } finally {
    trace({
      name: 'write samples',
      kind: 'client',
      startMs,
      tookMs: performance.now() - began,
      attributes: {
        'db.system.name': 'postgresql',
        'portlight.polls': batch.polls.length,
        'portlight.ports': batch.ports.length,
      },
      failure,
    })
  }
}
