import { expect, test } from 'bun:test'
import { createLog } from '../../src/observe/log.ts'
import { createWriterQueue, type WriterQueue } from '../../src/poller/samples/writer-queue.ts'
import type { SampleBatch } from '../../src/series/samples.ts'

class Away extends Error {}

/** A store that can be unavailable, and keeps what is written to it. */
function table() {
  const rows: number[] = []
  const state = { away: false, refuse: false }
  const write = async (batch: SampleBatch): Promise<void> => {
    await Bun.sleep(1)
    if (state.away) throw new Away('connection refused')
    if (state.refuse) throw new Error('bad row')
    rows.push(...(batch.series.sensor?.id ?? []))
  }
  return { rows, state, write }
}

function queueOn(t: ReturnType<typeof table>, bufferRows = 1000): WriterQueue {
  return createWriterQueue({
    write: t.write,
    retryable: (e) => e instanceof Away,
    log: createLog('silent'),
    bufferRows,
    batchRows: 10,
    delayMs: 5,
    retryMs: 5,
  })
}

function fill(queue: WriterQueue, from: number, count: number): void {
  for (let id = from; id < from + count; id++) {
    queue.batch().add('sensor', id, id, [id])
    queue.filled()
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('condition not met in 30 s')
    await Bun.sleep(2)
  }
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i)

test('samples arrive complete and in order', async () => {
  const t = table()
  const queue = queueOn(t)
  fill(queue, 0, 95)
  await queue.flush()
  expect(t.rows).toEqual(range(95))
  expect(queue.stats()).toMatchObject({ written: 95, waiting: 0, dropped: 0, refused: 0, up: true })
})

test('an outage loses nothing that fits in the buffer, and keeps the order', async () => {
  const t = table()
  const queue = queueOn(t)
  fill(queue, 0, 20)
  await queue.flush()
  t.state.away = true
  fill(queue, 20, 500)
  await until(() => !queue.stats().up)
  t.state.away = false
  await queue.flush()
  expect(t.rows).toEqual(range(520))
  expect(queue.stats()).toMatchObject({ dropped: 0, up: true })
})

test('an outage that exceeds the buffer drops the oldest samples, and counts them', async () => {
  const t = table()
  t.state.away = true
  const queue = queueOn(t, 100)
  fill(queue, 0, 500)
  await until(() => !queue.stats().up)
  const { dropped } = queue.stats()
  expect(dropped).toBeGreaterThan(0)
  t.state.away = false
  await queue.flush()
  expect(t.rows.length + dropped).toBe(500)
  expect(t.rows.at(-1)).toBe(499)
})

test('a batch that the database refuses permanently does not block the next', async () => {
  const t = table()
  const queue = queueOn(t)
  t.state.refuse = true
  fill(queue, 0, 10)
  await queue.flush()
  t.state.refuse = false
  fill(queue, 10, 10)
  await queue.flush()
  expect(t.rows).toEqual(range(20).slice(10))
  expect(queue.stats().refused).toBe(10)
})

test('stopping writes the remaining samples', async () => {
  const t = table()
  const queue = queueOn(t)
  fill(queue, 0, 7)
  await queue.stop(2000)
  expect(t.rows).toEqual(range(7))
})
