import { afterEach, expect, test } from 'bun:test'
import { type CheckRecord, createResultQueue, type ResultQueue } from '../../../src/core/checks/run/results.ts'
import type { CheckedState, ServiceEvent } from '../../../src/core/checks/write-results.ts'
import type { ServiceReading } from '../../../src/core/checks/write-samples.ts'
import { createLog } from '../../../src/observe/log.ts'
import { eventually } from '../../support/eventually.ts'

const queues: ResultQueue[] = []
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop(100)
})

/** A queue with writers that store, fail as if the database were unavailable, or refuse rows. */
function setUp(bufferValues: number) {
  const stored = { states: [] as CheckedState[], events: [] as ServiceEvent[], readings: [] as ServiceReading[] }
  const database = { mode: 'up' as 'up' | 'away' | 'refusing' }
  const guard = (): void => {
    if (database.mode !== 'up') throw new Error(database.mode)
  }
  const queue = createResultQueue({
    async writeStates(states, events) {
      await Bun.sleep(0)
      guard()
      if (states.some(({ message }) => message === 'poison')) throw new Error('refused')
      stored.states.push(...states)
      stored.events.push(...events)
    },
    async writeReadings(readings) {
      await Bun.sleep(0)
      guard()
      stored.readings.push(...readings)
    },
    retryable: (error) => error instanceof Error && error.message === 'away',
    log: createLog('silent'),
    bufferValues,
    delayMs: 1,
    retryMs: 5,
  })
  queues.push(queue)
  return { queue, stored, database }
}

function record(serviceId: number, at: number, status: number, event = false): CheckRecord {
  const last = { lastStatus: status, lastMessage: '', attempt: 0, at, tookMs: 1 }
  return {
    state: { serviceId, status, changed: at, message: `at ${at}`, ds: null, ...last },
    event: event ? { serviceId, deviceId: 1, at, message: `changed ${at}`, severity: 5 } : null,
    reading: { serviceId, time: at, values: { a: at, b: 1 } },
  }
}

test('while the database is unavailable, the newest state of each service, all changes and all values are kept in order', async () => {
  const { queue, stored, database } = setUp(1000)
  database.mode = 'away'
  for (let at = 1; at <= 100; at++) queue.add(record(1 + (at % 3), at, at % 4, at % 10 === 0))
  await eventually(async () => (queue.stats().up ? null : true))
  for (let at = 101; at <= 110; at++) queue.add(record(1, at, 0))
  database.mode = 'up'
  await eventually(async () => (queue.stats().waiting === 0 ? true : null))
  const newest = new Map(stored.states.map((state) => [state.serviceId, state.message]))
  expect(newest).toEqual(
    new Map([
      [1, 'at 110'],
      [2, 'at 100'],
      [3, 'at 98'],
    ]),
  )
  expect(stored.events.map(({ at }) => at)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
  expect(stored.readings.map(({ time }) => time)).toEqual(Array.from({ length: 110 }, (_, i) => i + 1))
  expect(queue.stats()).toMatchObject({ written: 220, dropped: 0, up: true })
})

test('when the buffer is full, the oldest values are dropped and counted, but no state', async () => {
  const { queue, stored, database } = setUp(20)
  database.mode = 'away'
  for (let at = 1; at <= 50; at++) queue.add(record(at, at, 2))
  database.mode = 'up'
  await queue.flush()
  await eventually(async () => (queue.stats().waiting === 0 ? true : null))
  expect(stored.states).toHaveLength(50)
  expect(stored.readings.map(({ time }) => time)).toEqual(Array.from({ length: 10 }, (_, i) => 41 + i))
  expect(queue.stats()).toMatchObject({ written: 20, dropped: 80 })
})

test('rows that the database always refuses do not delay the others', async () => {
  const { queue, stored, database } = setUp(1000)
  database.mode = 'refusing'
  queue.add(record(1, 1, 2))
  await eventually(async () => (queue.stats().refused > 0 && queue.stats().waiting === 0 ? true : null))
  database.mode = 'up'
  queue.add(record(1, 2, 2))
  await queue.flush()
  expect(stored.states.map(({ at }) => at)).toEqual([2])
})

test('a result that the database refuses does not affect others', async () => {
  const { queue, stored } = setUp(1000)
  for (const id of [1, 2, 3]) {
    const one = record(id, id, 2, true)
    queue.add(id === 2 ? { ...one, state: { ...one.state, message: 'poison' } } : one)
  }
  await queue.flush()
  expect(stored.states.map(({ serviceId }) => serviceId)).toEqual([1, 3])
  expect(stored.events.map(({ serviceId }) => serviceId)).toEqual([1, 2, 3])
  expect(queue.stats().refused).toBe(1)
})
