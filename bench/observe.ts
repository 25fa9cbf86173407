import { createRequestTimes, timed } from '../src/api/request-times.ts'
import { countStatement } from '../src/core/database/statements.ts'
import { formatMetrics } from '../src/observe/metrics.ts'
import { type BenchResult, formatResult, result } from './result.ts'

/** The cost of recording a request's duration, and of creating the text for /metrics. */

const ROUNDS = 5
const TIMES = 1_000_000
/** More operations than the API has, as on a server on which every operation has been called. */
const OPERATIONS = Array.from({ length: 256 }, (_, i) => `operation_${i}`)
const STATEMENT = '\n    select device_id from devices where device_id = any($1::text::int[])'
const SECONDS = Array.from({ length: 1024 }, (_, i) => (((i * 7919) % 1024) / 1024) * 0.02)

export async function run(): Promise<BenchResult[]> {
  const times = createRequestTimes()
  const answer = new Response('')
  const request = new Request('http://localhost/')
  const operationOf = () => 'ping'
  const observe = nanoseconds((i) => times.observe(SECONDS[i & 1023] ?? 0, OPERATIONS[i & 255], '2xx'))
  const whole = nanoseconds(() => void timed(times, performance.now(), request, operationOf, answer))
  const statement = nanoseconds((i) => countStatement(STATEMENT, (SECONDS[i & 1023] ?? 0) * 1000, true))
  for (const operation of OPERATIONS) for (const status of ['2xx', '4xx', '5xx']) times.observe(0.01, operation, status)
  const began = performance.now()
  const text = formatMetrics(times.metrics())
  const tookMs = performance.now() - began
  return [
    result('one observation of a histogram with two labels', observe, 'ns'),
    result('one request timed: two clocks, status, observation', whole, 'ns'),
    result('one statement of the database counted', statement, 'ns'),
    result(`text of ${OPERATIONS.length * 3} series, ${Math.round(text.length / 1024)} KiB`, tookMs, 'ms'),
  ]
}

/** Median of the rounds. */
function nanoseconds(work: (i: number) => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = performance.now()
    for (let i = 0; i < TIMES; i++) work(i)
    return ((performance.now() - began) / TIMES) * 1e6
  })
  return rounds.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
}

if (import.meta.main) for (const r of await run()) console.log(formatResult(r))
