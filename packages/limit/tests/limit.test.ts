import { expect, test } from 'bun:test'
import { createLimiter, createSlots } from '../src/limit.ts'

test('work runs in order with limits on running and waiting work, also after a failure', async () => {
  const inTurn = createLimiter(2)
  const started: number[] = []
  const ends: ((error?: Error) => void)[] = []
  const work = (n: number) => () => {
    started.push(n)
    return new Promise<number>((resolve, reject) => {
      ends[n] = (error) => (error ? reject(error) : resolve(n))
    })
  }
  const results = [0, 1, 2, 3, 4].map((n) => inTurn(work(n), 2).catch(() => 'failed'))
  expect(await results[4]).toBeNull()
  expect(started).toEqual([0, 1])
  ends[1]?.(new Error('no'))
  expect(await results[1]).toBe('failed')
  expect(started).toEqual([0, 1, 2])
  ends[0]?.()
  await results[0]
  ends[2]?.()
  ends[3]?.()
  expect(await Promise.all(results)).toEqual([0, 'failed', 2, 3, null])
  ends.length = 0
  const again = inTurn(work(0), 0)
  ends[0]?.()
  expect(await again).toBe(0)
})

test('who arrives while another is woken does not take its slot', async () => {
  // however many microtasks after the end of the work before
  for (let later = 0; later < 12; later++) {
    const inTurn = createLimiter(2)
    const ends: (() => void)[] = []
    const order: number[] = []
    let running = 0
    let most = 0
    const enter = (n: number) =>
      inTurn(async () => {
        order.push(n)
        most = Math.max(most, ++running)
        await new Promise<void>((end) => {
          ends[n] = end
        })
        running--
      })
    const all = [0, 1, 2].map(enter)
    while (ends[1] === undefined) await null
    ends[0]?.()
    for (let i = 0; i < later; i++) await null
    all.push(enter(3))
    for (let n = 1; n < 4; n++) {
      for (let i = 0; i < 50 && ends[n] === undefined; i++) await null
      ends[n]?.()
    }
    await Promise.all(all)
    expect({ later, most, order }).toEqual({ later, most: 2, order: [0, 1, 2, 3] })
  }
})

test('slots: those that have left are skipped', () => {
  const slots = createSlots(() => 1)
  const began: string[] = []
  const [a, b, c] = ['a', 'b', 'c'].map((name) => slots.enter(() => began.push(name)))
  expect([began.join(), slots.running, slots.waiting]).toEqual(['a', 1, 2])
  b?.()
  a?.()
  a?.()
  expect([began.join(), slots.running, slots.waiting]).toEqual(['a,c', 1, 0])
  c?.()
  expect(slots.running).toBe(0)
})
