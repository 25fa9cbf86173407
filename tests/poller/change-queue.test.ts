import { expect, test } from 'bun:test'
import { createLog } from '../../src/observe/log.ts'
import { createChangeQueue } from '../../src/poller/devices/change-queue.ts'
import { createReloads } from '../../src/poller/devices/reloads.ts'

class Away extends Error {}

function queue(options: { limit?: number; concurrency?: number } = {}) {
  return createChangeQueue({
    retryable: (error) => error instanceof Away,
    log: createLog('silent'),
    retryMs: 1,
    ...options,
  })
}

/** A gate for which steps wait until it is opened. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

test('changes of one device are written in order, those of others in parallel', async () => {
  const changes = queue({ concurrency: 2 })
  const written: string[] = []
  const { passed, open } = gate()
  const first = changes.push('slow', 1, async () => {
    await passed
    written.push('1 first')
  })
  const second = changes.push('next', 1, async () => void written.push('1 second'))
  await changes.push('other', 2, async () => void written.push('2'))
  expect(written).toEqual(['2'])
  open()
  await Promise.all([first, second])
  expect(written).toEqual(['2', '1 first', '1 second'])
  expect(changes.stats()).toEqual({ waiting: 0, dropped: 0 })
})

test('no more changes than allowed are written at a time', async () => {
  const changes = queue({ concurrency: 2 })
  let running = 0
  let most = 0
  const gates = Array.from({ length: 6 }, gate)
  const all = gates.map(({ passed }, i) =>
    changes.push('change', i, async () => {
      most = Math.max(most, ++running)
      await passed
      running--
    }),
  )
  for (const { open } of gates) open()
  await Promise.all(all)
  expect(most).toBe(2)
})

test('a change is retried while the database is unavailable, one that is refused is not', async () => {
  const changes = queue()
  const tries = { away: 0, refused: 0 }
  await Promise.all([
    changes.push('away', 1, async () => {
      if (++tries.away < 3) throw new Away()
    }),
    changes.push('refused', 2, async () => {
      tries.refused++
      throw new Error('bad row')
    }),
  ])
  expect(tries).toEqual({ away: 3, refused: 1 })
})

test('too many changes: the oldest waiting ones are dropped', async () => {
  const changes = queue({ limit: 3, concurrency: 1 })
  const written: number[] = []
  const { passed, open } = gate()
  const all = [changes.push('in progress', 1, () => passed)]
  for (const n of [1, 2, 3, 4]) all.push(changes.push('waiting', n, async () => void written.push(n)))
  expect(changes.stats()).toEqual({ waiting: 3, dropped: 2 })
  open()
  await Promise.all(all)
  expect(written).toEqual([3, 4])
})

test('stop waits for the remaining changes', async () => {
  const changes = queue()
  let done = 0
  for (let key = 0; key < 5; key++)
    void changes.push('change', key, async () => {
      await Bun.sleep(1)
      done++
    })
  await changes.stop(5000)
  expect(done).toBe(5)
})

test('devices requested during a reload are read together, and none is read before it was requested', async () => {
  const { passed, open } = gate()
  const read: (readonly number[])[] = []
  const reloads = createReloads(queue(), async (ids) => {
    read.push(ids)
    if (read.length === 1) await passed
  })
  const first = reloads.ask(1)
  while (read.length === 0) await Bun.sleep(1)
  const others = [reloads.ask(1), reloads.ask(2), reloads.ask(3)]
  await Bun.sleep(1)
  open()
  await Promise.all([first, ...others])
  expect(read).toEqual([[1], [1, 2, 3]])
})

test('a failed reload is retried with the same devices', async () => {
  const read: (readonly number[])[] = []
  const reloads = createReloads(queue(), async (ids) => {
    read.push(ids)
    if (read.length === 1) throw new Away()
  })
  await reloads.ask(7)
  expect(read).toEqual([[7], [7]])
})
