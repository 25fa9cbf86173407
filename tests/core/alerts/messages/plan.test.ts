import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { limitsOf, type SendingLimits, USUAL_DEFAULTS } from '../../../../src/core/alerts/messages/limits.ts'
import {
  GATHER_MS,
  PAUSE_SPAN_MS,
  pauseAfter,
  planMessage,
  quietMs,
  rateFreeAt,
  type WaitingAlert,
} from '../../../../src/core/alerts/messages/plan.ts'
import { GROUPING } from '../../../../src/core/alerts/transports/grouping.ts'
import { KINDS } from '../../../../src/core/alerts/transports/kinds.ts'

const T = 1_000_000_000
const QUIET = quietMs(1)
const LIMITS: SendingLimits = { grouped: true, windowMs: 0, perMinute: 0, recoveryMs: 300_000 }
const CALM = { formed: [], attempts: [] }

const problem = (id: number, oldest: number): WaitingAlert => ({ ids: [id], oldest, ending: false, group: null })
const end = (id: number, oldest: number, ongoing: boolean): WaitingAlert => ({
  ids: [id],
  oldest,
  ending: true,
  group: { id: 7, ongoing },
})

describe('a message', () => {
  test('of one alert leaves when nothing else came for a moment', () => {
    expect(planMessage([problem(1, T)], T, CALM, LIMITS, T)).toEqual({ do: 'wait', at: T + QUIET })
    expect(planMessage([problem(1, T)], T, CALM, LIMITS, T + QUIET)).toEqual({
      do: 'form',
      alerts: [problem(1, T)],
      held: null,
    })
  })

  test('waits while others keep coming, but not for long', () => {
    const some = [problem(1, T), problem(2, T + 9900)]
    expect(planMessage(some, T + 9900, CALM, LIMITS, T + 9900)).toEqual({ do: 'wait', at: T + GATHER_MS })
    expect(planMessage(some, T + 9999, CALM, LIMITS, T + GATHER_MS).do).toBe('form')
  })

  test('waits longer where many alerts began', () => {
    const many = [1, 2, 3, 4, 5, 6].map((id) => problem(id, T))
    expect(planMessage(many, T, CALM, LIMITS, T + QUIET)).toEqual({ do: 'wait', at: T + quietMs(6) })
  })

  test('waits for the window that was asked for', () => {
    const limits = { ...LIMITS, windowMs: 60_000 }
    expect(planMessage([problem(1, T)], T, CALM, limits, T + 59_999)).toEqual({ do: 'wait', at: T + 60_000 })
    expect(planMessage([problem(1, T)], T, CALM, limits, T + 60_000)).toMatchObject({ do: 'form', held: null })
  })

  test('with recoveries waits for the rest of its group', () => {
    const some = [end(1, T, true), end(2, T + 1000, true)]
    expect(planMessage(some, T + 1000, CALM, LIMITS, T + 2000)).toEqual({ do: 'wait', at: T + 300_000 })
    expect(planMessage(some, T + 1000, CALM, LIMITS, T + 300_000)).toMatchObject({ do: 'form' })
    const all = [end(1, T, false), end(2, T + 200_000, false)]
    expect(planMessage(all, T + 200_000, CALM, LIMITS, T + 200_000)).toEqual({ do: 'form', alerts: all, held: null })
  })

  test('of a problem does not wait for the recoveries of a group, nor take them along', () => {
    const some = [end(1, T, true), problem(2, T + 1000)]
    expect(planMessage(some, T + 1000, CALM, LIMITS, T + 1000 + QUIET)).toMatchObject({
      do: 'form',
      alerts: [{ ids: [2] }],
    })
  })

  test('after many others waits longer and longer, and says so', () => {
    expect([0, 1, 2, 3, 4, 5, 8, 1000].map(pauseAfter)).toEqual([0, 0, 0, 10_000, 20_000, 40_000, 300_000, 300_000])
    const recent = { formed: [T - 3000, T - 2000, T - 1000], attempts: [] }
    expect(planMessage([problem(1, T)], T, recent, LIMITS, T + 1000)).toEqual({ do: 'wait', at: T + 9000 })
    expect(planMessage([problem(1, T)], T, recent, LIMITS, T + 9000)).toMatchObject({
      do: 'form',
      held: { why: 'many', seconds: 9 },
    })
    expect(planMessage([problem(1, T)], T, recent, LIMITS, T + PAUSE_SPAN_MS)).toMatchObject({ do: 'form' })
  })

  test('waits for its rate, and says so', () => {
    const limits = { ...LIMITS, perMinute: 2 }
    const recent = { formed: [T - 50_000, T - 40_000], attempts: [T - 50_000, T - 40_000] }
    expect(planMessage([problem(1, T)], T, recent, limits, T + 500)).toEqual({ do: 'wait', at: T + 10_000 })
    expect(planMessage([problem(1, T)], T, recent, limits, T + 10_000)).toMatchObject({
      do: 'form',
      held: { why: 'rate', seconds: 10 },
    })
  })

  test('that could not leave although it was time says that the transport failed', () => {
    expect(planMessage([problem(1, T)], T, CALM, LIMITS, T + 3_600_000)).toMatchObject({
      do: 'form',
      held: { why: 'failing', seconds: 3600 },
    })
  })
})

