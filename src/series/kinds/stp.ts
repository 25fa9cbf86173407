import type { SampleKind } from '../kind.ts'

/** Topology changes an hour: a number that people can compare, while that of a second is nearly always near 0. */
const HOUR = '3600000.0::float8'

/** A spanning tree (BRIDGE-MIB::dot1dStpTopChanges, RFC 4188). */
export const stp: SampleKind = {
  name: 'stp',
  about: 'topology changes of a spanning tree',
  key: 'stp_id',
  chunk: '7 days',
  retention: 'health',
  columns: [{ name: 'topology_changes', type: 'bigint', role: 'counter', unit: 'changes' }],
  subject: { table: 'stp', id: 'stp_id', name: 'instance' },
  view: { name: 'spanning_tree_changes', with: ['instance', 'vlan'] },
  lines: [
    {
      name: '',
      unit: 'changes/h',
      sample: `topology_changes * ${HOUR} / period_ms`,
      rolled: `topology_changes * ${HOUR} / nullif(coalesce(known[1], period_ms), 0)`,
      weight: 'coalesce(known[1], period_ms)',
    },
  ],
  graphs: [{ name: 'stp_changes', label: 'Spanning Tree Topology Changes', unit: 'changes/h', axis: 'zero' }],
  current: null,
  poll: null,
  observed: {
    needs: [['instance', 'as it is']],
    keyOf: ({ instance }) => String(instance),
    read: (observations) =>
      new Map(
        observations.flatMap((observation) =>
          observation.kind === 'stp'
            ? observation.rows.map(({ instance, topChanges }) => [instance, [topChanges ?? Number.NaN]] as const)
            : [],
        ),
      ),
  },
}
