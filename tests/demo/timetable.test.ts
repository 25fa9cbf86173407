import { describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { endOf, selfSigned } from '../../src/demo/certificate.ts'
import type { Windows } from '../../src/demo/curve.ts'
import { demoDevice } from '../../src/demo/fleet.ts'
import { FLEET_EPOCH_MS } from '../../src/demo/instant.ts'
import { readRecording } from '../../src/demo/recording.ts'
import { Responder } from '../../src/demo/responder.ts'
import { type Seeds, seedsOf } from '../../src/demo/seeds.ts'
import { DEFAULT_SEED } from '../../src/demo/serve.ts'
import { HAPPENINGS, type HappeningName, happening, POWER_CUTS } from '../../src/demo/timetable.ts'

const NAMES = Object.keys(HAPPENINGS) as HappeningName[]
const seeds = (name: HappeningName, seed = DEFAULT_SEED): Seeds => seedsOf(seed, HAPPENINGS[name].device)
const START_S = 900 * 86_400
const msOf = (s: number): number => FLEET_EPOCH_MS + s * 1000

const make = (name: string) => new Responder({ model: demoDevice(name), seed: DEFAULT_SEED, community: 'public' })

/** The values of numbers of a device at these seconds, one row each. */
function numbersOf(device: string, oids: readonly string[], times: readonly number[]): number[][] {
  const { numbers } = make(device).past({ counters: [], numbers: oids, moments: Float64Array.from(times, msOf) })
  return times.map((_, m) => [...numbers.subarray(m * oids.length, (m + 1) * oids.length)])
}

/** How much counters of a device have grown from one second to another. */
function grown(device: string, oids: readonly string[], from: number, to: number): number[] {
  const { counters } = make(device).past({
    counters: oids,
    numbers: [],
    moments: Float64Array.of(msOf(from), msOf(to)),
  })
  return oids.map((_, i) => Number((counters[oids.length + i] ?? 0n) - (counters[i] ?? 0n)))
}

/** Begin and end of the next time in which something happens, whole seconds. */
function next(when: Windows, from: number): { begins: number; ends: number } {
  let begins = from
  while (!when.isOn(begins)) begins++
  while (when.isOn(begins)) begins++
  let ends = begins
  while (!when.isOn(ends)) ends++
  return { begins, ends }
}

describe.each(NAMES)('%s', (name) => {
  test('happens once in every cycle, for its time; the rest adds up', () => {
    const when = happening(name, seeds(name))
    const { everyS, lastsS } = HAPPENINGS[name]
    const spans = 20 * everyS
    let off = 0
    for (let s = START_S; s < START_S + spans; s++) {
      if (!when.isOn(s + 0.5)) off++
      const passed = when.onSeconds(s + 1) - when.onSeconds(s)
      expect(passed).toBeWithin(-1e-6, 1 + 1e-6)
      expect(when.changedAt(s)).toBeLessThanOrEqual(s)
    }
    expect(Math.abs(off - 20 * lastsS)).toBeLessThanOrEqual(lastsS)
    expect(Math.abs(when.onSeconds(START_S + spans) - when.onSeconds(START_S) - (spans - off))).toBeLessThan(2)
  })

  test('has other times with another seed', () => {
    const { begins } = next(happening(name, seeds(name)), START_S)
    expect(next(happening(name, seeds(name, 'another')), START_S).begins).not.toBe(begins)
  })
})

test('the cuts of power are those of the life of warehouse-1', () => {
  const when = happening('no power', seeds('no power'))
  const warehouse = make('warehouse-1')
  for (let s = START_S; s < START_S + 2 * POWER_CUTS.cycleS; s++)
    expect([s, when.isOn(s)]).toEqual([s, warehouse.instant(msOf(s)).powered])
})

test('the job fills the line to 95 %, class-default alone drops, and the way to the carrier takes longer', () => {
  const when = happening('job', seeds('job'))
  let last = next(when, START_S)
  let job = next(when, last.ends)
  // the one before must not have ended just now
  while (job.begins - last.ends < 300) {
    last = job
    job = next(when, job.ends)
  }
  const { begins, ends } = job
  const out = '1.3.6.1.2.1.31.1.1.1.10.1'
  const used = (from: number, to: number) => (8 * (grown('wan-1', [out], from, to)[0] ?? 0)) / (to - from) / 200e6
  expect(used(begins, ends)).toBeWithin(0.93, 0.97)
  expect(used(begins - 300, begins)).toBeWithin(0.35, 0.45)
  // cbQosCMPostPolicyByte64 and cbQosCMDropPkt64 of VOICE, BUSINESS and class-default
  const post = [2, 3, 4].map((row) => `1.3.6.1.4.1.9.9.166.1.15.1.1.10.18.${row}`)
  const drops = [2, 3, 4].map((row) => `1.3.6.1.4.1.9.9.166.1.15.1.1.14.18.${row}`)
  const sent = grown('wan-1', post, begins, ends).reduce((sum, octets) => sum + octets, 0)
  expect((8 * sent) / (ends - begins) / 200e6).toBeWithin(0.93, 0.97)
  const [voice, business, other = 0] = grown('wan-1', drops, begins, ends)
  expect([voice, business, other > 10_000]).toEqual([0, 0, true])
  expect(grown('wan-1', drops, begins - 300, begins - 1)).toEqual([0, 0, 0])
  const rtt = '1.3.6.1.4.1.9.9.42.1.2.10.1.1.20'
  const [[before = 0] = [], [during = 0] = []] = numbersOf('wan-1', [rtt], [begins - 10, begins + 10])
  expect(during - before).toBeGreaterThan(60)
})

test('a session that is lost is active, and its age begins again', () => {
  const { begins, ends } = next(happening('no session', seeds('no session')), START_S)
  const oids = ['2', '16'].map((column) => `1.3.6.1.2.1.15.3.1.${column}.203.0.113.5`)
  const seen = numbersOf('edge-1', oids, [begins - 5, begins + 5, ends + 5])
  expect(seen.map(([state]) => state)).toEqual([6, 3, 6])
  for (const [, age] of seen.slice(1)) expect(age).toBeWithin(4, 7)
})

test('the laptop is at one place at any time, and core-1 sees it behind that switch', () => {
  const mac = '60.34.251.20.0.120'
  /** dot1dTpFdbPort or dot1qTpFdbPort of the laptop; null: it is not in the table. */
  const portAt = (device: string, context: string, index: string) => {
    const of = (name: string) => seedsOf(DEFAULT_SEED, name)
    const recorded = readRecording(device, demoDevice(device).recording, { own: of(device), links: of('links'), of })
    const found = (recorded.get(context) ?? []).find((one) => one.index === index && one.object.endsWith('.1.2'))
    if (typeof found?.value !== 'function') throw new Error(`${device} has no laptop`)
    return found.value
  }
  const places = [portAt('access-1', '20', mac), portAt('access-2', '', `20.${mac}`), portAt('core-1', '20', mac)]
  const core = make('core-1')
  const seen = Array.from({ length: 240 }, (_, i) => {
    const t = core.instant(msOf(START_S + 10 * i))
    return places.map((place) => place(t)).join(' ')
  })
  // bridge ports: Gi1/0/6 of access-1 behind Te5/0/2, and port 7 of access-2 behind Te5/0/3
  expect(new Set(seen)).toEqual(new Set(['11  1', ' 6 2']))
})

describe('the certificate', () => {
  test('is one that others read, with its times, and signed by its own key', () => {
    const from = Date.UTC(2026, 0, 1)
    const to = Date.UTC(2049, 11, 31, 23, 59, 59)
    const { cert, key } = selfSigned('www.demo.example', from, to)
    const read = new X509Certificate(cert)
    expect(read.subject).toBe('CN=www.demo.example')
    expect([Date.parse(read.validFrom), Date.parse(read.validTo)]).toEqual([from, to])
    expect(read.verify(read.publicKey)).toBe(true)
    expect(key).toStartWith('-----BEGIN PRIVATE KEY-----')
    expect(new X509Certificate(selfSigned('x'.repeat(200), from, to).cert).subject).toBe(`CN=${'x'.repeat(200)}`)
  })

  test('ends in four to five days, at midnight', () => {
    const day = Date.UTC(2026, 10, 26)
    for (const [now, end] of [
      [day, Date.UTC(2026, 11, 1)],
      [day + 1, Date.UTC(2026, 11, 1)],
      [day + 86_399_999, Date.UTC(2026, 11, 1)],
      [day + 86_400_000, Date.UTC(2026, 11, 2)],
    ] as const)
      expect(endOf(now)).toBe(end)
  })
})
