import { portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'

/** A port as a form offers it. */
export interface PickedPort {
  readonly port_id: number
  readonly device_id: number
  readonly device: string
  readonly ifName: string | null
  readonly ifAlias: string | null
}

const MAX_WORDS = 8

/** Ports in scope by id, or whose device, name and alias together contain every word, by device and index. */
export async function pickPorts(
  { sql }: Store,
  scope: Scope,
  of: { readonly ids: readonly number[] } | { readonly words: readonly string[]; readonly limit: number },
): Promise<PickedPort[]> {
  const name = sql`coalesce(nullif(d.display, ''), d.hostname)`
  const chosen =
    'ids' in of
      ? sql`p.port_id = any(${[...of.ids]}::int[])`
      : of.words
          .slice(0, MAX_WORDS)
          .map((word) => containing(word))
          .reduce(
            (all, like) => sql`${all} and concat_ws(' ', ${name}, d.hostname, p."ifName", p."ifAlias") ilike ${like}`,
            sql`p.deleted = 0`,
          )
  return await sql<PickedPort[]>`
      select p.port_id, p.device_id, ${name} as device, p."ifName", p."ifAlias"
      from ports p join devices d on d.device_id = p.device_id
      where ${chosen} and ${portInScope(sql, scope)}
      order by natural_key(${name}), natural_key(p."ifName"), p.port_id limit ${'limit' in of ? of.limit : 1000}`
}
