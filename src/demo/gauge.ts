import { hash01, smoothNoise } from './hash.ts'
import { FLEET_EPOCH_MS, type Instant } from './instant.ts'

/** A value as a function of time that varies around a mean: temperatures, loads, fill levels. */
export type Gauge = (t: Instant) => number

/** Variation of a gauge around `mean`. */
export interface Wave {
  readonly mean: number
  /** Amplitude of the daily cycle. */
  readonly day?: number
  /** Hour (UTC) of the daily maximum. */
  readonly peakHour?: number
  /** Amplitude of the noise. */
  readonly noise?: number
  /** Seconds between two noise values; default 300. */
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

/** Number of samples in a damped average, spread over five time constants; older values weigh less than 1 %. */
const DAMPING_STEPS = 100
const DAMPING_REACH = 5

/**
 * The exponentially damped average of a gauge with this time constant in seconds, like the Unix load average. Sampled
 * at fixed times, so that consecutive averages use the same values.
 */
export function damped(gauge: Gauge, constantS: number): Gauge {
  const stepS = (DAMPING_REACH * constantS) / DAMPING_STEPS
  const decay = Math.exp(-stepS / constantS)
  return (t) => {
    const last = Math.floor(t.s / stepS)
    let sum = 0
    let weight = 1
    let weights = 0
    for (let i = 0; i < DAMPING_STEPS; i++) {
      sum += weight * gauge({ ...t, s: (last - i) * stepS })
      weights += weight
      weight *= decay
    }
    return sum / weights
  }
}

/** Grows from `from` to `to` in `periodS` seconds and then falls back, like a log disk that is cleaned up. */
export function sawtooth(seed: number, from: number, to: number, periodS: number): Gauge {
  const phase = hash01(seed, 0)
  return ({ s }) => {
    const x = s / periodS + phase
    return from + (to - from) * (x - Math.floor(x))
  }
}

/** The instant as DateAndTime (RFC 2579) in UTC, 11 octets. */
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
