import { perSecond, type SampleKind } from '../kind.ts'

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
  lines: [perSecond('topology_changes', 1, '', 'changes/s')],
  graphs: [{ name: 'stp_changes', label: 'Spanning Tree Topology Changes', unit: 'changes/s', axis: 'zero' }],
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
