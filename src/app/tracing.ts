import type { Settings } from '../config/schema.ts'
import type { Log } from '../observe/log.ts'
import type { Trace } from '../observe/trace.ts'
import { ServingError } from './errors.ts'

/** Tracing while the server runs; `trace` null: off. */
export interface Tracing {
  readonly trace: Trace | null
  stop(): Promise<void>
}

const STOP_MS = 1000

/** Starts tracing if `otel.endpoint` is set; otherwise its code is not even loaded. Throws ServingError. */
export async function startTracing(settings: Settings, version: string, log: Log): Promise<Tracing> {
  const endpoint = settings.get('otel.endpoint')
  if (endpoint === '') return { trace: null, stop: () => Promise.resolve() }
  const url = URL.parse(endpoint)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ServingError('otel.endpoint: expected http://HOST:PORT of an OTLP receiver')
  const { createOtel } = await import('../observe/otel.ts')
  const { trace, stop } = createOtel({ endpoint, ratio: settings.get('otel.ratio'), version })
  log.info({ receiver: url.origin }, 'sending traces')
  return {
    trace,
    async stop() {
      await Promise.race([stop().catch(() => undefined), Bun.sleep(STOP_MS)])
    },
  }
}
