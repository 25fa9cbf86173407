import type { BrowsedLog } from '../../../core/logs/service.ts'
import type { Tone } from '../../components/icon.tsx'

type Word = readonly [Tone, string]

/** Severities of events. */
const EVENT: readonly Word[] = [
  ['off', 'Unknown'],
  ['ok', 'OK'],
  ['off', 'Info'],
  ['off', 'Notice'],
  ['warn', 'Warning'],
  ['bad', 'Error'],
]

/** Levels of syslog messages (RFC 5424 6.2.1). */
const SYSLOG: readonly Word[] = [
  ['bad', 'Emergency'],
  ['bad', 'Alert'],
  ['bad', 'Critical'],
  ['bad', 'Error'],
  ['warn', 'Warning'],
  ['off', 'Notice'],
  ['off', 'Info'],
  ['off', 'Debug'],
]

/** States that an alert changed to. */
const ALERT: readonly Word[] = [
  ['ok', 'Cleared'],
  ['bad', 'Raised'],
  ['ack', 'Acknowledged'],
  ['bad', 'Worse'],
  ['warn', 'Better'],
  ['warn', 'Changed'],
]

const WORDS: Readonly<Record<BrowsedLog, readonly Word[]>> = { event: EVENT, syslog: SYSLOG, alert: ALERT }

/** Colour and name of a row's severity. */
export const severityOf = (log: BrowsedLog, severity: number | null): Word =>
  (severity === null ? undefined : WORDS[log][severity]) ?? ['off', 'Unknown']

/** Choices of the severity filter: value and label. */
export function severityChoices(log: BrowsedLog): readonly (readonly [string, string])[] {
  if (log === 'alert') return []
  if (log === 'event') return [1, 2, 3, 4, 5].map((level) => [String(level), orHigher(EVENT, level)])
  return SYSLOG.map(([, word], level) => [String(level), level === 0 ? word : `${word} or more urgent`] as const)
}

const orHigher = (words: readonly Word[], level: number) =>
  level === words.length - 1 ? (words[level]?.[1] ?? '') : `${words[level]?.[1]} or higher`

export const LOG_NAMES: Readonly<Record<BrowsedLog, string>> = { event: 'Events', syslog: 'Syslog', alert: 'Alerts' }
