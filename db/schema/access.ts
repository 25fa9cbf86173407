import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { bills } from './bills.ts'
import { flag, instant } from './columns.ts'
import { deviceId } from './devices.ts'
import { portId } from './ports.ts'

/** Users of the API, people and programs. `password` is an argon2id hash; null: no login by password. */
export const users = pgTable(
  'users',
  {
    user_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    auth_type: text().default('local'),
    auth_id: text(),
    username: text().notNull(),
    password: text(),
    realname: text().notNull().default(''),
    email: text().notNull().default(''),
    descr: text().notNull().default(''),
    can_modify_passwd: flag(1),
    created_at: instant().notNull().defaultNow(),
    updated_at: instant().notNull().defaultNow(),
    remember_token: text(),
    enabled: flag(1),
  },
  (t) => [uniqueIndex('users_auth_username').on(t.auth_type, sql`lower(${t.username})`)],
)

/** `admin`, `global-read`, `user` and custom roles. */
export const roles = pgTable(
  'roles',
  { id: integer().primaryKey().generatedByDefaultAsIdentity(), name: text().notNull() },
  (t) => [unique('roles_name').on(t.name)],
)

/** Roles of users; `model_id` is the user_id. */
export const modelHasRoles = pgTable(
  'model_has_roles',
  {
    role_id: integer()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    model_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.model_id, t.role_id] }), index('model_has_roles_role').on(t.role_id)],
)

/** Named permissions, for example `device.update`. */
export const permissions = pgTable(
  'permissions',
  { id: integer().primaryKey().generatedByDefaultAsIdentity(), name: text().notNull() },
  (t) => [unique('permissions_name').on(t.name)],
)

/** Permissions of roles. */
export const roleHasPermissions = pgTable(
  'role_has_permissions',
  {
    permission_id: integer()
      .notNull()
      .references(() => permissions.id, { onDelete: 'cascade' }),
    role_id: integer()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.role_id, t.permission_id] }),
    index('role_has_permissions_permission').on(t.permission_id),
  ],
)

/** Devices granted to users of role `user`. */
export const devicesPerms = pgTable(
  'devices_perms',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    device_id: deviceId(),
  },
  (t) => [
    unique('devices_perms_user_device').on(t.user_id, t.device_id),
    index('devices_perms_device').on(t.device_id),
  ],
)

/** Single ports granted to users of role `user`. */
export const portsPerms = pgTable(
  'ports_perms',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    port_id: portId(),
  },
  (t) => [unique('ports_perms_user_port').on(t.user_id, t.port_id), index('ports_perms_port').on(t.port_id)],
)

/** Bills granted to users of role `user`. */
export const billPerms = pgTable(
  'bill_perms',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    bill_id: integer()
      .notNull()
      .references(() => bills.bill_id, { onDelete: 'cascade' }),
  },
  (t) => [unique('bill_perms_user_bill').on(t.user_id, t.bill_id), index('bill_perms_bill').on(t.bill_id)],
)

/**
 * API tokens. `token_hash` is the SHA-256 of the token in hex; the token itself is not stored. `dialect` null: as
 * setting api.v0.dialect says. `scope` `read`: only operations that change nothing. `expires_at` null: never.
 */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    token_hash: text().notNull(),
    description: text().notNull().default(''),
    disabled: flag(),
    dialect: text({ enum: ['documented', 'librenms'] }),
    scope: text({ enum: ['read', 'write'] })
      .notNull()
      .default('write'),
    expires_at: instant(),
    created_at: instant().notNull().defaultNow(),
    last_used_at: instant(),
  },
  (t) => [unique('api_tokens_hash').on(t.token_hash), index('api_tokens_user').on(t.user_id)],
)

/**
 * Preferences of users by name. `add_schedule_note_to_device` appends the notes of a maintenance window to the
 * device's.
 */
export const usersPrefs = pgTable(
  'users_prefs',
  {
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    pref: text().notNull(),
    value: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.pref] })],
)
