import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import type { AlertContext } from '../../../src/core/alerts/context.ts'
import type { EngineFault } from '../../../src/core/alerts/faults/evolve.ts'
import { alertWrite, type Moment } from '../../../src/core/alerts/transition.ts'
import { DEVICE, foundOf, held, rule, type Stored, store, T } from './on-paper.ts'

setDefaultTimeout(120_000)

// Random faults, acknowledgements, mutes, maintenance, parents and transactions that are lost. What receivers believe is
// kept as they would: a fault that they are told of is one more, its recovery one less. No fault is told twice, none that
// should speak is silent, each recovery is told once.

const MINUTE_MS = 60_000
const PORTS = [1, 2, 3, 4]

const action = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ do: 'nothing' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('acknowledge', 'unacknowledge', 'unmute'),
      port: fc.constantFrom(...PORTS),
      until: fc.constantFrom('clear', 'worse', 'time'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('mute'),
      port: fc.constantFrom(...PORTS),
      until: fc.constantFrom('clear', 'time'),
    }),
  },
)
const step = fc.record({
  minutes: fc.integer({ min: 1, max: 20 }),
  /** Ports that turn. */
  turn: fc.uniqueArray(fc.constantFrom(...PORTS), { maxLength: 3 }),
  action,
  maintenance: fc.constantFrom(null, null, null, null, 1, 2, 3),
  ports: fc.oneof(
    { weight: 3, arbitrary: fc.constant([] as number[]) },
    fc.uniqueArray(fc.constantFrom(...PORTS), { maxLength: 2 }),
  ),
  parentsDown: fc.boolean(),
  /** The transaction is lost, as when the process or the database is killed. */
  lost: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

interface World {
  readonly stored: Stored
  /** What receivers believe to be wrong. */
  readonly believed: Set<string>
  /** Keys of faults whose acknowledgement ended after they were told: they are told again. */
  readonly again: Set<string>
  down: Set<number>
  now: number
  next: number
}

test('what receivers believe is true whenever nothing holds it back', () => {
  fc.assert(
    fc.property(
      fc.record({ delay: fc.constantFrom(0, 0, 300, 1800), interval: fc.constantFrom(0, 0, 600) }),
      fc.constantFrom(0, 3),
      fc.array(step, { minLength: 1, maxLength: 30 }),
      (extra, count, steps) => {
        const made = rule(extra)
        const world: World = {
          ...{ stored: { row: null, faults: [] }, believed: new Set(), again: new Set() },
          ...{ down: new Set(), now: T, next: 1 },
        }
        const momentAt = (holds: Parameters<typeof held>[0]): Moment => ({
          ...{ now: world.now, toleranceS: 0, stepDurationS: 300, damping: { count, windowS: 3600, holdS: 900 } },
          ...held(holds),
        })
        for (const { minutes, turn, action: act, maintenance, ports, parentsDown, lost } of steps) {
          world.now += minutes * MINUTE_MS
          for (const port of turn) if (!world.down.delete(port)) world.down.add(port)
          const moment = momentAt({ maintenance, ports, parentsDown })
          if (lost) work(world, made, moment, true)
          work(world, made, moment, false)
          const free = (maintenance ?? 3) === 3 && ports.length === 0 && !parentsDown && count === 0
          if (free) expect(lies(world, extra.delay)).toEqual([])
          people(world, act)
        }
        for (let i = 0; i < 4; i++) {
          world.now += 24 * 60 * MINUTE_MS
          work(world, made, momentAt({ maintenance: null, ports: [], parentsDown: false }), false)
        }
        expect(lies(world, extra.delay)).toEqual([])
      },
    ),
    { numRuns: 3000 },
  )
})

/** What the engine does at one time: it evaluates what changed and what is due, until nothing is. */
function work(world: World, made: ReturnType<typeof rule>, moment: Moment, lost: boolean): void {
  const { stored } = world
  for (let i = 0; i < 10; i++) {
    const found = foundOf([...world.down].toSorted((a, b) => a - b))
    const differs = (stored.row?.digest ?? null) !== (found?.digest ?? null)
    const due = stored.row?.next_at !== undefined && stored.row.next_at !== null && stored.row.next_at <= world.now
    if (!(differs && i === 0) && !due) return
    const subject = { device: DEVICE, applies: true, unread: false, alert: stored.row, faults: stored.faults }
    const write = alertWrite(made, subject, found, moment)
    if (write === null || lost) return
    for (const { fault, acknowledgementEnded } of write.faultWrites)
      if (acknowledgementEnded !== null) world.again.add(fault.key)
    // it was acknowledged when it ended, its recovery was not told, and now it fails again
    for (const { fault } of write.faultWrites)
      if (fault.id === null && stored.faults.some((one) => one.key === fault.key && one.acknowledged !== null))
        world.again.add(fault.key)
    store(stored, write, () => world.next++)
    if (write.notification !== null) heard(world, write.notification)
  }
  throw new Error('something stays due')
}

/** Receivers read a notification. */
function heard(world: World, { kind, context }: { readonly kind: string; readonly context: object }): void {
  const { began, ended } = context as AlertContext
  const { believed, again } = world
  const before = believed.size
  let news = 0
  for (const { key } of ended) expect({ key, ended: believed.delete(key) }).toEqual({ key, ended: true })
  for (const { key } of began) {
    const twice = believed.has(key)
    expect({ key, twice: twice && !again.delete(key) }).toEqual({ key, twice: false })
    if (!twice) news++
    believed.add(key)
  }
  if (kind === 'ack' || kind === 'repeat')
    expect({ kind, began: began.length, ended: ended.length, before: before > 0 }).toEqual({
      kind,
      began: 0,
      ended: 0,
      before: true,
    })
  else if (began.length > 0 && ended.length > 0) expect(kind).toBe('changed')
  else if (began.length > 0) expect(kind).toBe(before > 0 && news > 0 ? 'worse' : 'alert')
  else
    expect({ kind, ended: ended.length > 0 }).toEqual({
      kind: believed.size === 0 ? 'recovery' : 'better',
      ended: true,
    })
}

/** What receivers are wrong about: faults that are over, and those that they should know of. */
function lies({ stored, believed, down, now }: World, delayS: number): string[] {
  const open = stored.faults.filter(({ state }) => state !== 0)
  expect(open.map(({ key }) => key).toSorted()).toEqual([...down].map(String).toSorted())
  const over = [...believed].filter((key) => !down.has(Number(key)))
  const silent = open.filter(
    (fault) =>
      !believed.has(fault.key) &&
      fault.state === 1 &&
      (fault.mutedUntil ?? 0) <= now &&
      now >= fault.beganAt + delayS * 1000,
  )
  return [...over.map((key) => `${key} is over`), ...silent.map(({ key }) => `${key} is not known`)]
}

type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

/** What a person does, as write-people.ts stores it. */
function people(world: World, act: Action): void {
  const { stored, now } = world
  if (act.do === 'nothing' || stored.row === null) return
  const open = stored.faults.filter(({ state }) => state !== 0)
  const at = now + 5 * 60 * MINUTE_MS
  const change = (fault: EngineFault): EngineFault => {
    if (fault.state === 0 || fault.key !== String(act.port)) return fault
    if (act.do === 'mute') return { ...fault, mutedUntil: act.until === 'time' ? at : Date.UTC(9999, 11, 31) }
    if (act.do === 'unmute') return { ...fault, mutedUntil: null }
    if (act.do === 'acknowledge') {
      const untilAt = act.until === 'time' ? at : null
      return {
        ...fault,
        state: 2,
        acknowledged: {
          until: act.until as 'clear' | 'worse' | 'time',
          untilAt,
          count: open.length,
          severity: 'critical',
        },
      }
    }
    if (fault.state !== 2) return fault
    if (world.believed.has(fault.key)) world.again.add(fault.key)
    return { ...fault, state: 1, acknowledged: null, mustNotify: true }
  }
  stored.faults = stored.faults.map(change)
  const active = stored.faults.some(({ state }) => state === 1)
  const { row } = stored
  if (act.do === 'acknowledge' && open.length > 0 && !active && row.state !== 2)
    stored.row = { ...row, state: 2, open: 1 }
  if (act.do === 'unacknowledge' && active && row.state === 2) stored.row = { ...row, state: 1, open: 1 }
  stored.row = { ...stored.row, next_at: 0 }
}
