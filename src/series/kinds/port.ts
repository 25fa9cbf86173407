import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import type { SampleKind } from '../kind.ts'

/**
 * Counters of a port: deltas over `period_ms` of the agent's clock. They are the bulk of all samples, so they travel as
 * columns of their own (`PortSamples`), and their views convert them to rates.
 */
export const port: SampleKind = {
  name: 'port',
  about: 'counters of a port: what was counted over `period_ms` of the agent’s clock',
  key: 'port_id',
  chunk: '1 day',
  retention: 'traffic',
  columns: PORT_COUNTERS.map(({ series }) => ({
    name: series,
    type: 'bigint',
    role: 'counter',
    unit: series.endsWith('octets') ? 'octets' : 'packets',
  })),
  subject: { table: 'ports', id: 'port_id', name: '"ifName"' },
  view: null,
  ownView: 'port_rates',
  lines: [],
  current: null,
  poll: null,
}
