import { float8, int4, text } from './columns.ts'
import type { ComponentTable } from './components.ts'

/** Graphs of a device's statistics, and what printers use up, by kind of observation. */
export const STATISTICS = {
  device_graphs: {
    table: 'device_graphs',
    id: 'id',
    key: ['graph'],
    columns: { graph: text(255), objects: text(4000) },
    first: {},
    defaults: { objects: '' },
    flag: null,
    event: 'graph',
    label: (row) => `Statistics ${row['graph']}`,
  },
  printer_supplies: {
    table: 'printer_supplies',
    id: 'supply_id',
    key: ['supply_type', 'supply_index'],
    columns: {
      supply_type: text(64),
      supply_index: text(64),
      supply_descr: text(255),
      supply_oid: text(255),
      supply_capacity_oid: text(255),
      supply_capacity: int4,
    },
    first: { supply_current: float8 },
    defaults: {},
    flag: null,
    event: 'printer_supply',
    label: (row) => `Supply ${row['supply_descr']}`,
  },
} as const satisfies Record<string, ComponentTable>
