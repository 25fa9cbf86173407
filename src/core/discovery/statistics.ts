import { text } from './columns.ts'
import type { DiscoveredTable } from './table.ts'

/** Which statistics graphs a device has, and the objects behind them. */
export const statisticsGraphs = {
  table: 'device_graphs',
  id: 'id',
  key: ['graph'],
  columns: { graph: text(255), objects: text(4000) },
  first: {},
  defaults: { objects: '' },
  flag: null,
  event: 'graph',
  label: (row) => `Statistics ${row['graph']}`,
} as const satisfies DiscoveredTable
