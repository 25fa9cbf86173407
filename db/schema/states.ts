import { index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { sensors } from './inventory.ts'

/** State indexes (enumerations) of state sensors, by name. */
export const stateIndexes = pgTable(
  'state_indexes',
  {
    state_index_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    state_name: text().notNull(),
  },
  (t) => [unique('state_indexes_name').on(t.state_name)],
)

/** Meaning of each value of a state index; `state_generic_value` is 0 ok, 1 warning, 2 critical, 3 unknown. */
export const stateTranslations = pgTable(
  'state_translations',
  {
    state_translation_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    state_index_id: integer()
      .notNull()
      .references(() => stateIndexes.state_index_id, { onDelete: 'cascade' }),
    state_descr: text().notNull(),
    state_draw_graph: smallint().notNull().default(0),
    state_value: integer().notNull(),
    state_generic_value: smallint().notNull(),
    state_lastupdated: instant().notNull().defaultNow(),
  },
  (t) => [unique('state_translations_index_value').on(t.state_index_id, t.state_value)],
)

/** State index of each state sensor. */
export const sensorsToStateIndexes = pgTable(
  'sensors_to_state_indexes',
  {
    sensors_to_state_translations_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    sensor_id: integer()
      .notNull()
      .references(() => sensors.sensor_id, { onDelete: 'cascade' }),
    state_index_id: integer()
      .notNull()
      .references(() => stateIndexes.state_index_id, { onDelete: 'cascade' }),
  },
  (t) => [
    unique('sensors_to_state_indexes_sensor').on(t.sensor_id),
    index('sensors_to_state_indexes_index').on(t.state_index_id),
  ],
)
