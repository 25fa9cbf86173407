import { isoTime, localTime } from '../../lib/record-times.ts'

/** How single records show instants. */
export const TIMES = {
  instant: isoTime,
  'iso time': isoTime,
  'local time': (epochS: number) => localTime(new Date(epochS * 1000)),
} as const
