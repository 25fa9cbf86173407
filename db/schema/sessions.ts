import { bigint, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { users } from './access.ts'
import { instant } from './columns.ts'

/**
 * Sessions of people signed in to the pages. `secret_hash` is the SHA-256 of the cookie's secret in hex. `stage`
 * `factor`: the password was right, the second factor is still to come. `method`: `password`, `proxy` or `oidc`.
 * `id_token`: that of the OpenID Connect provider, for signing out there; null: none.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    secret_hash: text().notNull(),
    stage: text({ enum: ['open', 'factor'] })
      .notNull()
      .default('open'),
    method: text({ enum: ['password', 'proxy', 'oidc'] })
      .notNull()
      .default('password'),
    created_at: instant().notNull().defaultNow(),
    /** Last use, at most a minute old. */
    seen_at: instant().notNull().defaultNow(),
    address: text().notNull().default(''),
    agent: text().notNull().default(''),
    id_token: text(),
  },
  (t) => [
    unique('sessions_secret').on(t.secret_hash),
    index('sessions_user').on(t.user_id),
    index('sessions_seen').on(t.seen_at),
  ],
)

/**
 * Time-based one-time passwords (RFC 6238). `secret` is Base32; it has to be readable to check codes. `confirmed_at`
 * null: not in force yet. `last_step`: the 30 s step of the last accepted code, which is accepted only once. `recovery`:
 * SHA-256 of the unused recovery codes in hex.
 */
export const secondFactors = pgTable('second_factors', {
  user_id: integer()
    .primaryKey()
    .references(() => users.user_id, { onDelete: 'cascade' }),
  secret: text().notNull(),
  confirmed_at: instant(),
  last_step: bigint({ mode: 'number' }).notNull().default(0),
  recovery: text().array().notNull().default([]),
})

/**
 * Accounts at OpenID Connect providers (claims `iss` and `sub`), and the users that they sign in. `seen_at`: the last
 * sign-in; null: none yet.
 */
export const userIdentities = pgTable(
  'user_identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    created_at: instant().notNull().defaultNow(),
    seen_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] }), index('user_identities_user').on(t.user_id)],
)
