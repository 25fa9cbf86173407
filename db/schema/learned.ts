import { doublePrecision, index, integer, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { deviceId } from './devices.ts'

/**
 * What rules know from the past about a value of a thing: `kind` and `line` name the value (src/core/rules/over/measures.ts),
 * `subject_id` the thing. `usual` and `spread` have a value for each hour of the week, Monday from 0:00 in the server's zone,
 * in the unit of the samples; null: unknown. `per_day`: by how much it changes in a day; null: unknown. `at_end`: of a bill,
 * what its period that `ends` then will end with, in the unit of the column of `bills`. `usual_at`, `trend_at`, `end_at`: when
 * that was learned; null: never.
 */
export const learnedValues = pgTable(
  'learned_values',
  {
    kind: text().notNull(),
    line: text().notNull(),
    subject_id: integer().notNull(),
    device_id: deviceId(),
    usual: real().array(),
    spread: real().array(),
    usual_at: instant(),
    per_day: doublePrecision(),
    trend_at: instant(),
    at_end: doublePrecision(),
    ends: instant(),
    end_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.line, t.subject_id] }), index('learned_values_device').on(t.device_id)],
)
