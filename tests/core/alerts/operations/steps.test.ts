import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MAX_STEP, MAX_TIME_S, type Segment } from '../../../../src/core/alerts/operations/operation.ts'
import { beginnings, firstSteps, nextStep, segmentsOf } from '../../../../src/core/alerts/operations/steps.ts'

const segment = (from: number, to: number | null, startS: number, durationS: number, id = 1): Segment => ({
  ...{ phase: 'problem', from, to, startS, durationS },
  targets: [{ type: 'single', id }],
})
const timed = (segments: readonly Segment[], ...defaults: (number | null)[]) =>
  segmentsOf(segments, 'problem', defaults)
const times = (segments: readonly Segment[], limit = 8) => firstSteps(timed(segments, 300), limit).map(({ atS }) => atS)

test.each([
  ['nothing', [], []],
  ['once, at once', [segment(1, 1, 0, 60)], [0]],
  ['the delay of a rule', [segment(1, 1, 90, 0)], [90]],
  ['five a minute apart', [segment(1, 5, 0, 60)], [0, 60, 120, 180, 240]],
  [
    'the sixth goes out 300 s after the first',
    [segment(1, 5, 0, 60), segment(6, 6, 0, 60, 2)],
    [0, 60, 120, 180, 240, 300],
  ],
  ['and waits for its own start', [segment(1, 5, 0, 60), segment(6, 6, 30, 60, 2)], [0, 60, 120, 180, 240, 330]],
  ['what starts late moves what follows', [segment(1, 2, 120, 60), segment(3, 3, 0, 60)], [120, 180, 240]],
  ['three segments in turn', [segment(1, 2, 0, 60), segment(3, 4, 0, 30), segment(5, 5, 0, 1)], [0, 60, 120, 150, 180]],
  ['the order of positions does not count', [segment(3, 3, 0, 60), segment(1, 2, 0, 60)], [0, 60, 120]],
  ['steps that nobody has take no time', [segment(1, 2, 0, 60), segment(9, 9, 0, 60)], [0, 60, 120]],
  ['without an end', [segment(1, null, 0, 60)], [0, 60, 120, 180, 240, 300, 360, 420]],
  ['the default duration', [segment(1, null, 0, 0)], [0, 300, 600, 900, 1200, 1500, 1800, 2100]],
  [
    'an escalation beside reminders without an end',
    [segment(1, null, 0, 60), segment(3, 3, 5, 60, 2)],
    [0, 60, 120, 125, 180, 240, 300, 360],
  ],
] as const)('%s', (_, segments: readonly Segment[], expected: readonly number[]) => {
  expect(times(segments)).toEqual([...expected])
})

test('segments with a step at the same time are one notification, each target once', () => {
  const segments = timed([segment(1, null, 0, 60), segment(3, null, 0, 120, 2), segment(3, 3, 0, 60, 1)])
  expect(firstSteps(segments, 4)).toEqual([
    { atS: 0, number: 1, targets: [{ type: 'single', id: 1 }] },
    { atS: 60, number: 2, targets: [{ type: 'single', id: 1 }] },
    {
      ...{ atS: 120, number: 3 },
      targets: [
        { type: 'single', id: 1 },
        { type: 'single', id: 2 },
      ],
    },
    { atS: 180, number: 4, targets: [{ type: 'single', id: 1 }] },
  ])
})

test('durations: of the segment, else of the operation, else of the installation', () => {
  const of = (durationS: number, ...defaults: (number | null)[]) => timed([segment(1, 1, 0, durationS)], ...defaults)
  expect(of(60, 120, 300)[0]?.durationS).toBe(60)
  expect(of(0, 120, 300)[0]?.durationS).toBe(120)
  expect(of(0, null, 240)[0]?.durationS).toBe(240)
  expect(of(0, 0, 240)[0]?.durationS).toBe(240)
  expect(of(0, null, null)[0]?.durationS).toBe(300)
})

test('recoveries and updates have an end, and phases do not mix', () => {
  const segments: readonly Segment[] = [
    { ...segment(1, null, 0, 60), phase: 'recovery' },
    { ...segment(2, null, 10, 60), phase: 'update' },
  ]
  expect(firstSteps(segmentsOf(segments, 'recovery', []), 9).map(({ atS }) => atS)).toEqual([0])
  expect(firstSteps(segmentsOf(segments, 'update', []), 9).map(({ atS }) => atS)).toEqual([10])
  expect(segmentsOf(segments, 'problem', [])).toEqual([])
})

const segments = fc.array(
  fc
    .record({
      from: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: MAX_STEP })),
      length: fc.option(fc.nat({ max: 5 })),
      startS: fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: MAX_TIME_S })),
      durationS: fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: MAX_TIME_S })),
    })
    .map(({ from, length, startS, durationS }) => ({
      from,
      to: length === null ? null : from + length,
      startS,
      durationS,
    })),
  { maxLength: 6 },
)
const numbered = (list: readonly { from: number; to: number | null; startS: number; durationS: number }[]) =>
  list.map((one, i) => segment(one.from, one.to, one.startS, one.durationS, i + 1))

test('property: every step of every segment is sent once, at its own time, in order', () => {
  fc.assert(
    fc.property(segments, (list) => {
      const all = timed(numbered(list), 300)
      const sent = firstSteps(all, 60)
      for (const [i, step] of sent.entries()) if (i > 0) expect(step.atS).toBeGreaterThan(sent[i - 1]?.atS ?? 0)
      const begins = beginnings(all)
      const until = sent.at(-1)?.atS ?? -1
      for (const [i, one] of all.entries()) {
        const own = sent.filter(({ targets }) => targets.some(({ id }) => id === i + 1)).map(({ atS }) => atS)
        const expected: number[] = []
        for (let n = one.from; n <= (one.to ?? Number.POSITIVE_INFINITY) && expected.length < 60; n++) {
          const atS = (begins[i] ?? 0) + (n - one.from) * one.durationS
          if (atS > until) break
          expected.push(atS)
        }
        expect(own).toEqual(expected)
      }
    }),
  )
})

test('property: a segment begins after the earlier steps of all others have ended', () => {
  fc.assert(
    fc.property(segments, (list) => {
      const all = timed(numbered(list), 300)
      const begins = beginnings(all)
      for (const [i, one] of all.entries())
        for (const [j, other] of all.entries()) {
          if (other.from >= one.from) continue
          const last = Math.min(other.to ?? Number.POSITIVE_INFINITY, one.from - 1)
          const ends = (begins[j] ?? 0) + (last - other.from + 1) * other.durationS
          expect((begins[i] ?? 0) - one.startS).toBeGreaterThanOrEqual(ends)
        }
    }),
  )
})

test('property: the next step after any time is the first of all that are later', () => {
  fc.assert(
    fc.property(segments, fc.nat({ max: 2000 }), (list, afterS) => {
      const all = timed(numbered(list), 300)
      const later = firstSteps(all, 50).filter(({ atS }) => atS > afterS)
      const next = nextStep(all, afterS)
      if (later.length > 0) expect(next).toEqual(later[0] ?? null)
      else if (firstSteps(all, 50).length < 50) expect(next).toBeNull()
    }),
  )
})
