import { index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { target } from './alert-transports.ts'
import { alertOperations } from './alerts.ts'

/**
 * Parts of an operation. Steps count from 1; `escalation_step_to` null: no end. `step_duration_seconds` 0: that of the
 * operation.
 */
export const alertOperationSegments = pgTable(
  'alert_operation_segments',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    alert_operation_id: integer()
      .notNull()
      .references(() => alertOperations.id, { onDelete: 'cascade' }),
    position: smallint().notNull().default(0),
    operation_phase: text({ enum: ['problem', 'recovery', 'update'] })
      .notNull()
      .default('problem'),
    escalation_step_from: integer().notNull().default(1),
    escalation_step_to: integer(),
    start_in_seconds: integer().notNull().default(0),
    step_duration_seconds: integer().notNull().default(0),
  },
  (t) => [index('alert_operation_segments_operation').on(t.alert_operation_id, t.position, t.id)],
)

/** Transports, groups of them, and schedules of people on call that a segment notifies. */
export const alertOperationTransportMap = pgTable(
  'alert_operation_transport_map',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    segment_id: integer()
      .notNull()
      .references(() => alertOperationSegments.id, { onDelete: 'cascade' }),
    ...target(['single', 'group', 'on_call']),
  },
  (t) => [
    unique('alert_operation_transport_map_target').on(t.segment_id, t.target_type, t.transport_or_group_id),
    index('alert_operation_transport_map_transport').on(t.transport_id),
    index('alert_operation_transport_map_group').on(t.transport_group_id),
  ],
)
