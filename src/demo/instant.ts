import type { Windows } from './curve.ts'
import { hash01 } from './hash.ts'

/** Monday 2024-01-01T00:00:00Z in milliseconds, the epoch of the fleet's curves. */
export const FLEET_EPOCH_MS = Date.UTC(2024, 0, 1)

/** The time at which an agent answers a request, the same for every value in the response. */
export interface Instant {
  /** Seconds since the fleet's epoch, rounded to hundredths counted from `bootS`. */
  readonly s: number
  /** Boot time in seconds since the fleet's epoch. */
  readonly bootS: number
  /** sysUpTime (RFC 3418): hundredths of a second since `bootS`. */
  readonly ticks: number
  /** snmpEngineBoots (RFC 3411): number of boots. */
  readonly boots: number
  /** False while the device does not answer: it has no power, or what it is behind has none. */
  readonly powered: boolean
}

/** How long a device runs, and how long it is without power before it boots again. */
export interface Life {
  /** Seconds between boots; below 497 days, where sysUpTime wraps. */
  readonly cycleS: number
  /** Seconds without power at the end of a cycle. */
  readonly darkS: number
}

const HOUR_S = 3600

/** Runs for months, then reboots within minutes, as for a software upgrade. */
export function steadyLife(seed: number): Life {
  return { cycleS: Math.round((60 + 300 * hash01(seed, 0)) * 24 * HOUR_S), darkS: 150 }
}

/** The device's clock, a pure function of `nowMs` (Unix time), the seed and the life. */
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

/** When a device has power, as windows: off while it is without. */
export function powerOf(seed: number, { cycleS, darkS }: Life): Windows {
  const phaseS = hash01(seed, 1) * cycleS
  const cycleOf = (s: number) => Math.floor((s - phaseS) / cycleS)
  const darkFrom = (s: number) => phaseS + (cycleOf(s) + 1) * cycleS - darkS
  return {
    onSeconds: (s) => s - cycleOf(s) * darkS - Math.max(0, s - darkFrom(s)),
    isOn: (s) => s < darkFrom(s),
    changedAt: (s) => (s < darkFrom(s) ? phaseS + cycleOf(s) * cycleS : darkFrom(s)),
  }
}
