import { PORT_COUNTERS } from '../../lib/port-counters.ts'

/** One reading of the counters of `rows` ports, with columns as in PortState. */
export interface CounterReading {
  /** sysUpTime from the response that contained this row, 1/100 s; 0: the agent has none. */
  readonly ticks: Uint32Array
  /** Column-major [counter][row]. */
  readonly counters: BigUint64Array
  /** Bit c of row r: counter c was read. */
  readonly present: Uint32Array
}

export interface DeltaInput {
  readonly rows: number
  readonly counters: number
  readonly before: CounterReading
  readonly now: CounterReading
  /** Bit c of row r: counter c is now read from a 32-bit object. */
  readonly narrow: Uint32Array
  /** bit/s of each row; NaN or 0: unknown. */
  readonly ifSpeed: Float64Array
  /** What the traffic of a row says about its speed. Default: nothing is known or learned. */
  readonly links?: LinkSpeeds
  /** Time between the two readings by our own clock, ms. */
  readonly elapsedMs: number
  /** The device's polling interval, ms. */
  readonly intervalMs: number
  /** Memory for the deltas, `rows * counters` long, which the result then uses. Default: new memory. */
  readonly space?: Float64Array
}

/** See LinkEvidence; by row. */
export interface LinkSpeeds {
  /** bit/s that the link carries although its ifSpeed is lower; 0: none. */
  proven(row: number): number
  above(row: number, bitsPerSecond: number): boolean
  within(row: number): void
}

const NO_EVIDENCE: LinkSpeeds = { proven: () => 0, above: () => false, within: () => undefined }

/**
 * Why a pair of readings gave no delta. `reboot`: the agent restarted in between. `clock`: its sysUpTime stood still or
 * disagrees with our clock. `reset`: a 64-bit counter went back. `wrap`: a 32-bit counter went back by more than one
 * wrap at the link's speed. `width`: 64 bits before, 32 now. `implausible`: more than the link can carry.
 */
export type Refusal = 'reboot' | 'clock' | 'reset' | 'wrap' | 'width' | 'implausible'
/** Number of refused counter pairs, by reason. */
export type RefusalCounts = Readonly<Partial<Record<Refusal, number>>>

export interface Deltas {
  /**
   * Column-major [counter][row]; NaN: unknown. If the octets of one direction are refused, those of the other are unknown
   * too; if they were only not read, the other direction keeps its delta.
   */
  readonly deltas: Float64Array
  /** Period of a row's deltas by the agent's own clock, ms; 0: no row. */
  readonly periodMs: Int32Array
  readonly refused: RefusalCounts
  /**
   * Why the octets of a row are unknown although they were read twice. Rows without an entry have a delta, or were not
   * read twice.
   */
  readonly octetsRefused: ReadonlyMap<number, Refusal>
}

const TICK_MS = 10
const TICKS_WRAP_MS = 2 ** 32 * TICK_MS
const TWO_32 = 2 ** 32
const MAX_PERIOD_MS = 2 ** 31 - 1

/** Tolerance above the link's speed, because an agent does not read its counters and its clock at the same instant. */
const SLACK = 1.1
/**
 * Agents update their counters up to this many seconds apart, so a reading may hold that much traffic of the time before
 * it, though not more than twice its own.
 */
const STALE_S = 30
/** A link of unknown speed is taken to be as fast as the device's fastest, and at least this, bit/s. */
const UNKNOWN_SPEED = 1e10
/** No existing link is faster, bit/s. Anything above is an agent error, even if it matches ifSpeed. */
const MAX_BIT_RATE = 1e12
/** Bits of the smallest packet, an IPv4 header: tunnels have no Ethernet frames. */
const MIN_PACKET_BITS = 160
/** A packet or error counter that went back by less than half its range was reset manually rather than wrapped. */
const MAX_PACKETS_OVER_WRAP = 2 ** 31

const REASONS = ['reboot', 'clock', 'reset', 'wrap', 'width', 'implausible'] as const satisfies readonly Refusal[]
const [REBOOT, CLOCK, RESET, WRAP, WIDTH, IMPLAUSIBLE] = [0, 1, 2, 3, 4, 5] as const

