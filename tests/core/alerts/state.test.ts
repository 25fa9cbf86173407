import { describe, expect, test } from 'bun:test'
import { type Circumstances, decide, decided, isFlapping } from '../../../src/core/alerts/due.ts'
import { wakersOf } from '../../../src/core/alerts/rule-triggers.ts'
import { ruleExtra } from '../../../src/core/alerts/rules/extra.ts'
import { type AlertStatus, ended, type FoundFaults, nextStatus } from '../../../src/core/alerts/state.ts'

const T = Date.UTC(2026, 7, 1, 12)
const found = (...keys: string[]): FoundFaults => ({
  keys,
  count: keys.length,
  digest: `${keys.length}:${keys.join()}`,
})
const begun = (...keys: string[]) => nextStatus(null, found(...keys), T).after
const notified = (status: AlertStatus): AlertStatus => ({
  ...status,
  open: false,
  alerted: status.state,
  notified: 1,
  notifiedAt: T,
})
const around = (also: Partial<Circumstances> = {}): Circumstances => ({
  now: T,
  extra: ruleExtra('{}'),
  toleranceS: 0,
  maintenance: null,
  parentsDown: false,
  openUntil: null,
  damping: { count: 0, windowS: 3600, holdS: 900 },
  ...also,
})
const extra = (members: object) => ruleExtra(JSON.stringify(members))

describe('states', () => {
  test('without a fault and an alert nothing happens', () => {
    expect(nextStatus(null, null, T)).toMatchObject({ change: 'none', after: { state: 0 } })
  })

  test('a fault begins an alert that waits to be notified', () => {
    expect(nextStatus(null, found('1', '2'), T)).toMatchObject({
      change: 'state',
      added: ['1', '2'],
      after: { state: 1, open: true, alerted: 0, beganAt: T, faults: { 1: T / 1000, 2: T / 1000 } },
    })
  })

  test.each<[string, string[], number, string[], string[]]>([
    ['more', ['1', '2', '3'], 3, ['3'], []],
    ['fewer', ['1'], 4, [], ['2']],
    ['others', ['1', '3'], 5, ['3'], ['2']],
  ])('%s faults after a notification', (_, keys, state, added, removed) => {
    const turn = nextStatus(notified(begun('1', '2')), found(...keys), T + 60_000)
    expect(turn).toMatchObject({ change: 'state', added, removed, after: { state, open: true, beganAt: T } })
    // each fault keeps the time when it began
    expect(turn.after.faults['1']).toBe(T / 1000)
    if (added.length > 0) expect(turn.after.faults['3']).toBe(T / 1000 + 60)
  })

  test('the same faults change nothing', () => {
    expect(nextStatus(notified(begun('1')), found('1'), T + 1).change).toBe('none')
  })

  test('before the first notification, a changed set of faults is only stored', () => {
    expect(nextStatus(begun('1'), found('1', '2'), T + 1)).toMatchObject({
      change: 'faults',
      after: { state: 1, open: true, digest: found('1', '2').digest },
    })
  })

  test('an acknowledgement lasts until it clears, or only until the faults change', () => {
    const acknowledged = { ...notified(begun('1')), state: 2 as const, alerted: 2 as const }
    expect(nextStatus(acknowledged, found('1', '2'), T + 1)).toMatchObject({ change: 'faults', after: { state: 2 } })
    const until = { ...acknowledged, untilClear: false }
    expect(nextStatus(until, found('1', '2'), T + 1)).toMatchObject({
      change: 'state',
      after: { state: 3, open: true },
    })
  })

  test('inverted rules never get worse', () => {
    const turn = nextStatus(notified(begun('1')), found('2'), T + 1, { inverted: true })
    expect(turn).toMatchObject({ change: 'faults', after: { state: 1 } })
  })

  test('imported alerts adopt the faults found first', () => {
    const imported = { ...notified(begun('1')), digest: null, faults: {} }
    expect(nextStatus(imported, found('7'), T + 1)).toMatchObject({
      change: 'faults',
      after: { state: 1, open: false },
    })
  })

  test('without faults an alert recovers, and can begin again as a new problem', () => {
    const recovered = nextStatus(notified(begun('1')), null, T + 1000).after
    expect(recovered).toMatchObject({ state: 0, open: true, alerted: 1, faults: {}, digest: null })
    const told = { ...recovered, open: false, alerted: 0 as const }
    expect(nextStatus(told, found('1'), T + 2000).after).toMatchObject({ state: 1, open: true, notified: 0 })
  })

  test('a problem that returns before its recovery was sent is still the same for receivers', () => {
    const recovered = nextStatus(notified(begun('1')), null, T + 1000).after
    expect(nextStatus(recovered, found('1'), T + 2000).after).toMatchObject({ state: 1, open: false, alerted: 1 })
  })

  test('sets of faults that are too large to store are compared by size', () => {
    const cut = { ...notified(begun('1', '2')), digest: '9:x' }
    const now = (count: number): FoundFaults => ({ keys: ['1', '2'], count, digest: `${count}:y` })
    expect([12, 3, 9].map((count) => nextStatus(cut, now(count), T).after.state)).toEqual([3, 4, 5])
  })

  test('an alert that ends because its rule does not apply is not notified', () => {
    expect(ended(notified(begun('1')), T)).toMatchObject({ state: 0, open: false, alerted: 0 })
  })
})

