/** A span of a trace: work that has been done. */
export interface SpanRecord {
  readonly name: string
  /** `server`: a request to this program. `client`: a request to another program. `internal`: other work. */
  readonly kind: 'server' | 'client' | 'internal'
  /** Epoch ms. */
  readonly startMs: number
  readonly tookMs: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** The reason it failed; null: it succeeded. */
  readonly failure: string | null
  /** Header `traceparent` of the caller (W3C Trace Context); null: the span begins a trace. */
  readonly traceparent?: string | null
}

/** Records a span that has ended. Never throws or waits. Absent when tracing is off. */
export type Trace = (span: SpanRecord) => void
