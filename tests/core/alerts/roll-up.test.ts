import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import type { EngineFault } from '../../../src/core/alerts/faults/evolve.ts'
import type { AlertRow } from '../../../src/core/alerts/read-subjects.ts'
import type { AlertStatus } from '../../../src/core/alerts/state.ts'
import { alertWrite, type Moment } from '../../../src/core/alerts/transition.ts'
import { isOpen } from '../../../src/core/base/alert-states.ts'
import { DEVICE, foundOf, held, rule, type Stored, store, T } from './on-paper.ts'
import { decide, decided, ended, nextStatus } from './oracle.ts'

setDefaultTimeout(120_000)

// The alert of v0 is the roll-up of its faults: random histories give the same states and log rows as before faults were
// kept by themselves (oracle.ts).

const step = fc.record({
  minutes: fc.integer({ min: 1, max: 20 }),
  ports: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }), { freq: 6 }),
  act: fc.constantFrom('none', 'none', 'none', 'acknowledge', 'until it changes', 'unmute'),
  maintenance: fc.constantFrom(null, null, null, null, 1, 2, 3),
  parentsDown: fc.boolean(),
  applies: fc.oneof({ weight: 12, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  unread: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})
const extras = fc.record({
  delay: fc.constantFrom(0, 0, 300, 1800),
  interval: fc.constantFrom(0, 600),
  mute: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  recovery: fc.boolean(),
  count: fc.constantFrom(-1, 2),
})

test('random histories give the states and log rows that they gave before faults were kept', () => {
  fc.assert(
    fc.property(extras, fc.array(step, { minLength: 1, maxLength: 25 }), (extra, steps) => {
      const made = rule(extra)
      const stored: Stored = { row: null, faults: [] }
      let before: AlertStatus | null = null
      let [now, next] = [T, 1]
      const log: [number, number, number][] = []
      const was: [number, number, number][] = []
      for (const { minutes, ports, act, maintenance, parentsDown, applies, unread } of steps) {
        now += minutes * 60_000
        const found = ports === null ? undefined : foundOf(ports.toSorted((a, b) => a - b))
        const moment: Moment = {
          now,
          toleranceS: 0,
          stepDurationS: 300,
          damping: { count: 3, windowS: 3600, holdS: 900 },
          ...held({ maintenance, ports: [2], parentsDown }),
        }
        const waits = before?.open === true || stored.faults.some(({ mustNotify }) => mustNotify)
        const subject = { device: DEVICE, applies, unread, alert: stored.row, faults: stored.faults }
        const write = alertWrite(made, subject, found, moment)
        if (write?.log !== null && write !== null) {
          const { added, removed } = write.log as { added: number; removed: number }
          log.push([write.state, added, removed])
        }
        if (write !== null) store(stored, write, () => next++)
        before = past(before)
        expect(stateOf(stored.row)).toEqual(stateOf(before))
        if (stored.row === null || before === null || !isOpen(before.state)) continue
        if (act === 'unmute' ? before.state !== 2 : act === 'none') continue
        // what a person does to both, as write.ts stores it
        const state = act === 'unmute' ? 1 : 2
        const turns = (before.state === 2) !== (state === 2)
        const untilClear = act === 'unmute' ? before.untilClear : act === 'acknowledge'
        before = { ...before, untilClear, ...(turns && { state, open: true }) }
        stored.row = {
          ...stored.row,
          info: JSON.stringify({ until_clear: untilClear }),
          ...(turns && { state, open: 1, next_at: 0 }),
        }
        stored.faults = stored.faults.map((fault) => peopleTurned(fault, state, untilClear))

        function past(alert: AlertStatus | null): AlertStatus | null {
          const unsent = alert?.state === 2 && alert.open
          const looked = maintenance === 1 || unsent ? undefined : found
          let turn =
            alert === null ? null : { after: alert, change: 'none', added: [] as string[], removed: [] as string[] }
          if (alert !== null && isOpen(alert.state) && !applies)
            turn = { after: ended(alert, now), change: 'state', added: [], removed: Object.keys(alert.faults) }
          // the one difference: what was to be notified, such as a recovery held by maintenance, goes with the rule
          else if (alert !== null && !applies) return waits ? { ...alert, open: false, alerted: 0 } : alert
          else if (
            looked !== undefined &&
            applies &&
            !(unread && made.wakers.polled && alert !== null && isOpen(alert.state))
          ) {
            const turned = nextStatus(alert, looked, now)
            turn =
              alert === null && turned.change === 'none'
                ? null
                : { ...turned, added: [...turned.added], removed: [...turned.removed] }
          }
          if (turn === null) return alert
          if (turn.change === 'state') was.push([turn.after.state, turn.added.length, turn.removed.length])
          const c = { ...moment, extra: made.extra, maintenance, parentsDown, openUntil: null }
          return decided(turn.after, decide(turn.after, c), c).alert
        }
      }
      expect(log).toEqual(was)
    }),
    { numRuns: 2000 },
  )
})

const stateOf = (alert: AlertRow | AlertStatus | null) =>
  alert === null ? null : { state: alert.state, digest: alert.digest, faults: alert.faults, begins: [...alert.begins] }

function peopleTurned(fault: EngineFault, state: 1 | 2, untilClear: boolean): EngineFault {
  if (fault.state === 0) return fault
  if (state === 1) return fault.state === 2 ? { ...fault, state: 1, mustNotify: true, acknowledged: null } : fault
  const acknowledged = { until: untilClear ? 'clear' : 'worse', untilAt: null, count: 1, severity: 'critical' } as const
  return { ...fault, state: 2, acknowledged }
}