const IS_OCTETS: readonly boolean[] = PORT_COUNTERS.map(({ series }) => series.endsWith('_octets'))
const IN_OCTETS = PORT_COUNTERS.findIndex(({ series }) => series === 'in_octets')
const OUT_OCTETS = PORT_COUNTERS.findIndex(({ series }) => series === 'out_octets')
const OCTETS = (1 << IN_OCTETS) | (1 << OUT_OCTETS)

/**
 * The increase of a device's port counters between two polls. The period comes from the agent's sysUpTime, which is in
 * the same response as the counters. Our own clock distinguishes a restart from the wrap of TimeTicks after 497 days
 * (RFC 2578 §7.1.8), and replaces sysUpTime for agents that lack it.
 *
 * A Counter64 that went back was reset and cannot have wrapped, which takes 4.7 years at 1 Tbit/s. A Counter32 may have
 * wrapped once if the result is within the link's capacity; RFC 2863 §3.1.6 requires 64 bits where it would wrap within
 * an hour.
 *
 * More than the link's speed allows is refused, unless `links` has learned from repeated readings that the speed is
 * wrong.
 */
export function portDeltas(input: DeltaInput): Deltas {
  const { rows, before, now, narrow, ifSpeed, links = NO_EVIDENCE } = input
  const unknownSpeed = fastest(ifSpeed)
  const counters = Math.min(input.counters, PORT_COUNTERS.length)
  const deltas = (input.space ?? new Float64Array(rows * input.counters)).fill(Number.NaN)
  const periodMs = new Int32Array(rows)
  const refused = new Uint32Array(REASONS.length)
  const octetsRefused = new Map<number, Refusal>()
  // Both halves of each counter without BigInts: all platforms supported by Bun are little-endian.
  const old = new Uint32Array(before.counters.buffer, before.counters.byteOffset, before.counters.length * 2)
  const fresh = new Uint32Array(now.counters.buffer, now.counters.byteOffset, now.counters.length * 2)
  for (let r = 0; r < rows; r++) {
    const both = (before.present[r] ?? 0) & (now.present[r] ?? 0)
    if (both === 0) continue
    const period = periodOf(before.ticks[r] ?? 0, now.ticks[r] ?? 0, input.elapsedMs, input.intervalMs)
    if (period <= 0) {
      const reason = period === RESTARTED ? REBOOT : CLOCK
      refused[reason] = (refused[reason] ?? 0) + bitCount(both)
      if ((both & OCTETS) !== 0) octetsRefused.set(r, REASONS[reason])
      continue
    }
    periodMs[r] = period
    const speed = ifSpeed[r] || 0
    const seconds = period / 1000
    const proven = links.proven(r)
    const known = Math.max(speed, proven)
    const linkBits = known * seconds * SLACK
    const maxBits = roomOf(Math.max(speed > 0 ? speed : unknownSpeed, proven), seconds)
    const narrowRow = narrow[r] ?? 0
    // both directions are one piece of evidence
    let above = 0
    let within = false
    for (let c = 0; c < counters; c++) {
      if (((both >>> c) & 1) === 0) continue
      const at = c * rows + r
      const oldLow = old[at * 2] ?? 0
      const oldHigh = old[at * 2 + 1] ?? 0
      const newLow = fresh[at * 2] ?? 0
      const newHigh = fresh[at * 2 + 1] ?? 0
      const unit = IS_OCTETS[c] ? 8 : MIN_PACKET_BITS
      let delta: number
      let reason = -1
      if (((narrowRow >>> c) & 1) === 0) {
        delta = (newHigh - oldHigh) * TWO_32 + (newLow - oldLow)
        if (newHigh < oldHigh || (newHigh === oldHigh && newLow < oldLow)) reason = RESET
      } else {
        delta = newLow - oldLow
        if (oldHigh !== 0) reason = WIDTH
        else if (delta < 0) {
          delta += TWO_32
          if (delta * unit > linkBits || (unit !== 8 && delta > MAX_PACKETS_OVER_WRAP)) reason = WRAP
        }
      }
      if (reason < 0 && delta * unit > maxBits) {
        reason = IMPLAUSIBLE
        if (IS_OCTETS[c] === true) above = Math.max(above, (delta * 8) / seconds)
      }
      if (reason < 0) {
        if (IS_OCTETS[c] === true) within = true
        deltas[at] = delta
        continue
      }
      refused[reason] = (refused[reason] ?? 0) + 1
      const name = REASONS[reason]
      if (IS_OCTETS[c] === true && name !== undefined) octetsRefused.set(r, name)
    }
    if (above > 0 && above <= MAX_BIT_RATE && links.above(r, above)) {
      refused[IMPLAUSIBLE] = (refused[IMPLAUSIBLE] ?? 0) - believe(deltas, rows, r, both, narrowRow, old, fresh)
      if (octetsRefused.get(r) === REASONS[IMPLAUSIBLE]) octetsRefused.delete(r)
    } else if (above === 0 && within) links.within(r)
    if ((both & OCTETS) === OCTETS) refusedTogether(deltas, IN_OCTETS * rows + r, OUT_OCTETS * rows + r)
  }
  return { deltas, periodMs, refused: counted(refused), octetsRefused }
}

