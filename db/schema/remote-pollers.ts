import { customType, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { big, instant } from './columns.ts'
import { pollerGroups } from './system.ts'

const octets = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/**
 * Pollers at sites that cannot reach the database. `epoch` and `sequence`: start of the poller (epoch ms) and number of its
 * message that was stored last; `stored`: messages stored; `missing`: numbers that never arrived, because the site's
 * stream was full; `measured_at`: when the last stored message was written at the site; `report`: state of poller and
 * stream, as of `reported_at`.
 */
export const remotePollers = pgTable(
  'remote_pollers',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    public_key: text().notNull(),
    poller_group: integer()
      .notNull()
      .references(() => pollerGroups.id),
    domain: text().notNull().default(''),
    added_at: instant().notNull().defaultNow(),
    epoch: big().notNull().default(0),
    sequence: big().notNull().default(0),
    stored: big().notNull().default(0),
    missing: big().notNull().default(0),
    stored_at: instant(),
    measured_at: instant(),
    report: jsonb(),
    reported_at: instant(),
  },
  (t) => [
    unique('remote_pollers_name').on(t.name),
    unique('remote_pollers_key').on(t.public_key),
    unique('remote_pollers_group').on(t.poller_group),
  ],
)

/** Messages of remote pollers that were refused, sealed as received; `message` null: too long to keep. */
export const remotePollerRefusals = pgTable(
  'remote_poller_refusals',
  {
    id: big().primaryKey().generatedByDefaultAsIdentity(),
    poller_id: integer()
      .notNull()
      .references(() => remotePollers.id, { onDelete: 'cascade' }),
    refused_at: instant().notNull().defaultNow(),
    reason: text().notNull(),
    position: text().notNull(),
    octets: integer().notNull(),
    message: octets(),
  },
  (t) => [index('remote_poller_refusals_poller').on(t.poller_id, t.id)],
)

/** Key pairs of this installation; `centre` seals messages to remote pollers. */
export const siteKeys = pgTable('site_keys', {
  name: text().primaryKey(),
  private_key: text().notNull(),
  public_key: text().notNull(),
  made_at: instant().notNull().defaultNow(),
})