const limits = fc.record({
  grouped: fc.constant(true),
  windowMs: fc.constantFrom(0, 1000, 60_000),
  perMinute: fc.constantFrom(0, 1, 3, 20),
  recoveryMs: fc.constantFrom(0, 60_000, 300_000),
})
const waiting = fc.array(
  fc.record({
    age: fc.integer({ min: 0, max: 600_000 }),
    ending: fc.boolean(),
    group: fc.option(fc.record({ id: fc.integer({ min: 1, max: 3 }), ongoing: fc.boolean() }), { nil: null }),
  }),
  { maxLength: 20 },
)
const recent = fc.record({
  formed: fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 12 }),
  attempts: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 12 }),
})

test('whatever waits leaves in bounded time, never beyond the rate, and nothing that did not wait', () => {
  const ascending = (ages: readonly number[]) => ages.map((age) => T - age).toSorted((a, b) => a - b)
  fc.assert(
    fc.property(waiting, recent, limits, (some, { formed, attempts }, given) => {
      const alerts: readonly WaitingAlert[] = some.map(({ age, ending, group }, i) => ({
        ids: [i + 1],
        oldest: T - age,
        ending,
        group,
      }))
      const newest = Math.max(...alerts.map(({ oldest }) => oldest), T - 600_000)
      const before = { formed: ascending(formed), attempts: ascending(attempts) }
      let now = T
      for (let steps = 0; ; steps++) {
        const plan = planMessage(alerts, newest, before, given, now)
        if (plan.do === 'form') {
          const counted = before.attempts.filter((at) => at > now - 60_000)
          if (given.perMinute > 0) expect(counted.length).toBeLessThan(given.perMinute)
          expect(plan.alerts.length).toBeGreaterThan(0)
          for (const one of plan.alerts) expect(alerts).toContain(one)
          break
        }
        if (plan.at === null) {
          expect(alerts).toEqual([])
          break
        }
        expect(plan.at).toBeGreaterThan(now)
        expect(plan.at).toBeLessThanOrEqual(T + 3_600_000)
        expect(steps).toBeLessThan(50)
        now = plan.at
      }
    }),
    { numRuns: 500 },
  )
})

test('the rate never allows more than its number in any minute', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 20 }),
      (gaps, perMinute) => {
        const sent: number[] = []
        let now = T
        for (const gap of gaps) {
          now += gap
          const at = rateFreeAt(sent, perMinute, now)
          now = Math.max(now, at)
          sent.push(now)
        }
        for (const [i, at] of sent.entries())
          expect(sent.slice(i).filter((other) => other < at + 60_000).length).toBeLessThanOrEqual(perMinute)
      },
    ),
  )
})

describe('limits', () => {
  test('every kind of transport says whether it groups', () => {
    expect(KINDS.map(({ name }) => name).filter((name) => !GROUPING.has(name))).toEqual([])
  })

  const none = { grouping: null, group_window: null, rate_per_minute: null }
  test('are those of the transport, otherwise the settings', () => {
    expect(limitsOf('mail', none, USUAL_DEFAULTS)).toEqual({
      grouped: true,
      windowMs: 0,
      perMinute: 0,
      recoveryMs: 300_000,
    })
    expect(limitsOf('Mail', { grouping: 0, group_window: 60, rate_per_minute: 5 }, USUAL_DEFAULTS)).toMatchObject({
      grouped: false,
      windowMs: 60_000,
      perMinute: 5,
    })
    expect(limitsOf('webhook', none, { ...USUAL_DEFAULTS, perMinute: 9 })).toMatchObject({
      grouped: false,
      perMinute: 9,
    })
    expect(limitsOf('webhook', { ...none, grouping: 1 }, USUAL_DEFAULTS).grouped).toBe(true)
    expect(limitsOf('pagerduty', { ...none, grouping: 1 }, USUAL_DEFAULTS).grouped).toBe(false)
    expect(limitsOf('no such kind', { ...none, grouping: 1 }, USUAL_DEFAULTS).grouped).toBe(false)
  })

  test('are bounded', () => {
    for (const value of [-1, 0, Number.NaN, -1e300])
      expect(
        limitsOf('mail', { grouping: 1, group_window: value, rate_per_minute: value }, USUAL_DEFAULTS),
      ).toMatchObject({
        windowMs: 0,
        perMinute: 0,
      })
    expect(
      limitsOf('mail', { grouping: 1, group_window: 1e300, rate_per_minute: 1e300 }, USUAL_DEFAULTS),
    ).toMatchObject({
      windowMs: 600_000,
      perMinute: 10_000,
    })
  })
})
