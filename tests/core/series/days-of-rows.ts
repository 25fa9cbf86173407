import type { Store } from '../../../src/core/database/client.ts'

/** Rows of ports in closed days that housekeeping is to pack, written past the writer because it takes no such old ones. */
export async function writeDays({ sql }: Store, days: number, ports: number): Promise<void> {
  await sql`update ts.rollup set watermark = date_bin('1 day', now(), timestamptz '2000-01-03Z') where base = 'port'`
  for (let day = 2; day < days + 2; day++) {
    await sql
      .unsafe(`
      select ts.ensure_partitions('ts.port_samples', now() - interval '${day} days');
      insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets, in_err)
      select date_bin('1 day', now(), timestamptz '2000-01-03Z') - interval '${day} days' + i * interval '300.01 seconds', p, 300000 + p % 7,
        (p * 1000003::bigint * i) % 40000000000, nullif(i % 90, 0), 0
      from generate_series(1, ${ports}) p, generate_series(1, 287) i`)
      .simple()
  }
}

/** What is stored of ports, in either form: number of samples, of different ones, and a sum over all values. */
export async function fingerprint({ sql }: Store): Promise<unknown> {
  const [row] = await sql`
    select count(*)::int as samples, count(distinct (port_id, "time"))::int as different,
      sum(hashtextextended(row ("time", port_id, period_ms, in_octets, out_octets, in_err, in_mcast)::text, 0))::text as values
    from ts.port_samples_stored`
  return { ...row }
}

/** Rows that are not packed, packed samples, and chunks that are being packed. */
export async function forms({ sql }: Store): Promise<{ rows: number; packed: number; begun: number }> {
  const [{ packed: made } = { packed: false }] = await sql<{ packed: boolean }[]>`
    select packed is not null as packed from ts.series where base = 'port' and level = 'samples'`
  const [row] = await sql.unsafe<{ rows: number; packed: number; begun: number }[]>(`
    select (select count(*)::int from ts.port_samples) as rows, (select count(*)::int from ts.packing) as begun,
      ${made ? '(select coalesce(sum(pack_n), 0)::int from ts.port_samples_packed)' : '0'} as packed`)
  return row ?? { rows: 0, packed: 0, begun: 0 }
}