/** bit/s of the fastest of these links, and at least UNKNOWN_SPEED. */
function fastest(ifSpeed: Float64Array): number {
  let speed = UNKNOWN_SPEED
  for (const one of ifSpeed) if (one > speed && one <= MAX_BIT_RATE) speed = one
  return speed
}

/** Bits that a link of this speed may have carried between two readings. */
function roomOf(speed: number, seconds: number): number {
  const most = Math.max(speed, 0) * (seconds * SLACK + Math.min(STALE_S, seconds))
  return Math.max(Math.min(most, MAX_BIT_RATE * seconds), speed * seconds * SLACK)
}

/** Fills in the octets of a row whose speed is proven to be higher than known. Returns how many counters. */
function believe(
  deltas: Float64Array,
  rows: number,
  row: number,
  both: number,
  narrow: number,
  old: Uint32Array,
  fresh: Uint32Array,
): number {
  let count = 0
  for (const c of [IN_OCTETS, OUT_OCTETS]) {
    const at = c * rows + row
    if (((both >>> c) & 1) === 0 || !Number.isNaN(deltas[at])) continue
    const low = (fresh[at * 2] ?? 0) - (old[at * 2] ?? 0)
    const high = ((narrow >>> c) & 1) === 0 ? (fresh[at * 2 + 1] ?? 0) - (old[at * 2 + 1] ?? 0) : 0
    const delta = high * TWO_32 + low
    // a counter that went back stays refused
    if (delta < 0 || ((narrow >>> c) & 1 && (old[at * 2 + 1] ?? 0) !== 0)) continue
    deltas[at] = delta
    count++
  }
  return count
}

const RESTARTED = -1
const UNCLEAR = 0

/** Milliseconds between two readings by the agent's clock, or RESTARTED or UNCLEAR. */
function periodOf(before: number, now: number, elapsedMs: number, intervalMs: number): number {
  if (before === 0 && now === 0) return elapsedMs > 0 && elapsedMs <= MAX_PERIOD_MS ? Math.round(elapsedMs) : UNCLEAR
  // A response may be late by a considerable part of the interval, and clocks drift.
  const tolerance = Math.max(5000, intervalMs / 10, elapsedMs / 20)
  let period = (now - before) * TICK_MS
  if (period < 0) {
    period += TICKS_WRAP_MS
    if (Math.abs(period - elapsedMs) > tolerance) return RESTARTED
  } else if (now * TICK_MS < elapsedMs - tolerance) {
    // Its uptime is shorter than the time since the last reading, in which it was already up.
    return RESTARTED
  }
  const plausible = period <= elapsedMs * 2 + 60_000 && period >= elapsedMs / 2 - 60_000
  return period > 0 && period <= MAX_PERIOD_MS && plausible ? period : UNCLEAR
}

/**
 * Of two directions that were read, none is known if one was refused: whatever set one counter back has probably set
 * back the other as well, which may have passed its old value since.
 */
function refusedTogether(deltas: Float64Array, at: number, partner: number): void {
  if (Number.isNaN(deltas[at]) !== Number.isNaN(deltas[partner])) {
    deltas[at] = Number.NaN
    deltas[partner] = Number.NaN
  }
}

function bitCount(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

function counted(refused: Uint32Array): RefusalCounts {
  const counts: Partial<Record<Refusal, number>> = {}
  REASONS.forEach((reason, i) => {
    const count = refused[i] ?? 0
    if (count > 0) counts[reason] = count
  })
  return counts
}
