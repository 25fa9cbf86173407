import { hostname } from 'node:os'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as traces } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { SpanRecord, Trace } from './trace.ts'

export interface OtelOptions {
  /** Base URL of a receiver of OTLP over HTTP, for example `http://collector:4318`. */
  readonly endpoint: string
  /** Share of the traces begun here that are recorded, 0 to 1. */
  readonly ratio: number
  readonly version: string
}

/** Maximum number of spans in memory; further ones are dropped. */
const MAX_QUEUE = 4096
const DELAY_MS = 2000
const EXPORT_TIMEOUT_MS = 10_000

const KINDS: Readonly<Record<SpanRecord['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
}

/** Sends spans in batches to an OTLP receiver (HTTP, JSON). Loaded only when tracing is on. */
export function createOtel({ endpoint, ratio, version }: OtelOptions): {
  readonly trace: Trace
  stop(): Promise<void>
} {
  const url = endpoint.replace(/\/+$/, '')
  const exporter = new OTLPTraceExporter({
    url: url.endsWith('/v1/traces') ? url : `${url}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'portlight',
      'service.version': version,
      'service.instance.id': `${hostname()}-${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_QUEUE,
        scheduledDelayMillis: DELAY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('portlight', version)
  return {
    trace({ name, kind, startMs, tookMs, attributes, failure, traceparent }) {
      const parent = traceparent == null ? null : parseTraceParent(traceparent)
      const context =
        parent === null ? ROOT_CONTEXT : traces.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], startTime: startMs, attributes: { ...attributes } },
        context,
      )
      if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
      span.end(startMs + tookMs)
    },
    stop: () => provider.shutdown(),
  }
}
