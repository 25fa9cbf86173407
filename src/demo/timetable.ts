import { type Windows, windows } from './curve.ts'
import { type Life, powerOf } from './instant.ts'
import type { Seeds } from './seeds.ts'

/** Something that begins once in every `everyS` seconds, at a random time, and lasts `lastsS` seconds. */
interface Happening {
  /** The device where it happens; another seed gives other times. */
  readonly device: string
  readonly everyS: number
  readonly lastsS: number
}

/** What happens in the fleet while one looks, and is seen at more than one place. */
export const HAPPENINGS = {
  /** warehouse-1 has no power, and what is behind it cannot be reached. */
  'no power': { device: 'warehouse-1', everyS: 2460, lastsS: 480 },
  /** A copy job fills the line from wan-1 to the carrier. */
  job: { device: 'wan-1', everyS: 1200, lastsS: 480 },
  /** Provider B's BGP session with edge-1 is lost. */
  'no session': { device: 'edge-1', everyS: 600, lastsS: 170 },
} as const satisfies Record<string, Happening>

export type HappeningName = keyof typeof HAPPENINGS

/** The life of warehouse-1. */
export const POWER_CUTS: Life = {
  cycleS: HAPPENINGS['no power'].everyS,
  darkS: HAPPENINGS['no power'].lastsS,
}

/** When it happens, as windows: off while it does. `own` are the seeds of its device. */
export function happening(name: HappeningName, own: Seeds): Windows {
  const { everyS, lastsS } = HAPPENINGS[name]
  return name === 'no power' ? powerOf(own('life'), POWER_CUTS) : windows(own(name), everyS, lastsS)
}
