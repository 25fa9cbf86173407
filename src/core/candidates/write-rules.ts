import type { Store } from '../database/client.ts'
import type { CandidateRule } from './candidate.ts'

/** A rule without its place. */
export type RuleBody = Omit<CandidateRule, 'id' | 'position'>

const columnsOf = ({ action, network, os, sysName, platform, protocol }: RuleBody) => ({
  action,
  network: network ?? null,
  os: os ?? null,
  sys_name: sysName ?? null,
  platform: platform ?? null,
  protocol: protocol ?? null,
})

/** Adds a rule behind the others; returns its id. */
export async function insertRule({ sql }: Store, body: RuleBody): Promise<number> {
  const { action, network, os, sys_name, platform, protocol } = columnsOf(body)
  const [row] = await sql<{ id: number }[]>`
      insert into candidate_rules (position, action, network, os, sys_name, platform, protocol)
      select coalesce(max(position), 0) + 1, ${action}, ${network}::cidr, ${os}, ${sys_name}, ${platform}, ${protocol}
      from candidate_rules returning id`
  return row?.id ?? 0
}

/** Changes a rule; false: there is none. */
export async function updateRule({ sql }: Store, id: number, body: RuleBody): Promise<boolean> {
  const { action, network, os, sys_name, platform, protocol } = columnsOf(body)
  const rows = await sql`
      update candidate_rules set action = ${action}, network = ${network}::cidr, os = ${os}, sys_name = ${sys_name},
        platform = ${platform}, protocol = ${protocol} where id = ${id} returning id`
  return rows.length > 0
}

export async function deleteRule({ sql }: Store, id: number): Promise<boolean> {
  return (await sql`delete from candidate_rules where id = ${id} returning id`).length > 0
}

/** Gives the rules the order of these ids; those not named keep theirs, behind them. */
export async function reorderRules({ sql }: Store, ids: readonly number[]): Promise<void> {
  await sql`
      update candidate_rules r set position = x.position from (
        select id, row_number() over (order by array_position(${[...ids]}::int[], id) nulls last, position, id)::int as position
        from candidate_rules) x
      where x.id = r.id and r.position <> x.position`
}
