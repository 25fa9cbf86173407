import type { Sql, Store } from '../../../src/core/database/client.ts'

/** Kinds with rows of every shape: counters, gauges, many columns. */
export const KINDS = ['port', 'sensor', 'icmp', 'stats', 'service']
/** Ports for chunks of samples that are halfway, sensors for late rows, pings for few columns. */
export const FEW_KINDS = ['port', 'sensor', 'icmp']
const LEVELS = ['samples', '1h', '1d']

/** Tables of these kinds, hours and days after samples. */
const RELS = KINDS.flatMap((kind) => LEVELS.map((level) => `ts.${kind}_${level}`))

/** How far back rows of a level are made, and their distance. */
const REACH = {
  samples: ['12 days', '2 hours'],
  '1h': ['75 days', '11 hours'],
  '1d': ['800 days', '4 days'],
} as const

/**
 * Makes rows of three subjects in every table of these kinds, up to now, with odd times and unknown values. Fewer kinds
 * are enough, and quicker, where the shape of rows does not matter.
 */
export async function fillSeries(sql: Sql, kinds: readonly string[] = KINDS): Promise<void> {
  await sql`select setseed(0.4)`
  for (const rel of RELS.filter((name) => kinds.some((kind) => name.startsWith(`ts.${kind}_`)))) {
    const level = rel.slice(rel.lastIndexOf('_') + 1) as keyof typeof REACH
    const [age, step] = REACH[level]
    await sql`
      select ts.ensure_partitions(${rel}::text::regclass, m)
      from ts.series s, generate_series(now() - ${age}::interval - s.chunk, now(), s.chunk) m where s.rel = ${rel}::text::regclass`
    const columns = await sql<{ name: string; type: string }[]>`
      select name, type from ts.value_columns(${rel}::text::regclass)`
    const values = columns.map(({ name, type }, i) => {
      if (name === 'period_ms' || name === 'n') return '300'
      if (type === '_int8') return `case when random() < 0.1 then array[1, null, ${i}]::bigint[] end`
      const value = type.startsWith('int')
        ? `(random() * 10 ^ ${(i % 9) + 1})::${type}`
        : `(round(random() * 5000) / 10)::${type}`
      return `case when random() < 0.9 then ${value} end`
    })
    const [series] = await sql<{ key: string; time: string }[]>`
      select quote_ident(key_col) as key, quote_ident(time_col) as time from ts.series where rel = ${rel}::text::regclass`
    const names = columns.map(({ name }) => `"${name}"`).join()
    await sql.unsafe(`
      insert into ${rel} (${series?.time}, ${series?.key}, ${names})
      select m + k * interval '1 second'${level === 'samples' ? " + random() * interval '1 minute'" : ''}, k, ${values.join()}
      from generate_series(date_bin('1 hour', now() - interval '${age}', '2000-01-03Z'), now() - interval '1 hour', interval '${step}') m,
        generate_series(1, 3) k`)
  }
}

/** Packs every closed chunk of these tables. Returns the number of packed subjects, and adds late rows. */
export async function packAll(sql: Sql, rels: readonly string[] = RELS): Promise<number> {
  let packed = 0
  for (const rel of rels) {
    for (;;) {
      const [row] = await sql<{ subjects: number }[]>`select subjects from ts.pack_step(${rel}::text::regclass, 100)`
      if (row === undefined) break
      packed += row.subjects
    }
    for (let late = 1; late > 0; packed += late) {
      const [row] = await sql<{ late: number }[]>`select ts.pack_late(${rel}::text::regclass) as late`
      late = row?.late ?? 0
    }
  }
  return packed
}

/**
 * A database in the midst of its work: chunks of every kind are packed, one of ports is being packed, and a late sample
 * of a sensor lies beside its packed chunk, so that its hour is to be rolled up again.
 */
