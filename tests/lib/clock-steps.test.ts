import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { Glob } from 'bun'
import { createRateLimit } from '../../src/api/v1/rate-limit.ts'
import { createSettings } from '../../src/config/settings.ts'
import { createAuthService } from '../../src/core/access/sign-in/service.ts'
import { createPasswordCheck } from '../../src/core/access/users/passwords.ts'
import { createRounds } from '../../src/core/alerts/engine-rounds.ts'
import { createEventBudget } from '../../src/core/discovery/event-budget.ts'
import { createSnapshots } from '../../src/core/lists/snapshots.ts'
import { clocksOf } from '../../src/lib/steady.ts'
import { createLog } from '../../src/observe/log.ts'
import { type TestApi, testApi } from '../support/api.ts'

// The clock of the machine is set while the program runs: nothing that waits, is kept or is limited for seconds may then
// last as long as the step.

const HOUR_MS = 3_600_000
const STEPS_MS = [-90 * 24 * HOUR_MS, -3 * HOUR_MS, -61_000, 61_000, 3 * HOUR_MS, 90 * 24 * HOUR_MS]

afterEach(() => void setSystemTime())

/** Does something, sets the clock, and does it again. */
async function across<T>(stepMs: number, work: () => T | Promise<T>): Promise<[T, T]> {
  const before = await work()
  setSystemTime(new Date(Date.now() + stepMs))
  return [before, await work()]
}

describe.each(STEPS_MS)('the clock is set by %i ms', (stepMs) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi()
  })
  afterAll(() => api.drop())
  const settings = createSettings({ flags: { 'auth.wrong_passwords': '3', 'auth.wrong_tokens': '3' } })

  test('a wrong password before it does not lock anybody out', async () => {
    const check = createPasswordCheck({ store: api.store, settings })
    await across(stepMs, () => check('nobody', 'wrong horse', '192.0.2.1').catch((error: unknown) => error))
    await check('nobody', 'wrong horse', '192.0.2.1')
    // and it opens nothing either: the fourth guess within the minute is one too many
    expect(check('nobody', 'wrong horse', '192.0.2.1')).rejects.toMatchObject({ code: 'throttled' })
  })

  test('nor does a wrong token, and guesses are still counted', async () => {
    const auth = createAuthService({ store: api.store, settings, log: createLog('silent') })
    const guess = async (): Promise<number> => {
      const began = performance.now()
      expect(await auth.authenticate('no such token', () => '192.0.2.2')).toBeNull()
      return performance.now() - began
    }
    await across(stepMs, guess)
    await guess()
    // one too many is held for a second, which is what keeps guessing slow
    expect(await guess()).toBeGreaterThan(900)
  })

  test('clients of the API have the same requests left', async () => {
    const turn = createRateLimit(10, 60_000)
    const [before, after] = await across(stepMs, () => turn('192.0.2.3'))
    expect([before.remaining, after.remaining]).toEqual([9, 8])
    expect(after.resetS).toBeGreaterThanOrEqual(0)
    expect(after.resetS).toBeLessThanOrEqual(60)
  })

  test('a list that was read before is as old as it was', async () => {
    const snapshots = createSnapshots()
    let reads = 0
    await across(stepMs, () => snapshots('list', () => Promise.resolve(++reads)))
    expect(reads).toBe(1)
  })

  test('events of an hour are counted as one hour', async () => {
    const budget = createEventBudget(() => 1)
    const event = { deviceId: 1, message: '', type: 'interface', reference: null, severity: 1 } as const
    const [first, second] = await across(stepMs, () => {
      const chosen = budget.choose([event])
      budget.count(chosen)
      return chosen.listed.length
    })
    expect([first, second]).toEqual([1, 0])
  })

  test('rules are evaluated at their interval', async () => {
    let evaluated = 0
    const evaluate = () => {
      evaluated++
      return Promise.resolve([])
    }
    const evaluator = { all: () => [], timed: () => [], evaluate }
    const { steady } = clocksOf()
    // a clock that goes on while the other one is set
    let passedMs = 0
    const rounds = createRounds(
      evaluator,
      () => 300_000,
      () => steady() + passedMs,
    )
    await across(stepMs, async () => {
      await rounds.evaluateSome()
      rounds.endIfDone()
    })
    expect(rounds.stats().rounds).toBe(1)
    passedMs = 300_000
    await rounds.evaluateSome()
    rounds.endIfDone()
    expect(rounds.stats().rounds).toBe(2)
    expect(evaluated).toBe(3)
  })
})

/**
 * Where the wall clock is compared or calculated with, and what the other time is: one that was stored, given by a person
 * or sent by another machine. A time that this process took itself is compared with `steadyNow` or `performance.now`.
 */
const WALL: Readonly<Record<string, string>> = {
  'src/api/request-times.ts': 'the begin of a request, for what is shown',
  'src/app/tls.ts': 'the end of a certificate',
  'src/cli/commands/fault.ts': 'the end of a mute',
  'src/cli/examine.ts': 'the time of the last step, as stored',
  'src/core/alerts/dispatcher.ts': 'the time of a stored message',
  'src/core/alerts/messages/write-transport-health.ts': 'the time of a stored notification, see write-times-ahead.ts',
  'src/core/alerts/sender.ts': 'the begin of an attempt, for what is shown',
  'src/core/cluster/session.ts': 'the clock of the database',
  'src/core/import/history/files.ts': 'the time of a file of history',
  'src/core/logs/receive/traps/receiver.ts': 'when a trap came, as stored',
  'src/core/pollers/remote/link/requests.ts': 'the time of a request of another machine',
  'src/core/pollers/remote/link/site-plans.ts': 'the time of an entry of another machine',
  'src/core/pollers/remote/link/site-reader.ts': 'the time of a message in NATS',
  'src/core/pollers/remote/link/site.ts': 'the time of the last stored message',
  'src/core/pollers/remote/link/store-delivery.ts': 'the time of a delivery of another machine',
  'src/core/scans/read.ts': 'the begin of a scan, as stored',
  'src/lib/steady.ts': 'the begin of the steady clock',
  'src/poller/traced.ts': 'the begin of a run, for what is shown',
}

test('waiting times are not of the wall clock', async () => {
  const found = new Set<string>()
  for await (const path of new Glob('src/**/*.{ts,tsx}').scan('.')) {
    if (path.startsWith('src/web/islands/')) continue
    const text = await Bun.file(path).text()
    if (/Date\.now\(\)\)?\s*[-+<>]|(?<!=)[-+<>]=?\s*\(*Date\.now\(\)/.test(text)) found.add(path)
  }
  expect([...found].toSorted()).toEqual(Object.keys(WALL))
})
