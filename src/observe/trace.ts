/** Something that was done, as a span of a trace. */
export interface SpanRecord {
  readonly name: string
  /** `server`: a request to this program. `client`: a request to another. `internal`: work of its own. */
  readonly kind: 'server' | 'client' | 'internal'
  /** Epoch ms. */
  readonly startMs: number
  readonly tookMs: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** Why it failed; null: it did not. */
  readonly failure: string | null
  /** Header `traceparent` of the caller (W3C Trace Context); null: the span begins a trace. */
  readonly traceparent?: string | null
}

/** Records a span that has ended. Never throws, never waits. Where tracing is off there is none. */
export type Trace = (span: SpanRecord) => void
