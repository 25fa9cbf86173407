import { float8, int4, text } from './columns.ts'
import type { DiscoveredTable } from './table.ts'

/** Supplies of printers. */
export const printerSupplies = {
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
} as const satisfies DiscoveredTable