describe('what is due', () => {
  const alert = begun('1')

  test('without a delay an alert is sent at once and only once', () => {
    const decision = decide(alert, around())
    expect(decision).toEqual({ do: 'send', kind: 'alert' })
    expect(decided(alert, decision, around())).toMatchObject({
      alert: { open: false, alerted: 1, notified: 1, notifiedAt: T },
      nextAt: null,
    })
  })

  test('a delay begins with the alert; the tolerance makes it due earlier', () => {
    const c = { extra: extra({ delay: 60 }) }
    expect(decide(alert, around(c))).toEqual({ do: 'hold', why: 'delay', at: T + 60_000 })
    expect(decide(alert, around({ ...c, now: T + 55_000 }))).toMatchObject({ do: 'hold' })
    expect(decide(alert, around({ ...c, now: T + 55_000, toleranceS: 5 }))).toMatchObject({ do: 'send' })
    expect(decide(alert, around({ ...c, now: T + 60_000 }))).toMatchObject({ do: 'send' })
  })

  test.each([
    ['mute', { mute: true }],
    ['count 0', { count: 0 }],
  ])('%s: never', (_, members) => {
    expect(decide(alert, around({ extra: extra(members) }))).toEqual({ do: 'settle' })
  })

  test('an alert is repeated at each interval up to the maximum count', () => {
    const c = (now: number) => around({ extra: extra({ interval: 300, count: 2 }), now })
    const first = decided(alert, decide(alert, c(T)), c(T))
    expect(first.nextAt).toBe(T + 300_000)
    expect(decide(first.alert, c(T + 299_000))).toEqual({ do: 'rest', at: T + 300_000 })
    expect(decide(first.alert, c(T + 300_000))).toEqual({ do: 'send', kind: 'repeat' })
    const second = decided(first.alert, { do: 'send', kind: 'repeat' }, c(T + 300_000))
    expect(second.nextAt).toBeNull()
    expect(decide(second.alert, c(T + 900_000))).toEqual({ do: 'rest', at: null })
  })

  test('each change is sent once, regardless of the count', () => {
    const worse = nextStatus(notified(alert), found('1', '2'), T).after
    expect(decide(worse, around({ extra: extra({ count: 1 }) }))).toEqual({ do: 'send', kind: 'worse' })
  })

  test('a recovery is sent only if the problem was', () => {
    const over = nextStatus(notified(alert), null, T).after
    expect(decide(over, around())).toEqual({ do: 'send', kind: 'recovery' })
    expect(decide(over, around({ extra: extra({ recovery: false }) }))).toEqual({ do: 'settle' })
    expect(decide(nextStatus(alert, null, T).after, around())).toEqual({ do: 'settle' })
    expect(decided(over, { do: 'send', kind: 'recovery' }, around()).alert.alerted).toBe(0)
  })

  test('an acknowledgement is sent only if the problem was, and ends the repeats', () => {
    const acknowledged = { ...notified(alert), state: 2 as const, open: true }
    expect(decide(acknowledged, around())).toEqual({ do: 'send', kind: 'ack' })
    expect(decide(acknowledged, around({ extra: extra({ acknowledgement: false }) }))).toEqual({ do: 'settle' })
    expect(decide({ ...acknowledged, alerted: 0 }, around())).toEqual({ do: 'settle' })
    const quiet = { ...acknowledged, open: false }
    expect(decide(quiet, around({ extra: extra({ interval: 60 }), now: T + 900_000 }))).toMatchObject({ do: 'rest' })
  })

  test('an alert is sent again after it is unmuted', () => {
    expect(decide({ ...notified(alert), open: true, alerted: 2 }, around())).toEqual({ do: 'send', kind: 'alert' })
  })

  test.each<[string, Partial<Circumstances>, string | null]>([
    ['behaviour 1', { maintenance: 1 }, 'maintenance'],
    ['behaviour 2', { maintenance: 2 }, 'maintenance'],
    ['behaviour 3', { maintenance: 3 }, null],
    ['parents down', { parentsDown: true }, 'parents'],
    ['parents are asked', { openUntil: Number.MAX_SAFE_INTEGER }, 'asking'],
  ])('%s', (_, c, why) => {
    expect(decide(alert, around(c))).toMatchObject(why === null ? { do: 'send' } : { do: 'hold', why })
  })

  test('a recovery waits for the end of maintenance but not for parents', () => {
    const over = nextStatus(notified(alert), null, T).after
    expect(decide(over, around({ maintenance: 2 }))).toMatchObject({ do: 'hold', why: 'maintenance' })
    expect(decide(over, around({ parentsDown: true }))).toMatchObject({ do: 'send' })
  })

  test('a flapping alert is notified once its state has lasted long enough', () => {
    let status: AlertStatus | null = null
    for (let i = 0; i < 5; i++) {
      status = nextStatus(status, found('1'), T + i * 120_000).after
      status = nextStatus({ ...status, open: false, alerted: 0 }, null, T + i * 120_000 + 60_000).after
      status = { ...status, open: false, alerted: 0 }
    }
    const began = T + 600_000
    const again = nextStatus(status, found('1'), began).after
    const damping = { count: 5, windowS: 3600, holdS: 900 }
    expect(isFlapping(again, { now: began, damping })).toBe(true)
    expect(decide(again, around({ now: began, damping }))).toEqual({ do: 'hold', why: 'flapping', at: began + 900_000 })
    expect(decide(again, around({ now: began + 900_000, damping }))).toMatchObject({ do: 'send' })
    expect(decide(again, around({ now: began, damping: { ...damping, count: 0 } }))).toMatchObject({ do: 'send' })
    expect(decide(again, around({ now: began + 1000, damping: { ...damping, windowS: 60 } }))).toMatchObject({
      do: 'send',
    })
  })
})

