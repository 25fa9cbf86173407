import { expect, test } from 'bun:test'
import pino from 'pino'
import { repeatedTask } from '../../../src/app/leader/repeated-task.ts'
import type { Log } from '../../../src/observe/log.ts'
import { eventually } from '../../support/eventually.ts'

/** A log that keeps its warnings. */
function keeping(): { readonly log: Log; readonly warnings: string[] } {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })
  return { log, warnings }
}

const NEVER = Number.POSITIVE_INFINITY

const until = (holds: () => boolean): Promise<true> => eventually(async () => (holds() ? true : null))

test('work is done when asked, and again after the time that it returns', async () => {
  let rounds = 0
  const work = repeatedTask({ log: keeping().log, failed: 'it failed' }, async () => (++rounds < 3 ? 0 : NEVER))
  await Bun.sleep(5)
  expect(rounds).toBe(0)
  work.within(0)
  await until(() => rounds === 3)
  await Bun.sleep(20)
  expect(rounds).toBe(3)
  work.within(NEVER)
  work.within(Number.NaN)
  work.within(0)
  await until(() => rounds === 4)
  await work.stop()
})

test('it is never done twice at a time, and what is asked meanwhile is done after it', async () => {
  let [running, most, rounds] = [0, 0, 0]
  let free = Promise.withResolvers<void>()
  const work = repeatedTask({ log: keeping().log, failed: 'it failed' }, async () => {
    most = Math.max(most, ++running)
    rounds++
    await free.promise
    running--
    return NEVER
  })
  work.within(0)
  await until(() => rounds === 1)
  for (let i = 0; i < 10; i++) work.within(0)
  await Bun.sleep(10)
  expect(rounds).toBe(1)
  const first = free
  free = Promise.withResolvers()
  first.resolve()
  await until(() => rounds === 2)
  free.resolve()
  await work.stop()
  expect([most, rounds]).toEqual([1, 2])
})

test('a rest follows, by how long it took, whatever is asked meanwhile and however it ended', async () => {
  const ends: number[] = []
  const begins: number[] = []
  const rests: number[] = []
  const restMs = (tookMs: number): number => {
    rests.push(tookMs)
    return 40
  }
  const work = repeatedTask({ log: keeping().log, failed: 'it failed', retryMs: 0, restMs }, async () => {
    begins.push(performance.now())
    work.within(0)
    await Bun.sleep(5)
    ends.push(performance.now())
    if (begins.length === 2) throw new Error('no database')
    return begins.length < 4 ? 0 : NEVER
  })
  work.within(0)
  await until(() => ends.length === 4)
  await work.stop()
  for (const [i, end] of ends.slice(0, 3).entries()) expect(begins[i + 1]).toBeGreaterThanOrEqual(end + 39)
  expect(rests.every((tookMs) => tookMs >= 4)).toBe(true)
})

test('a failure is tried again, and told once while its reason stays', async () => {
  const { log, warnings } = keeping()
  let rounds = 0
  const work = repeatedTask({ log, failed: 'devices could not be compared', retryMs: 1 }, async () => {
    rounds++
    if (rounds <= 3) throw new Error('no database')
    if (rounds === 4) throw new Error('no disk')
    return NEVER
  })
  work.within(0)
  await until(() => rounds === 5)
  await work.stop()
  expect(warnings).toEqual(['devices could not be compared, will retry', 'devices could not be compared, will retry'])
})

test('stopping aborts what is being done, waits for its end, and lets nothing begin', async () => {
  let [rounds, ended] = [0, false]
  const { log, warnings } = keeping()
  const work = repeatedTask({ log, failed: 'it failed' }, async (signal) => {
    rounds++
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await Bun.sleep(5)
    ended = true
    throw signal.reason
  })
  work.within(0)
  await until(() => rounds === 1)
  await work.stop()
  work.within(0)
  await Bun.sleep(10)
  expect([rounds, ended, warnings.length]).toEqual([1, true, 0])
})

test('a time that no timer can hold is waited for, not skipped', async () => {
  let rounds = 0
  const work = repeatedTask({ log: keeping().log, failed: 'it failed' }, async () => {
    rounds++
    return 2 ** 40
  })
  work.within(2 ** 31)
  await Bun.sleep(20)
  expect(rounds).toBe(0)
  work.within(0)
  await until(() => rounds === 1)
  await Bun.sleep(20)
  expect(rounds).toBe(1)
  await work.stop()
})
