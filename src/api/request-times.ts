import { durationsOf } from '../observe/figures.ts'
import type { Histogram } from '../observe/histogram.ts'
import type { Trace } from '../observe/trace.ts'

/** Operation of requests that were answered before routing: no token, unknown path, unreadable body. */
export const NO_OPERATION = 'none'

const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx']

/** How long the API took to answer, by operationId and status class. */
export function createRequestTimes(): Histogram {
  return durationsOf('portlight_http_request_duration_seconds', BOUNDS_S)
}

/** How requests are timed. */
export type Timed = typeof timed

/**
 * Records a request that began at `beganMs` (performance.now()) once it is answered, under `operationOf` at that time.
 */
export function timed(
  times: Histogram,
  beganMs: number,
  request: Request,
  operationOf: (request: Request) => string,
  answer: Response | Promise<Response>,
): Response | Promise<Response> {
  if (answer instanceof Promise)
    return answer.then((response) => observed(times, beganMs, request, operationOf, response))
  return observed(times, beganMs, request, operationOf, answer)
}

function observed(
  times: Histogram,
  beganMs: number,
  request: Request,
  operationOf: (request: Request) => string,
  response: Response,
): Response {
  const status = CLASSES[Math.floor(response.status / 100)] ?? ''
  times.observe((performance.now() - beganMs) / 1000, operationOf(request), status)
  return response
}

/** `timed` with a span for each request. Path and query are left out: they name devices and may contain a token. */
export function tracedBy(trace: Trace): Timed {
  return (times, beganMs, request, operationOf, answer) => {
    const startMs = Date.now() - (performance.now() - beganMs)
    const record = (response: Response): Response => {
      const operation = operationOf(request)
      trace({
        name: operation,
        kind: 'server',
        startMs,
        tookMs: performance.now() - beganMs,
        attributes: { 'http.request.method': request.method, 'http.response.status_code': response.status },
        failure: response.status >= 500 ? `status ${response.status}` : null,
        traceparent: request.headers.get('traceparent'),
      })
      return response
    }
    const done = timed(times, beganMs, request, operationOf, answer)
    return done instanceof Promise ? done.then(record) : record(done)
  }
}
