import { ETHERLIKE_COUNTERS } from '../../lib/etherlike-counters.ts'
import { perSecond, type SampleKind } from '../kind.ts'

/** Ethernet errors and collisions of a port (EtherLike-MIB::dot3StatsTable, RFC 3635). Null: the agent lacks the counter. */
export const etherlike: SampleKind = {
  name: 'etherlike',
  about: 'Ethernet errors and collisions of a port',
  key: 'port_id',
  chunk: '7 days',
  retention: 'traffic',
  columns: ETHERLIKE_COUNTERS.map(({ series }) => ({ name: series, type: 'bigint', role: 'counter', unit: 'events' })),
  subject: { table: 'ports', id: 'port_id', name: '"ifName"', where: 'etherlike <> 0 and deleted = 0' },
  view: { name: 'port_ethernet_errors', with: ['"ifName"'] },
  lines: ETHERLIKE_COUNTERS.map(({ series }, i) => perSecond(series, i + 1, series, 'events/s')),
  current: null,
  poll: null,
  observed: {
    needs: [['"ifIndex"', 'as it is']],
    keyOf: ({ ifIndex }) => String(ifIndex),
    read: (observations) =>
      new Map(
        observations.flatMap((observation) =>
          observation.kind === 'etherlike_counters'
            ? observation.rows.map(({ ifIndex, counters }) => [String(ifIndex), counters] as const)
            : [],
        ),
      ),
  },
}