export async function fillPacked({ sql }: Store, kinds: readonly string[] = KINDS): Promise<void> {
  await fillSeries(sql, kinds)
  await packAll(
    sql,
    RELS.filter((rel) => rel !== 'ts.port_samples'),
  )
  for (;;) {
    const [left] = await sql<{ n: number }[]>`
      select count(*)::int as n from ts.chunks_of('ts.port_samples') c
      where c.upto <= now() - interval '1 day' and exists (select from ts.port_samples p where p."time" >= c.since and p."time" < c.upto)`
    await sql`select ts.pack_step('ts.port_samples', ${(left?.n ?? 0) > 1 ? 100 : 2})`
    if ((left?.n ?? 0) <= 1) break
  }
  await sql`select ts.ensure_partitions('ts.sensor_samples', now() - interval '9 days')`
  await sql`insert into ts.sensor_samples ("time", sensor_id, value) values (now() - interval '9 days', 2, 4711)`
  await sql`select ts.late('sensor', array[now() - interval '9 days'])`
}

/** Number and checksum of what readers see of each series, whatever form it has. */
export async function storedSums(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  await sql`set timezone = 'UTC'`
  for (const rel of RELS) {
    const [row] = await sql<{ columns: string }[]>`
      select string_agg(quote_ident(attname), ', ' order by attname) as columns from pg_attribute
      where attrelid = ${rel}::text::regclass and attnum > 0 and not attisdropped`
    const [sum] = await sql.unsafe<{ text: string }[]>(`
      select count(*) || ' rows, ' || coalesce(sum(hashtextextended(row(${row?.columns})::text, 0)), 0) as text from ${rel}_stored`)
    found[rel] = sum?.text ?? ''
  }
  return found
}

/** How many rows and packed rows the tables have, and how far packing and rolling up are. */
export async function progressOf(sql: Sql) {
  const rows: Record<string, number> = {}
  const packed: Record<string, number> = {}
  for (const rel of RELS) {
    const [made] = await sql<{ packed: boolean }[]>`
      select packed is not null as packed from ts.series where rel = ${rel}::text::regclass`
    const [n] = await sql.unsafe<{ rows: number; packed: number }[]>(`
      select (select count(*)::int from ${rel}) as rows, ${made?.packed === true ? `(select count(*)::int from ${rel}_packed)` : '0'} as packed`)
    rows[rel] = n?.rows ?? 0
    packed[rel] = n?.packed ?? 0
  }
  const packing = await sql<{ rel: string }[]>`select rel::text from ts.packing`
  const rollups = await sql`select dst::text, watermark from ts.rollup order by 1`
  const dirty = await sql`select dst::text, bucket from ts.dirty order by 1, 2`
  return { rows, packed, packing: packing.map(({ rel }) => rel), rollups: [...rollups], dirty: [...dirty] }
}

/** Packs every closed chunk of ports and sensors, as another edition has done before this server got a columnstore. */
export async function packAsBefore(sql: Sql): Promise<void> {
  for (const rel of RELS.filter((name) => /port|sensor/.test(name))) {
    await sql.begin(async (tx) => {
      await tx`select ts.create_packed(${rel}::text::regclass)`
      const chunks = await tx<{ part: string; since: string; upto: string; name: string; pack: string }[]>`
        select c.part::text, c.since::text, c.upto::text, ts.packed_part(s.rel, c.since) as name,
          ts.pack_sql(s.rel, c.part::text, c.since) as pack
        from ts.series s, ts.chunks_of(s.rel) c where s.rel = ${rel}::text::regclass and c.upto <= now() - s.compress_after`
      for (const { part, since, upto, name, pack } of chunks) {
        await tx`select ts.attach_packed(${rel}::text::regclass, ${since}::text::timestamptz, ${upto}::text::timestamptz)`
        await tx.unsafe(`insert into ${name} ${pack}`)
        await tx`select ts.drop_part(${rel}::text::regclass, ${part}::text::regclass, ${since}::text::timestamptz, ${upto}::text::timestamptz)`
      }
    })
  }
}

/** A backup that was cut off in the middle of its packed rows. */
export function halfOfPacked(backup: Buffer): Buffer {
  const from = backup.indexOf('_packed/00')
  return backup.subarray(0, Math.floor((from + backup.lastIndexOf('_packed/00')) / 2))
}
