import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { pingResultsTable } from '../../mibs/disman-ping-mib.ts'
import {
  jnxRpmResultsCalculatedTable,
  jnxRpmResultsSummaryTable,
  RPM_LAST_COMPLETED,
  RPM_MEASURED,
} from '../../mibs/juniper-rpm-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { type Measured, measured } from '../measured-sensor.ts'
import { need } from '../module.ts'
import type { SensorRow } from '../observation.ts'

export const PROBE_TABLES = {
  pings: need(pingResultsTable),
  losses: need(jnxRpmResultsSummaryTable),
  times: need(jnxRpmResultsCalculatedTable),
}

type ProbeRows = { readonly [K in keyof typeof PROBE_TABLES]: Rows<(typeof PROBE_TABLES)[K]['table']> }

const sensor = (one: Omit<Measured, 'type' | 'group'>) => measured({ ...one, type: 'probe', group: 'Probes' })

/** `Probe OWNER TEST`, or one name if both are the same. */
const nameOf = (owner: string, test: string) => `Probe ${[...new Set([owner, test])].filter(Boolean).join(' ')}`

/**
 * Times and losses of the last completed test of each probe. The times of Juniper are in microseconds, those of
 * DISMAN-PING-MIB in milliseconds; a probe that has the former does not get the latter as well.
 */
export function probeSensors({ pings, losses, times }: ProbeRows): readonly SensorRow[] {
  const rows: SensorRow[] = []
  const timed = new Set<string>()
  for (const [index, { jnxRpmResCalcAverage: sent }] of times) {
    const [owner, test, collection, set] = decodeIndex(index, ['text', 'text', 'integer', 'integer']) ?? []
    const what = enumName(RPM_MEASURED, set)
    if (owner === undefined || test === undefined || collection !== RPM_LAST_COMPLETED || what === undefined) continue
    if (set === 1) timed.add(JSON.stringify([owner, test]))
    rows.push(
      ...sensor({
        sensorClass: 'delay',
        index: `rpm.${index}`,
        oid: `${jnxRpmResultsCalculatedTable.entry}.5.${index}`,
        descr: `${nameOf(owner, test)} ${what}`,
        sent,
        divisor: 1_000_000,
      }),
    )
  }
  for (const [index, { jnxRpmResSumPercentLost: sent }] of losses) {
    const [owner, test, collection] = decodeIndex(index, ['text', 'text', 'integer']) ?? []
    if (owner === undefined || test === undefined || collection !== RPM_LAST_COMPLETED) continue
    rows.push(
      ...sensor({
        sensorClass: 'loss',
        index: `rpm.${index}`,
        oid: `${jnxRpmResultsSummaryTable.entry}.4.${index}`,
        descr: `${nameOf(owner, test)} loss`,
        sent,
        divisor: 1_000_000,
      }),
    )
  }
  for (const [index, { pingResultsAverageRtt: sent }] of pings) {
    const [owner, test] = decodeIndex(index, ['text', 'text']) ?? []
    if (owner === undefined || test === undefined || timed.has(JSON.stringify([owner, test]))) continue
    rows.push(
      ...sensor({
        sensorClass: 'delay',
        index: `ping.${index}`,
        oid: `${pingResultsTable.entry}.6.${index}`,
        descr: `${nameOf(owner, test)} round trip`,
        sent,
        divisor: 1000,
      }),
    )
  }
  return rows
}
