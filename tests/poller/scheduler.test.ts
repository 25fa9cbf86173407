import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextDue, schedulePhase } from '../../src/lib/schedule-phase.ts'
import { type Check, checkAfter, judge, pauseAfter } from '../../src/poller/devices/liveness.ts'
import { catchUpAt, createSchedule } from '../../src/poller/scheduler.ts'

const MINUTE = 60_000
const START = 1_700_000_000_000

test('a thousand devices added together are spread over the interval', () => {
  const schedule = createSchedule()
  for (let id = 1; id <= 1000; id++) schedule.set(id, MINUTE, START)
  const perSecond: number[] = []
  for (let s = 1; s <= 60; s++) perSecond.push(schedule.take(START + s * 1000, 1000).length)
  expect(perSecond.reduce((a, b) => a + b)).toBe(1000)
  expect(Math.max(...perSecond)).toBeLessThan(25)
})

test('due times are phase + k * interval, even after a late run or a restart', () => {
  const schedule = createSchedule()
  schedule.set(7, MINUTE, START)
  const due = schedule.next() as number
  expect(due).toBe(nextDue(7, MINUTE, START))
  expect((due - Math.floor(schedulePhase(7) * MINUTE)) % MINUTE).toBe(0)
  expect(schedule.take(due + 3000, 10)).toEqual([7])
  schedule.done(7, due + 5000)
  expect(schedule.next()).toBe(due + MINUTE)
  const restarted = createSchedule()
  restarted.set(7, MINUTE, due + 5000)
  expect(restarted.next()).toBe(due + MINUTE)
})

test('a device hastened shortly before its due time has skipped nothing', () => {
  const schedule = createSchedule()
  schedule.set(7, MINUTE, START)
  const due = schedule.next() as number
  schedule.hasten(7, due - 10)
  expect(schedule.take(due - 10, 10)).toEqual([7])
  schedule.done(7, due + 200)
  expect(schedule.stats(due + 200).skipped).toBe(0)
  // its regular due time passed during the run
  expect(schedule.take(due + 200, 10)).toEqual([7])
  schedule.done(7, due + 400)
  expect(schedule.next()).toBe(due + MINUTE)
})

test('a running device is not started again, and a run longer than its interval counts a skipped one', () => {
  const schedule = createSchedule()
  schedule.set(1, MINUTE, START, true)
  expect(schedule.take(START, 10)).toEqual([1])
  expect(schedule.take(START + 2 * MINUTE, 10)).toEqual([])
  schedule.done(1, START + 2 * MINUTE)
  expect(schedule.stats(START + 2 * MINUTE).skipped).toBeGreaterThan(0)
  expect(schedule.take(START + 2 * MINUTE, 10)).toEqual([1])
})

test('the end of a run is announced once the schedule can return the next device', () => {
  const given: number[] = []
  const schedule = createSchedule(() => given.push(...schedule.take(START, 1)))
  for (const id of [1, 2, 3]) schedule.set(id, MINUTE, START, true)
  given.push(...schedule.take(START, 1))
  // one at a time: the end of each run starts the next
  for (let i = 0; i < 3; i++) {
    expect(given).toHaveLength(i + 1)
    schedule.done(given[i] ?? 0, START)
  }
  expect(given.toSorted()).toEqual([1, 2, 3])
  expect(schedule.running).toBe(0)
})

test('a run that begins late is counted', () => {
  const schedule = createSchedule()
  schedule.set(1, MINUTE, START, true)
  schedule.take(START + 5900, 1)
  schedule.done(1, START + 6000)
  expect(schedule.stats(START).late).toBe(0)
  const due = schedule.next() as number
  schedule.take(due + 6100, 1)
  expect(schedule.stats(due).late).toBe(1)
})

test('removed devices do not come back, hastened ones come first', () => {
  const schedule = createSchedule()
  for (let id = 1; id <= 5; id++) schedule.set(id, MINUTE, START)
  schedule.remove(3)
  schedule.hasten(5, START)
  expect(schedule.take(START, 10)).toEqual([5])
  schedule.remove(5)
  schedule.done(5, START)
  const rest = schedule.take(START + 2 * MINUTE, 10).sort()
  expect(rest).toEqual([1, 2, 4])
  expect(schedule.stats(START).running).toBe(3)
})

