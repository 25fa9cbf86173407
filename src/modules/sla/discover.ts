import { atMost } from '../at-most.ts'
import { need, phase } from '../module.ts'
import type { SensorRow } from '../observation.ts'
import { isFrom, when } from '../vendor.ts'
import { CISCO_RESULTS, CISCO_TABLES, ciscoSensors } from './cisco.ts'
import { PROBE_TABLES, probeSensors } from './probes.ts'

/** Keys of the follow-ups. */
const OPERATIONS = 'operations'
const RESULTS = 'results'
const PROBES = 'probes'

/** Operations that are read of a device, and tests of probes in each of their tables. */
const MAX_OPERATIONS = 10_000

const NO_CISCO = { operations: need(CISCO_TABLES.operations, []), ...emptied(CISCO_RESULTS) }
const NO_PROBES = emptied(PROBE_TABLES)

/**
 * What routers measure with probes, as sensors: IP SLA of Cisco (CISCO-RTTMON-MIB), RPM of Juniper (JUNIPER-RPM-MIB),
 * and ping tests (DISMAN-PING-MIB). Other vendors' devices are asked nothing.
 */
export const discoverSla = phase({
  *follow({ device, followed }) {
    if (isFrom(device, 'cisco')) {
      yield { key: OPERATIONS, tables: { ...NO_PROBES, ...NO_CISCO, operations: need(CISCO_TABLES.operations) } }
      if ((followed.get(OPERATIONS)?.tables['operations']?.rows.size ?? 0) > 0)
        yield { key: RESULTS, tables: { ...NO_PROBES, ...NO_CISCO, ...CISCO_RESULTS } }
    }
    const juniper = isFrom(device, 'juniper')
    if (juniper || isFrom(device, 'huawei') || isFrom(device, 'h3c'))
      yield {
        key: PROBES,
        tables: {
          ...NO_CISCO,
          pings: PROBE_TABLES.pings,
          losses: when(juniper, PROBE_TABLES.losses),
          times: when(juniper, PROBE_TABLES.times),
        },
      }
  },
  run({ followed, unread }) {
    const operations = followed.get(OPERATIONS)?.tables
    const results = followed.get(RESULTS)?.tables
    const probes = followed.get(PROBES)?.tables
    if (operations === undefined && probes === undefined) return []
    const rows: SensorRow[] = []
    if (operations !== undefined && results !== undefined) {
      const some = atMost(MAX_OPERATIONS, CISCO_TABLES.operations, operations.operations.rows, unread)
      rows.push(...ciscoSensors(some, results))
    }
    if (probes !== undefined) {
      const { pings, losses, times } = PROBE_TABLES
      rows.push(
        ...probeSensors({
          pings: atMost(MAX_OPERATIONS, pings.table, probes.pings.rows, unread),
          losses: atMost(MAX_OPERATIONS, losses.table, probes.losses.rows, unread),
          times: atMost(MAX_OPERATIONS, times.table, probes.times.rows, unread),
        }),
      )
    }
    const read = [operations, results, probes].flatMap((tables) => Object.values(tables ?? {}))
    return [{ kind: 'sensors', complete: read.every(({ complete }) => complete), rows }]
  },
})

/** The same tables without columns, so that nothing is asked. */
function emptied<T extends Readonly<Record<string, { readonly columns: readonly string[] }>>>(tables: T): T {
  return Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [name, { ...table, columns: [] }]),
  ) as unknown as T
}
