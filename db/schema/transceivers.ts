import { index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { big, instant } from './columns.ts'
import { deviceId } from './devices.ts'
import { ports } from './ports.ts'

/** Pluggable optics. `port_id` is null if the interface is unknown or has no port; API records show 0. */
export const transceivers = pgTable(
  'transceivers',
  {
    id: big().primaryKey().generatedByDefaultAsIdentity(),
    created_at: instant().notNull().defaultNow(),
    /** When a column last changed; set by the database. */
    updated_at: instant().notNull().defaultNow(),
    device_id: deviceId(),
    port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    index: text().notNull(),
    entity_physical_index: integer(),
    type: text(),
    vendor: text(),
    oui: text(),
    model: text(),
    revision: text(),
    serial: text(),
    date: text(),
    ddm: smallint(),
    encoding: text(),
    cable: text(),
    distance: integer(),
    wavelength: integer(),
    connector: text(),
    channels: smallint().notNull().default(1),
  },
  (t) => [
    unique('transceivers_device_index').on(t.device_id, t.index),
    index('transceivers_device_entity').on(t.device_id, t.entity_physical_index),
    index('transceivers_port').on(t.port_id),
  ],
)
