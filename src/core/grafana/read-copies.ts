import { connect } from '../database/client.ts'
import { writeReader } from './write.ts'

/**
 * Copies the logins of dashboards (`portlight grafana`) with their passwords to another server, because roles are not
 * part of a database. Needs administrator rights on both.
 */
export async function copyReaders(from: string, to: string): Promise<void> {
  const source = connect(from, { max: 2 })
  const target = connect(to, { max: 2 })
  try {
    const readers = await source.sql<{ name: string; verifier: string }[]>`
        select r.rolname as name, r.rolpassword as verifier from pg_authid r
        join pg_auth_members m on m.member = r.oid
        where m.roleid = to_regrole('portlight_reader') and r.rolcanlogin and not r.rolsuper and r.rolpassword is not null`
    for (const { name, verifier } of readers) await writeReader(target, name, verifier)
  } finally {
    await Promise.all([source.close(1), target.close(1)])
  }
}
