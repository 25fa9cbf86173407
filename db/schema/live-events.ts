import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { big, instant } from './columns.ts'

/**
 * The latest changes of devices, ports and alerts, for the live events of the API. Written by triggers. `position`: the
 * order in which they are sent; null: not yet given.
 */
export const liveEvents = pgTable(
  'live_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    position: big(),
    kind: text({ enum: ['device', 'port', 'alert', 'fault'] }).notNull(),
    at: instant().notNull().default(sql`clock_timestamp()`),
    data: jsonb().notNull(),
  },
  (t) => [
    uniqueIndex('live_events_position').on(t.position),
    index('live_events_new').on(t.id).where(sql`${t.position} is null`),
  ],
)
