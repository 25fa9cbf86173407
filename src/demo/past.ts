import { textReading } from '../lib/text-readings.ts'
import type { Instant } from './instant.ts'
import type { MibView } from './view.ts'

/** The OIDs of a poll in dotted decimal, with instance; `''` for none. Plain data. */
export interface PastQuestion {
  readonly counters: readonly string[]
  readonly numbers: readonly string[]
  /** Positions in `numbers` whose values are texts, and how those are read; absent: none. */
  readonly texts?: readonly (readonly [position: number, reading: string])[]
  /** Unix times in milliseconds, ascending. */
  readonly moments: Float64Array
}

/** The answers by moment, in the order of the question. */
export interface PastAnswer {
  /** sysUpTime at each moment in 1/100 s; NaN: the device had no power. */
  readonly ticks: Float64Array
  /** [moment][counter]; 0 if `known` is 0. */
  readonly counters: BigUint64Array
  /** [moment][counter]: 1 if the counter existed. */
  readonly known: Uint8Array
  /** [moment][number]; NaN if it did not exist. */
  readonly numbers: Float64Array
}

/** Reads a device at past times, which works because all values are functions of the clock. */
export function readPast(mib: MibView, instant: (nowMs: number) => Instant, question: PastQuestion): PastAnswer {
  const { moments } = question
  const positions = (oids: readonly string[]): number[] => oids.map((oid) => (oid === '' ? -1 : mib.find(oid)))
  const counterAt = positions(question.counters)
  const numberAt = positions(question.numbers)
  const readings = new Map((question.texts ?? []).map(([position, how]) => [position, textReading(how)]))
  const ticks = new Float64Array(moments.length).fill(Number.NaN)
  const counters = new BigUint64Array(moments.length * counterAt.length)
  const known = new Uint8Array(counters.length)
  const numbers = new Float64Array(moments.length * numberAt.length).fill(Number.NaN)
  for (const [m, ms] of moments.entries()) {
    const t = instant(ms)
    if (!t.powered) continue
    ticks[m] = t.ticks
    for (const [i, position] of counterAt.entries()) {
      const value = position < 0 ? null : mib.counterAt(position, t)
      if (value === null) continue
      counters[m * counterAt.length + i] = value
      known[m * counterAt.length + i] = 1
    }
    for (const [i, position] of numberAt.entries()) {
      if (position < 0) continue
      const reading = readings.get(i) ?? null
      const text = reading === null ? null : mib.textAt(position, t)
      numbers[m * numberAt.length + i] =
        reading === null || text === null ? mib.numberAt(position, t) : reading(text, ms)
    }
  }
  return { ticks, counters, known, numbers }
}
