import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { targetAt } from '../../packages/snmp/tests/support/agent.ts'
import { createLog } from '../../src/observe/log.ts'
import { createPool, type JobAnswer, type NewJob, type Pool } from '../../src/poller/pool.ts'
import { until } from '../e2e/server.ts'

// The pool with real worker threads, and jobs that wait for an agent that does not respond.

setDefaultTimeout(120_000)

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

function open(min: number, max: number, quietMs: number): Pool {
  const limits = { timeoutMs: 3000, retries: 0, maxRepetitions: 0, maxRows: 1000, maxPorts: 1000, maxOctets: 1e6 }
  const options = { min, max, stallMs: () => 60_000, quietMs, log: createLog('silent') }
  const pool = createPool({ inflight: 1000, limits }, options)
  stops.push(() => pool.stop(0))
  return pool
}

/** Probes of an address whose socket never responds. */
async function silence(): Promise<NewJob> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  stops.push(() => socket.close())
  return { kind: 'probe', target: targetAt(socket.address().port, { timeout: 5, retries: 0 }) }
}

function run(pool: Pool, job: NewJob, count: number): Promise<JobAnswer[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => new Promise<JobAnswer>((done) => pool.run(i, job, done))))
}

const workers = (pool: Pool, n: number): Promise<unknown> =>
  until(60, `${n} workers`, () => Promise.resolve(pool.stats().workers === n))

test('a pool starts a second worker under load and ends it when the load drops; no job is lost', async () => {
  const pool = open(1, 2, 2000)
  await pool.ready
  expect(pool.stats().workers).toBe(1)
  const job = await silence()
  const first = run(pool, job, 200)
  await workers(pool, 2)
  const second = run(pool, job, 20)
  const answers = [...(await first), ...(await second)]
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['probed']))
  const sent = pool.stats().transport['requests'] ?? 0
  await workers(pool, 1)
  expect(pool.stats()).toMatchObject({ jobs: 0, lost: 0, died: 0, stalled: 0 })
  expect(pool.stats().transport['requests']).toBeGreaterThanOrEqual(sent)
  expect(await run(pool, job, 2)).toHaveLength(2)
})

test('after a worker has died, the pool runs all its workers', async () => {
  const pool = open(1, 2, 2000)
  await pool.ready
  pool.kill(0)
  await workers(pool, 2)
  expect(pool.stats().died).toBe(1)
  const job = await silence()
  expect((await run(pool, job, 4)).map(({ kind }) => kind)).toEqual(['probed', 'probed', 'probed', 'probed'])
})

test('a pool with a fixed number of workers keeps it', async () => {
  const pool = open(2, 2, 10)
  await pool.ready
  const job = await silence()
  await run(pool, job, 150)
  expect(pool.stats().workers).toBe(2)
})
