import { doublePrecision, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { big } from './columns.ts'
import { deviceId } from './devices.ts'

/** Statistics graphs of a device (load, IP, TCP, ...), without the prefix `device_`. */
export const deviceGraphs = pgTable(
  'device_graphs',
  {
    id: big().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    graph: text(),
    /** Columns of `ts.stats_samples` that the graph draws and the agent has, separated by spaces. */
    objects: text().notNull().default(''),
  },
  (t) => [unique('device_graphs_device_graph').on(t.device_id, t.graph)],
)

/** Printer supplies: toner, drums, waste boxes, paper. */
export const printerSupplies = pgTable(
  'printer_supplies',
  {
    supply_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    supply_index: text().notNull(),
    supply_type: text().notNull(),
    supply_descr: text().notNull().default(''),
    supply_oid: text().notNull(),
    supply_capacity_oid: text(),
    /** In the supply's own unit. */
    supply_capacity: integer(),
    /** Percent remaining; null: the printer does not know. */
    supply_current: doublePrecision(),
  },
  (t) => [unique('printer_supplies_device_type_index').on(t.device_id, t.supply_type, t.supply_index)],
)
