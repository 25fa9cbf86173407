import type { Settings } from '../../../config/schema.ts'
import { groupingOf } from '../transports/grouping.ts'

/** Limits of a transport as they are stored; null: not set. */
export interface StoredLimits {
  readonly grouping: number | null
  /** Seconds. */
  readonly group_window: number | null
  /** Messages a minute; 0: no limit. */
  readonly rate_per_minute: number | null
}

/** The settings that apply where a transport sets nothing. */
export interface SendingDefaults {
  /** alert.group_window, seconds. */
  readonly windowS: number
  /** alert.rate, messages a minute; 0: no limit. */
  readonly perMinute: number
  /** alert.recovery_window, seconds. */
  readonly recoveryS: number
  /** alert.path_failures; 0: nobody is notified of failing transports. */
  readonly transportFailures: number
}

/** As the settings are now. */
export const sendingDefaults = (settings: Settings): SendingDefaults => ({
  windowS: settings.get('alert.group_window'),
  perMinute: settings.get('alert.rate'),
  recoveryS: settings.get('alert.recovery_window'),
  transportFailures: settings.get('alert.path_failures'),
})

/** As the settings are by default. */
export const USUAL_DEFAULTS: SendingDefaults = { windowS: 0, perMinute: 0, recoveryS: 300, transportFailures: 5 }

/** How a transport sends. */
export interface SendingLimits {
  /** What happens at the same time is one message. */
  readonly grouped: boolean
  /** ms for which the first notification waits for others; 0: only while others keep arriving. */
  readonly windowMs: number
  /** Maximum number of attempts in any minute; 0: no limit. */
  readonly perMinute: number
  /** ms for which the recoveries of a group wait for those that are missing. */
  readonly recoveryMs: number
}

/** Seconds. Shorter than the time after which a waiting notification counts as stuck. */
export const MAX_WINDOW_S = 600
export const MAX_PER_MINUTE = 10_000

/** The limits of a transport of a kind. Stored values beyond the bounds count as the bound. */
export function limitsOf(kind: string, stored: StoredLimits, defaults: SendingDefaults): SendingLimits {
  const grouping = groupingOf(kind)
  const wanted = stored.grouping === null ? grouping === 'usual' : stored.grouping === 1
  return {
    grouped: grouping !== 'never' && wanted,
    windowMs: bounded(stored.group_window ?? defaults.windowS, MAX_WINDOW_S) * 1000,
    perMinute: Math.floor(bounded(stored.rate_per_minute ?? defaults.perMinute, MAX_PER_MINUTE)),
    recoveryMs: bounded(defaults.recoveryS, MAX_WINDOW_S) * 1000,
  }
}

const bounded = (value: number, most: number) => (value > 0 ? Math.min(value, most) : 0)
