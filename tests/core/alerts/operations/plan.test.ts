import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { NotificationKind } from '../../../../src/core/alerts/due.ts'
import { PHASES, type Segment } from '../../../../src/core/alerts/operations/operation.ts'
import { planOf, type Runs, storedRuns, turn } from '../../../../src/core/alerts/operations/plan.ts'
import { firstSteps } from '../../../../src/core/alerts/operations/steps.ts'

const segments = fc.array(
  fc
    .record({
      phase: fc.constantFrom(...PHASES),
      from: fc.integer({ min: 1, max: 4 }),
      length: fc.option(fc.nat({ max: 3 })),
      startS: fc.nat({ max: 90 }),
      durationS: fc.integer({ min: 10, max: 90 }),
      target: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ length, target, ...one }): Segment => {
      return { ...one, to: length === null ? null : one.from + length, targets: [{ type: 'single', id: target }] }
    }),
  { maxLength: 5 },
)
/** What happens to an alert after a time. */
const happening = fc.record({
  afterS: fc.nat({ max: 120 }),
  what: fc.constantFrom('fails', 'acknowledged', 'unacknowledged', 'worse', 'ends', 'maintenance', 'calm'),
})

interface Sent {
  readonly atS: number
  readonly kind: NotificationKind
  readonly ids: readonly number[]
  readonly told: boolean
}

/** An alert whose operation is asked at each second that it asked for, as the engine does. */
class Alert {
  runs: Runs | null = null
  known = false
  active = false
  holding = false
  nextAt: number | null = null
  now = 0
  readonly sent: Sent[] = []
  constructor(private readonly plan: ReturnType<typeof planOf>) {}

  ask(kind: NotificationKind | null): void {
    const before = this.known
    if (kind === 'alert' || kind === 'worse') [this.known, this.active] = [true, true]
    if (kind === 'ack') this.active = false
    if (kind === 'recovery') [this.known, this.active] = [false, false]
    const waitUntil = this.holding && this.active ? this.now + 7000 : null
    const given = { kind, known: before, active: this.active, waitUntil, now: this.now }
    const asked = turn(this.plan, { runs: this.runs, ...given })
    // stored as JSON in between
    this.runs = storedRuns(JSON.parse(JSON.stringify(asked.runs)))
    expect(this.runs).toEqual(asked.runs)
    this.nextAt = asked.nextAt
    if (asked.kind === null) return
    const ids = asked.targets.map(({ id }) => id).toSorted((a, b) => a - b)
    this.sent.push({ atS: this.now / 1000, kind: asked.kind, ids, told: asked.told })
  }

  pass(seconds: number): void {
    const until = this.now + seconds * 1000
    for (let n = 0; this.nextAt !== null && this.nextAt <= until && n < 1000; n++) {
      this.now = Math.max(this.now, this.nextAt)
      this.ask(null)
    }
    this.now = until
  }
}

test('property: without anything in between, exactly the steps of the problem are sent, at their times', () => {
  fc.assert(
    fc.property(segments, (list) => {
      const plan = planOf({ name: 'o', stepDurationS: null, suppressed: false, segments: list }, 300)
      const [first, ...rest] = firstSteps(plan.problem, 30)
      const alert = new Alert(plan)
      alert.ask('alert')
      alert.pass(600)
      const expected = rest.filter(({ atS }) => atS - (first?.atS ?? 0) <= 600)
      expect(alert.sent.slice(0, expected.length + 1)).toEqual(
        [...(first === undefined ? [] : [first]), ...expected].map(({ atS, targets }, i) => ({
          atS: atS - (first?.atS ?? 0),
          kind: i === 0 ? 'alert' : 'repeat',
          ids: targets.map(({ id }) => id).toSorted((a, b) => a - b),
          told: false,
        })),
      )
      if (rest.length < 29) expect(alert.sent.length).toBe(expected.length + (first === undefined ? 0 : 1))
    }),
  )
})

test('property: random histories: no step while nothing is active or in maintenance, none twice, each end once', () => {
  fc.assert(
    fc.property(segments, fc.array(happening, { maxLength: 20 }), (list, happenings) => {
      const plan = planOf({ name: 'o', stepDurationS: 60, suppressed: false, segments: list }, 300)
      const alert = new Alert(plan)
      let recoveries = 0
      for (const { afterS, what } of happenings) {
        const [quiet, from, held] = [!alert.active, alert.sent.length, alert.holding]
        alert.pass(afterS)
        const between = alert.sent.slice(from)
        const repeats = between.filter(({ kind }) => kind === 'repeat')
        if (quiet || held) expect(repeats).toEqual([])
        // two steps are never closer than the plan has them, however late they are
        for (const [i, one] of repeats.entries()) expect(one.atS).toBeGreaterThan(repeats[i - 1]?.atS ?? -1)
        const told = alert.sent.length
        if (what === 'fails' && !alert.known) alert.ask('alert')
        else if (what === 'worse' && alert.known) alert.ask('worse')
        else if (what === 'acknowledged' && alert.active) alert.ask('ack')
        else if (what === 'unacknowledged' && alert.known && !alert.active) alert.ask('alert')
        else if (what === 'ends' && alert.known) {
          alert.ask('recovery')
          recoveries++
        } else if (what === 'maintenance' || what === 'calm') {
          alert.holding = what === 'maintenance'
          alert.ask(null)
        }
        expect(alert.sent.length - told).toBeLessThanOrEqual(1)
        // an alert that nobody is told of any more keeps nothing
        if (!alert.known && alert.nextAt === null) expect(alert.runs).toBeNull()
      }
      if (plan.recovery.length === 0)
        expect(alert.sent.filter(({ kind }) => kind === 'recovery').length).toBe(recoveries)
      for (const { kind, told } of alert.sent) if (kind === 'repeat') expect(told).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('property: what others wrote into the state of an operation is read as a state or as none', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (problem, other) => {
      for (const value of [problem, { problem, other }]) {
        const runs = storedRuns(value)
        const plan = planOf({ name: 'o', stepDurationS: null, suppressed: false, segments: [] }, 300)
        turn(plan, { runs, kind: null, known: true, active: true, waitUntil: null, now: 0 })
      }
    }),
  )
})