test('for any sequence of operations, no device runs twice at once and none is lost', () => {
  const step = fc.record({
    op: fc.constantFrom('set', 'remove', 'hasten', 'take', 'done'),
    id: fc.integer({ min: 1, max: 8 }),
    pause: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const schedule = createSchedule()
      const known = new Set<number>()
      const running = new Set<number>()
      let now = START
      for (const s of steps) {
        now += 7000
        if (s.op === 'set') {
          schedule.set(s.id, MINUTE, now)
          known.add(s.id)
        } else if (s.op === 'remove') {
          schedule.remove(s.id)
          known.delete(s.id)
          running.delete(s.id)
        } else if (s.op === 'hasten') schedule.hasten(s.id, now)
        else if (s.op === 'done') {
          schedule.done(s.id, now, s.pause)
          running.delete(s.id)
        } else
          for (const id of schedule.take(now, 3)) {
            expect(running.has(id)).toBe(false)
            expect(known.has(id)).toBe(true)
            running.add(id)
          }
      }
      for (const id of running) schedule.done(id, now)
      const all = schedule.take(now + 10 * MINUTE, 100)
      expect(new Set(all)).toEqual(known)
    }),
  )
})

test.each([
  { icmp: 'ok', snmp: 'ok', want: { up: true, reason: '' } },
  { icmp: 'off', snmp: 'ok', want: { up: true, reason: '' } },
  { icmp: 'failed', snmp: 'ok', want: { up: false, reason: 'icmp' } },
  { icmp: 'failed', snmp: 'failed', want: { up: false, reason: 'icmp,snmp' } },
  { icmp: 'unknown', snmp: 'failed', want: { up: false, reason: 'snmp' } },
  { icmp: 'unknown', snmp: 'ok', want: null },
  { icmp: 'off', snmp: 'off', want: { up: true, reason: '' } },
] as const)('icmp $icmp and snmp $snmp', ({ icmp, snmp, want }) => {
  expect(judge({ icmp, snmp })).toEqual(want)
})

// o passed, x failed; the check after each result
test.each([
  { up: true, downAfter: 1, upAfter: 1, results: 'oxo', want: ['ok', 'failed', 'ok'] },
  {
    up: true,
    downAfter: 3,
    upAfter: 1,
    results: 'oxxoxxxo',
    want: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'ok'],
  },
  { up: true, downAfter: 1, upAfter: 2, results: 'xoxoo', want: ['failed', 'failed', 'failed', 'failed', 'ok'] },
  { up: true, downAfter: 2, upAfter: 2, results: 'xxoo', want: ['unknown', 'failed', 'failed', 'ok'] },
  { up: false, downAfter: 2, upAfter: 2, results: 'oo', want: ['unknown', 'ok'] },
  { up: false, downAfter: 2, upAfter: 2, results: 'x', want: ['failed'] },
])('from $up with $results, down after $downAfter and up after $upAfter', ({ up, results, want, ...steadiness }) => {
  let check: Check = 'unknown'
  let streak = 0
  const found = [...results].map((result, i) => {
    streak = results[i - 1] === result ? streak + 1 : 1
    check = checkAfter(check, up, { passed: result === 'o', streak }, steadiness)
    return check
  })
  expect(found).toEqual([...want])
})

test('a device that does not answer is polled less and less often', () => {
  const pauses = [1, 3, 4, 7, 100].map(pauseAfter)
  expect(pauses).toEqual([1, 1, 2, 4, 4])
})

test('devices that were taken over and missed a poll are polled within half their interval, not all at once', () => {
  const ids = Array.from({ length: 100 }, (_, i) => i + 1)
  const due = (id: number) => nextDue(id, MINUTE, START)
  const caught = ids.map((id) => catchUpAt(id, MINUTE, START - MINUTE - 1, START))
  const at = ids.map((id, i) => caught[i] ?? due(id))
  expect(Math.max(...at)).toBeLessThanOrEqual(START + MINUTE / 2)
  expect(caught.filter((one) => one !== null).length).toBeGreaterThan(40)
  for (const [i, id] of ids.entries()) {
    const one = caught[i] ?? null
    if (one === null) continue
    expect(one).toBeGreaterThanOrEqual(START)
    expect(due(id) - one).toBeGreaterThanOrEqual(MINUTE / 4)
  }
  for (let s = 0; s < 30; s++) {
    const inSecond = at.filter((ms) => ms >= START + s * 1000 && ms < START + (s + 1) * 1000).length
    expect(inSecond).toBeLessThanOrEqual(12)
  }
  expect(catchUpAt(1, MINUTE, START - MINUTE, START)).toBeNull()
})
