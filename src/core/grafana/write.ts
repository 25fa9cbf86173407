import type { Store } from '../database/client.ts'
import { StoreError } from '../database/errors.ts'

/** The role whose members may read what dashboards show (db/series/65-grafana-functions.sql). */
const READERS = 'portlight_reader'

/**
 * Creates the login role `name`, a member of the readers and nothing else, or gives it a new password. `verifier`: the
 * password as PostgreSQL stores it. Its sessions are read-only and their statements limited to a minute. Throws
 * StoreError `conflict` for a role that is not a plain reader, `invalid` if the server does not allow creating roles.
 */
export async function writeReader(store: Store, name: string, verifier: string): Promise<void> {
  try {
    await store.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('portlight.reader'))`
      const [role] = await tx<{ plain: boolean }[]>`
          select not (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)
            and array(select m.roleid::regrole::text from pg_auth_members m where m.member = r.oid) = array[${READERS}]
            and not exists (select from pg_shdepend where refobjid = r.oid and deptype = 'o') as plain
          from pg_roles r where rolname = ${name}`
      if (role?.plain === false) {
        throw new StoreError('conflict', `role ${name} exists and is more than a reader of dashboards`, false, null)
      }
      const [quoted] = await tx<{ role: string; verifier: string; database: string }[]>`
          select quote_ident(${name}) as role, quote_literal(${verifier}) as verifier, quote_ident(current_database()) as database`
      if (quoted === undefined) return
      if (role === undefined) await tx.unsafe(`create role ${quoted.role} in role ${READERS}`)
      await tx.unsafe(`alter role ${quoted.role} login password ${quoted.verifier} connection limit 20`)
      const inDatabase = `alter role ${quoted.role} in database ${quoted.database} set`
      await tx.unsafe(`${inDatabase} search_path = grafana, ts, ts_shim, public`)
      await tx.unsafe(`${inDatabase} default_transaction_read_only = on`)
      await tx.unsafe(`${inDatabase} statement_timeout = '60s'`)
    })
  } catch (error) {
    if (error instanceof StoreError && (error.code === '42501' || error.code === '42704')) {
      const text = `the database does not let this program create roles; run as its administrator: create user ${name} password '...' in role ${READERS}`
      throw new StoreError('invalid', text, false, error.code, { cause: error })
    }
    throw error
  }
}
