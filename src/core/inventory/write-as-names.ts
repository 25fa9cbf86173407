import type { Store } from '../database/client.ts'

/** AS numbers of BGP sessions whose name was not looked up in the last `days`, at most `limit`. Throws StoreError. */
export async function unnamedAses({ sql }: Store, days: number, limit: number): Promise<number[]> {
  const rows = await sql<{ asn: number }[]>`
      select distinct t."bgpPeerRemoteAs" as asn from "bgpPeers" t
      where t.astext = '' and t."bgpPeerRemoteAs" between 1 and 4294967295 and not exists (
        select 1 from as_names n
        where n.asn = t."bgpPeerRemoteAs" and n.updated_at > now() - make_interval(days => ${days}))
      order by 1 limit ${limit}`
  return rows.map(({ asn }) => Number(asn))
}

/** Stores the name of an AS; '': it has none. Throws StoreError. */
export async function writeAsName({ sql }: Store, asn: number, name: string): Promise<void> {
  await sql`
      insert into as_names (asn, name) values (${asn}, ${name})
      on conflict (asn) do update set name = excluded.name, updated_at = now()`
}
