import { kindOf } from './kinds.ts'

/**
 * Whether a kind of transport sends what happens at the same time as one message. `usual`: unless it is turned off, as
 * people read it. `asked`: only where it is turned on. `never`: the receiver keeps an incident or a state for each alert,
 * which only the recovery of that alert ends.
 */
export type Grouping = 'usual' | 'asked' | 'never'

/** By name of the kind. Kinds that are not listed never group. */
export const GROUPING: ReadonlyMap<string, Grouping> = new Map([
  ['mail', 'usual'],
  ['slack', 'usual'],
  ['mattermost', 'usual'],
  ['discord', 'usual'],
  ['msteams', 'usual'],
  ['telegram', 'usual'],
  ['matrix', 'usual'],
  ['ntfy', 'usual'],
  ['gotify', 'usual'],
  ['pushover', 'usual'],
  ['googlechat', 'usual'],
  ['webex', 'usual'],
  ['rocketchat', 'usual'],
  ['signal', 'usual'],
  ['twilio', 'usual'],
  ['webpush', 'usual'],
  ['webhook', 'asked'],
  ['script', 'asked'],
  ['syslog', 'never'],
  ['snmptrap', 'never'],
  ['pagerduty', 'never'],
  ['opsgenie', 'never'],
  ['alertmanager', 'never'],
  ['jsm', 'never'],
  ['glpi', 'never'],
  ['splunkoncall', 'never'],
])

/** Of a stored transport, regardless of case. */
export const groupingOf = (kind: string): Grouping => GROUPING.get(kindOf(kind)?.name ?? '') ?? 'never'
