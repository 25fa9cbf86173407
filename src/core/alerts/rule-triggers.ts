import { EXTERNAL_TABLES, SAMPLED_TABLES } from '../rules/read-tables.ts'

/**
 * What was written about devices. `polled`: the outcome of a poll or ping. `status`: up or down. `ports`: changes of
 * ports. `observed`: observations of modules in a poll. `discovered`: a discovery. `services`: service checks.
 * `syslog`, `eventlog`: messages and traps. Others are kinds of samples (`sensor`).
 */
export type Written = 'polled' | 'status' | 'ports' | 'observed' | 'discovered' | 'services' | (string & {})

/** The occasions on which a rule has to be evaluated. */
export interface RuleTriggers {
  /** After any of these was written, for the devices concerned. */
  readonly written: ReadonlySet<Written>
  /** By timer, because it compares times or reads data that does not come from polls. */
  readonly timed: boolean
  /** It reads data of polls, which goes stale while a device is not read. */
  readonly polled: boolean
}

/** Columns of `devices` that every poll or ping writes. */
const POLLED: ReadonlySet<string> = new Set([
  'last_polled',
  'last_poll_attempted',
  'last_polled_timetaken',
  'uptime',
  'last_ping',
  'last_ping_timetaken',
])
const STATUS: ReadonlySet<string> = new Set(['status', 'status_reason'])

/** Derives from the columns that a rule reads (`CompiledRule.reads`) when it has to be evaluated. */
export function wakersOf(reads: Iterable<string>): RuleTriggers {
  const written = new Set<Written>(['discovered'])
  let timed = false
  let polled = false
  for (const read of reads) {
    const [table = '', column = ''] = read.split('.')
    if (read === 'time') timed = true
    else if (table === 'devices') {
      if (POLLED.has(column)) written.add('polled')
      if (STATUS.has(column)) written.add('status')
    } else if (EXTERNAL_TABLES.has(table)) {
      timed = true
      if (table === 'services') written.add('services')
      // the listeners announce what they have stored
      if (table === 'syslog' || table === 'eventlog') written.add(table)
    } else {
      polled = true
      const kind = SAMPLED_TABLES.get(table)
      if (kind !== undefined) written.add(kind)
      written.add(table === 'ports' ? 'ports' : 'observed')
    }
  }
  return { written, timed, polled }
}
