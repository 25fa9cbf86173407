import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { big, instant } from './columns.ts'

/**
 * Scans for devices. `position`: where it goes on; `pending`: positions before it that are not done; `counts`: what it
 * met, by name; `done_before`: addresses done when it last began to run; `by_command`: a command runs it in its own process; `heard_at`: when its process last
 * stored progress; `runner`: that process, '': none; `large`: networks of any size were asked for.
 */
export const scans = pgTable(
  'scans',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    networks: text().array().notNull(),
    poller_group: integer().notNull().default(0),
    state: text().notNull().default('waiting'),
    rate: integer().notNull(),
    ping: boolean().notNull().default(true),
    snmp: boolean().notNull().default(true),
    large: boolean().notNull().default(false),
    by_command: boolean().notNull().default(false),
    started_by: text().notNull(),
    position: big().notNull().default(0),
    pending: bigint({ mode: 'number' }).array().notNull().default(sql`'{}'`),
    done_before: integer().notNull().default(0),
    counts: jsonb().notNull().default(sql`'{}'`),
    added_at: instant().notNull().defaultNow(),
    started_at: instant(),
    ended_at: instant(),
    heard_at: instant(),
    runner: text().notNull().default(''),
    why: text(),
  },
  (t) => [uniqueIndex('scans_running').on(t.poller_group).where(sql`state = 'running'`)],
)
