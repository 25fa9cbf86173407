import { hash01, smoothNoise } from './hash.ts'
import { FLEET_EPOCH_MS, type Instant } from './instant.ts'

/** A value that moves and comes back, of the moment: temperatures, loads, fill levels. */
export type Gauge = (t: Instant) => number

/** How a gauge moves around `mean`. */
export interface Wave {
  readonly mean: number
  /** Half of the range of the slow movement through the day. */
  readonly day?: number
  /** Hour (UTC) of the highest value of the slow movement. */
  readonly peakHour?: number
  /** Half of the range of the noise. */
  readonly noise?: number
  /** Seconds in which the noise goes from one value to another; 300 by default. */
  readonly noiseS?: number
  readonly min?: number
  readonly max?: number
}

export function wave(seed: number, { mean, day = 0, peakHour = 14, noise = 0, noiseS = 300, min, max }: Wave): Gauge {
  return ({ s }) => {
    const value =
      mean +
      day * Math.cos((2 * Math.PI * (s - peakHour * 3600)) / 86_400) +
      noise * (0.6 * smoothNoise(seed, s / noiseS) + 0.4 * smoothNoise(seed + 1, s / (noiseS / 5)))
    return Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? Number.NEGATIVE_INFINITY, value))
  }
}

/** Grows from `from` to `to` in `periodS` seconds and falls back, as a log disk that is cleaned does. */
export function sawtooth(seed: number, from: number, to: number, periodS: number): Gauge {
  const phase = hash01(seed, 0)
  return ({ s }) => {
    const x = s / periodS + phase
    return from + (to - from) * (x - Math.floor(x))
  }
}

/** DateAndTime (RFC 2579) of the moment in UTC, 11 octets. */
export function dateAndTime({ s }: Instant): Uint8Array {
  const date = new Date(FLEET_EPOCH_MS + s * 1000)
  const year = date.getUTCFullYear()
  return Uint8Array.of(
    year >> 8,
    year & 0xff,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    Math.floor(date.getUTCMilliseconds() / 100),
    0x2b,
    0,
    0,
  )
}
