import type { Store } from '../database/client.ts'
import { StoreError } from '../database/errors.ts'

/** The database role that other processes use at the embedded server (src/postgres/cluster.ts allows it). */
export const NODE_ROLE = 'portlight_node'

/**
 * Creates the role with which other processes use the embedded database, or gives it a new password. `verifier`: the
 * password as PostgreSQL stores it. Its sessions act as the owner of the database. Throws StoreError.
 */
export async function writeNodeRole({ sql }: Store, verifier: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('portlight.node'))`
    const [row] = await tx<{ owner: string; verifier: string; there: boolean }[]>`
        select quote_ident(current_user) as owner, quote_literal(${verifier}) as verifier,
          exists (select from pg_roles where rolname = ${NODE_ROLE}) as there`
    if (row === undefined) throw new StoreError('internal', 'no answer', false, null)
    if (!row.there) await tx.unsafe(`create role ${NODE_ROLE} noinherit`)
    await tx.unsafe(`alter role ${NODE_ROLE} login password ${row.verifier}`)
    await tx.unsafe(`grant ${row.owner} to ${NODE_ROLE}`)
    await tx.unsafe(`alter role ${NODE_ROLE} set role = ${row.owner}`)
  })
}
