import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './access.ts'
import { instant } from './columns.ts'

/**
 * Browsers in which users turned on notifications. `subscription`: the browser's endpoint and keys (RFC 8291), with
 * which anyone could send to it. `endpoint_hash`: SHA-256 of the endpoint in hex. `sent_at`: the last notification that
 * the push service accepted; null: none yet.
 */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    endpoint_hash: text().notNull(),
    subscription: jsonb().notNull(),
    agent: text().notNull().default(''),
    created_at: instant().notNull().defaultNow(),
    sent_at: instant(),
  },
  (t) => [
    uniqueIndex('push_subscriptions_endpoint').on(t.endpoint_hash),
    index('push_subscriptions_user').on(t.user_id),
  ],
)
