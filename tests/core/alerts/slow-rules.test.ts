import { expect, test } from 'bun:test'
import { createSlowRules, type SlowRun, type SlowState } from '../../../src/core/alerts/slow-rules.ts'

function run(results: Record<number, SlowRun | Error>) {
  const clock = { ms: 0 }
  const runs: [id: number, at: number][] = []
  const reports: [id: number, state: SlowState | null][] = []
  const made = createSlowRules({
    run: (id) => {
      runs.push([id, clock.ms])
      const result = results[id]
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result ?? { kind: 'gone' })
    },
    report: async (id, state) => void reports.push([id, state]),
    roundMs: () => 300_000,
    now: () => clock.ms,
  })
  /** Lets time pass in steps of a second. */
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      made.turn()
      await made.idle()
      clock.ms += 1000
    }
  }
  return { ...made, pass, runs, reports }
}

test('a rule that is stopped is tried less and less often, at least once an hour', async () => {
  const { hold, pass, runs } = run({ 1: { kind: 'timeout' } })
  hold(1)
  await pass(6 * 3600)
  const waits = runs.map(([, at], i) => at - (runs[i - 1]?.[1] ?? 0)).slice(1)
  expect(waits.slice(0, 7)).toEqual([60, 120, 240, 480, 960, 1920, 3600].map((s) => s * 1000))
  expect(new Set(waits.slice(6))).toEqual(new Set([3_600_000]))
})

test('a rule that ends takes at most a tenth of the time, and joins the others when it is quick again', async () => {
  const results: Record<number, SlowRun> = { 1: { kind: 'ran', tookMs: 40_000 } }
  const { hold, has, pass, runs, reports } = run(results)
  hold(1)
  await pass(900)
  expect(runs.map(([, at]) => at)).toEqual([0, 400_000, 800_000])
  expect(reports[0]).toEqual([1, { tookMs: 40_000, againMs: 400_000 }])
  results[1] = { kind: 'ran', tookMs: 20 }
  await pass(400)
  expect(reports.at(-1)).toEqual([1, null])
  expect(has(1)).toBe(false)
})

test('the rule that has waited longest is next, one at a time', async () => {
  const { hold, pass, runs, keep, has } = run({ 1: { kind: 'timeout' }, 2: { kind: 'timeout' }, 3: new Error('away') })
  hold(1)
  await pass(1)
  hold(2)
  hold(3)
  await pass(8)
  expect(runs.map(([id]) => id)).toEqual([1, 2, 3, 3])
  keep(new Set([2]))
  expect([has(1), has(2), has(3)]).toEqual([false, true, false])
})
