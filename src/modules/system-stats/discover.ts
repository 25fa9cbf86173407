import { type MibScalar, scalar } from '@portlight/snmp/table.ts'
import { STAT_GRAPHS, SYSTEM_STATS, type SystemStat } from '../../lib/system-stats.ts'
import { phase } from '../module.ts'

const ASKED = SYSTEM_STATS.filter((stat) => stat.kind !== 'own')
const BY_GROUP = Map.groupBy(ASKED, (stat) => stat.group)

/** The first object of each group, so that one request shows which groups the agent has. */
const FIRST = scalarsOf([...BY_GROUP.values()].flatMap(([first]) => first ?? []))

/**
 * Statistics of the device as a whole: which groups of UCD-SNMP-MIB, HOST-RESOURCES-MIB, IP-MIB and others the agent
 * has.
 */
export const discoverSystemStats = phase({
  scalars: FIRST,
  follow: ({ scalars }) => {
    const there = [...BY_GROUP.values()].filter(([first]) => scalars[first?.name ?? ''] !== undefined)
    return there.length === 0 ? [] : [{ key: 'objects', scalars: scalarsOf(there.flatMap((stats) => stats.slice(1))) }]
  },
  run({ scalars, scalarsComplete, followed }) {
    const rest = followed.get('objects')
    const has = (name: string): boolean => (scalars[name] ?? rest?.scalars[name]) !== undefined
    const rows = Object.entries(STAT_GRAPHS).flatMap(([graph, objects]) => {
      const known = objects.filter(has)
      return known.length === 0 ? [] : [{ graph, objects: known.join(' ') }]
    })
    return [{ kind: 'device_graphs', complete: scalarsComplete && rest?.scalarsComplete !== false, rows }]
  },
})

function scalarsOf(stats: readonly SystemStat[]): Readonly<Record<string, MibScalar<'Integer'>>> {
  return Object.fromEntries(stats.map(({ name, oid }) => [name, scalar(name, oid, 'Integer')]))
}