test.each<[string, object]>([
  ['', { mute: false, count: -1, delay: 0, interval: 0, invert: false, recovery: true, acknowledgement: true }],
  ['{"count":"3","delay":"60","mute":true}', { count: 3, delay: 60, mute: true }],
  ['{"count":"","options":{"override_query":"on"}}', { count: -1, options: { override_query: true } }],
  ['{"options":{"override_query":null},"delay":-5}', { delay: 0, options: { override_query: false } }],
  ['[1]', { count: -1 }],
  ['{', { count: -1 }],
])('options of a rule from %p', (text, expected) => {
  expect(ruleExtra(text)).toMatchObject(expected)
})

test.each<[string[], string[], boolean, boolean]>([
  [['devices.status', 'devices.disabled'], ['discovered', 'status'], false, false],
  [['devices.uptime'], ['discovered', 'polled'], false, false],
  [['devices.last_polled', 'time'], ['discovered', 'polled'], true, false],
  [['ports.ifOperStatus'], ['discovered', 'ports'], false, true],
  [['ports_live.ifInOctets_rate'], ['discovered', 'observed', 'port'], false, true],
  [['sensors.sensor_current'], ['discovered', 'observed', 'sensor'], false, true],
  [['bgpPeers.bgpPeerState'], ['discovered', 'observed'], false, true],
  [['services.service_status'], ['discovered', 'services'], true, false],
  [['eventlog.message'], ['discovered', 'eventlog'], true, false],
])('a rule that reads %p', (reads, written, timed, polled) => {
  const wakers = wakersOf(reads)
  expect([...wakers.written].toSorted()).toEqual(written)
  expect({ timed: wakers.timed, polled: wakers.polled }).toEqual({ timed, polled })
})
