import { type Curve, compose, daily, noisy } from '../curve.ts'
import { CURVES, type Motion, parameters, waveOf } from '../curves.ts'
import { damped, type Gauge } from '../gauge.ts'
import type { Instant } from '../instant.ts'
import type { Seeds } from '../seeds.ts'
import { reading } from '../traffic.ts'
import { lineOf, type Story, type StoryLines } from './story.ts'

const BUFFER_SHARE = 0.03
const CACHE_SHARE = 0.45
const SWAP_FREE = 0.98

/**
 * Memory, processors and disks of a Linux machine with net-snmp's agent. Lines: `cores`, `load` (percent of all cores),
 * `memory` and `swap` in octets, `programs` (share of memory), and `disk|PATH|OCTETS|CURVE|PARAMETERS` (octets used).
 */
export const linux: Story = (lines, own) => {
  const cores = Number(lineOf(lines, 'cores'))
  const wanted = parameters(lineOf(lines, 'load'))
  const load = waveOf(wanted, own)
  const values: ReadonlyMap<string, Motion> = new Map<string, Motion>([
    ...memory(lines, own),
    ...Array.from({ length: cores }, (_, core) => [`core ${core}`, coreLoad(load, core)] as const),
    ...[1, 5, 15].map((minutes) => [`load ${minutes}`, damped((t) => (cores * load(t)) / 100, 60 * minutes)] as const),
    ['busy', load],
    ['idle', (t) => Math.max(0, 100 - load(t))],
    ...lines.filter(([kind]) => kind === 'disk').flatMap((line) => disk(line, own)),
  ])
  const [mean = 1] = wanted.numbers
  const { day = 0, peak = 14 } = wanted.named
  // the integral of the load relative to its mean, in seconds
  const busy = compose(
    noisy(own('cpu time'), 0.12),
    daily({ peakHour: peak, depth: Math.min(0.75, day / mean), weekend: 0 }),
  )
  const share = mean / 100
  const counter =
    (curve: Curve): Motion =>
    (t) =>
      reading(curve, t.s, t.bootS)
  return (name) => {
    // `ticks PART` of processor time in 1/100 s, `work N` events per second at mean load
    const [kind, number] = name.split(' ')
    if (name === 'idle ticks') return counter((s) => 100 * cores * (s - share * busy(s)))
    if (kind === 'ticks') return counter((s) => 100 * cores * share * Number(number) * busy(s))
    if (kind === 'work') return counter((s) => Number(number) * busy(s))
    return values.get(name)
  }
}

/** Cores alternate around the mean. */
function coreLoad(load: Gauge, core: number): Gauge {
  const lean = (t: Instant) => 1 + 0.35 * Math.sin(t.s / (310 + 40 * core) + 2.4 * core)
  return (t) => Math.min(100, load(t) * lean(t))
}

/** Octets. */
function memory(lines: StoryLines, own: Seeds): [string, Motion][] {
  const total = Number(lineOf(lines, 'memory'))
  const swap = Number(lineOf(lines, 'swap'))
  const share = waveOf(parameters(lineOf(lines, 'programs')), own)
  const programs = (t: Instant) => total * share(t)
  const cached = (t: Instant) => Math.min(total * CACHE_SHARE, (total - programs(t)) * 0.8)
  const free = (t: Instant) => Math.max(0, total * (1 - BUFFER_SHARE) - programs(t) - cached(t))
  return [
    ['memory', (t) => programs(t) + cached(t) + total * BUFFER_SHARE],
    ['cached', cached],
    ['free', free],
    ['free with swap', (t) => free(t) + swap * SWAP_FREE],
  ]
}

/** What UCD-SNMP-MIB says about a disk, in kB, also as the two halves of 64 bits. */
function disk([, path = '', size = '', curve = '', given = '']: readonly string[], own: Seeds): [string, Motion][] {
  const gauge = CURVES[curve]?.(parameters(given), own)
  if (gauge === undefined) throw new RangeError(`no curve ${curve}`)
  const total = Number(size) / 1024
  const used = (t: Instant) => Number(gauge(t)) / 1024
  const clamp = (kB: number) => Math.min(2 ** 31 - 1, kB)
  const low = (kB: number) => Math.round(kB) % 2 ** 32
  const high = (kB: number) => Math.floor(kB / 2 ** 32)
  return [
    [`${path} free kB`, (t) => clamp(total - used(t))],
    [`${path} used kB`, (t) => clamp(used(t))],
    [`${path} percent`, (t) => (100 * used(t)) / total],
    [`${path} free low`, (t) => low(total - used(t))],
    [`${path} free high`, (t) => high(total - used(t))],
    [`${path} used low`, (t) => low(used(t))],
    [`${path} used high`, (t) => high(used(t))],
  ]
}
