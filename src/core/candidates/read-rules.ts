import type { Sql } from '../database/client.ts'
import type { Tx } from '../discovery/write-rows.ts'
import type { CandidateRule } from './candidate.ts'

interface Row {
  readonly id: number
  readonly position: number
  readonly action: CandidateRule['action']
  readonly network: string | null
  readonly os: string | null
  readonly sys_name: string | null
  readonly platform: string | null
  readonly protocol: string | null
}

/** The rules in the order in which they are tried. */
export async function listRules({ sql }: { readonly sql: Sql | Tx }): Promise<CandidateRule[]> {
  const rows = await sql<Row[]>`
      select id, position, action, network::text, os, sys_name, platform, protocol from candidate_rules order by position, id`
  return rows.map(({ sys_name, network, os, platform, protocol, ...rest }) => ({
    ...rest,
    ...(network !== null && { network }),
    ...(os !== null && { os }),
    ...(sys_name !== null && { sysName: sys_name }),
    ...(platform !== null && { platform }),
    ...(protocol !== null && { protocol }),
  }))
}
