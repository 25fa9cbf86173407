import { hash01 } from './hash.ts'

/** Monday 2024-01-01T00:00:00Z in milliseconds: where the fleet's curves begin. */
export const FLEET_EPOCH_MS = Date.UTC(2024, 0, 1)

/** The moment at which an agent answers one request; every value of the answer is of this moment. */
export interface Instant {
  /** Seconds since the fleet's epoch, in whole hundredths counted from `bootS`. */
  readonly s: number
  /** When the device started, seconds since the fleet's epoch. */
  readonly bootS: number
  /** sysUpTime (RFC 3418): hundredths of a second since `bootS`. */
  readonly ticks: number
  /** snmpEngineBoots (RFC 3411): how often the device has started. */
  readonly boots: number
  /** False while the device is without power: it answers nothing. */
  readonly powered: boolean
}

/** How long a device runs, and how long it is dark before it starts again. */
export interface Life {
  /** Seconds from start to start; below 497 days, where sysUpTime wraps. */
  readonly cycleS: number
  /** Seconds without power at the end of a cycle. */
  readonly darkS: number
}

const HOUR_S = 3600

/** Runs for months and is restarted in minutes, as after an upgrade. */
export function steadyLife(seed: number): Life {
  return { cycleS: Math.round((60 + 300 * hash01(seed, 0)) * 24 * HOUR_S), darkS: 150 }
}

/** What the clock says for a device: a function of `nowMs` (Unix time) and the seed alone. */
export function instantAt(nowMs: number, seed: number, life: Life): Instant {
  const nowS = (nowMs - FLEET_EPOCH_MS) / 1000
  const phaseS = hash01(seed, 1) * life.cycleS
  const cycle = Math.floor((nowS - phaseS) / life.cycleS)
  const bootS = Math.round((phaseS + cycle * life.cycleS) * 100) / 100
  const ticks = Math.max(0, Math.floor((nowS - bootS) * 100))
  return {
    s: bootS + ticks / 100,
    bootS,
    ticks: ticks % 2 ** 32,
    boots: Math.max(1, cycle + 2),
    powered: nowS - bootS < life.cycleS - life.darkS,
  }
}
