import { createBackup } from '../../../src/core/backup/create.ts'
import { type RestoreReport, restoreBackup } from '../../../src/core/backup/restore.ts'
import type { Sql, Store } from '../../../src/core/database/client.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { createLog } from '../../../src/observe/log.ts'
import { fillDevice } from '../../support/fill.ts'
import { batch, makeDevice, portSamples, portState } from '../../support/samples.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
export const log = createLog('silent')

/**
 * Number of rows and checksum of every table, computed by the server from its own hash of each row's text,
 * independently of the checksums in backups. Of series, what readers see, whether it is packed or not. Omits tables of
 * the schema itself and the record of the last backup.
 */
export async function serverSums(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const tables = await sql<{ name: string; stored: string; columns: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name,
      format(case when to_regclass(format('%I.%I', n.nspname, c.relname || '_packed')) is null then '%I.%I' else '%I.%I_stored' end,
        n.nspname, c.relname) as stored,
      (select string_agg(quote_ident(a.attname), ', ' order by a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'ts')
      and c.relname not in ('schema_series', 'schema_migrations', 'last_backup') and (n.nspname, c.relname) not in (('ts', 'series'), ('ts', 'packing'))
      and not (n.nspname = 'ts' and c.relname ~ '_packed(_p[0-9]+)?$')
      and not exists (select from pg_depend x where x.classid = 'pg_class'::regclass and x.objid = c.oid and x.deptype = 'e')
    order by 1`
  const found: Record<string, string> = {}
  for (const { name, stored, columns } of tables) {
    const [row] = await sql.unsafe<{ text: string }[]>(`
      select count(*) || ' rows, ' || coalesce(sum(hashtextextended(row(${columns})::text, 0)), 0) as text from ${stored}`)
    found[name] = row?.text ?? ''
  }
  return found
}

/** Values of every sequence, by the column that it numbers. */
export async function sequenceValues(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ text: string }[]>`
    select format('%I.%I %s', schemaname, sequencename, coalesce(last_value::text, 'unused')) as text
    from pg_sequences where schemaname in ('public', 'ts') order by 1`
  return rows.map(({ text }) => text)
}

/** Foreign keys, triggers and indexes, which a restore removes and puts back. */
export async function constraints(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ text: string }[]>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated as text
    from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0
    union all
    select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger t join pg_class c on c.oid = tgrelid
    where not tgisinternal and c.relnamespace = 'public'::regnamespace
    order by 1`
  return rows.map(({ text }) => text)
}

/** A generator of pseudo-random whole numbers. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const ODD = [
  'plain',
  'tab\there',
  'line\nbreak\r\nand \\backslash \\N \\.',
  '',
  'ümläut – 漢字 🛰',
  '"quoted", \'so\'',
  ' '.repeat(50),
]

/**
 * Devices with a row in nearly every table, samples of several days, odd texts and large numbers, all from the seed.
 */
export async function fillDatabase(store: Store, seed: number, ports = 6): Promise<void> {
  const random = randomFrom(seed)
  const { sql } = store
  for (let d = 0; d < 3; d++) await fillDevice(store, 100_000 * (d + 1) + seed, `device${d}-${seed}`)
  // log_tables describes tables of the schema, so a made-up row would be wrong
  await sql`delete from log_tables where log like 'device%'`
  const device = await makeDevice(store, ports)
  const now = Math.floor(Date.now() / HOUR) * HOUR
  const times = Array.from({ length: 60 }, () => now - random(6 * DAY))
  await writeSamples(
    store,
    batch({
      ports: portSamples(
        times.flatMap((time) =>
          device.portIds.map((portId) => ({
            portId,
            time: time + random(1000),
            periodMs: 60_000,
            deltas: random(5) === 0 ? {} : { in_octets: random(2 ** 31) * random(2 ** 20), out_octets: random(9) },
          })),
        ),
      ),
      sensors: times.map((time) => ({ id: device.sensorId, time, value: random(1e6) / 997 - 300 })),
      storage: times.map((time) => ({
        id: device.storageId,
        time,
        used: random(1e9) * 4096,
        free: random(2) === 0 ? null : 7,
        total: 2 ** 50,
        perc: random(100),
      })),
      portState: [
        portState(device.deviceId, now, device.portIds, (port, c) => (BigInt(port) << 40n) * BigInt(c) + 2n ** 63n),
      ],
    }),
  )
  for (const [i, text] of ODD.entries()) {
    await sql`insert into eventlog (device_id, datetime, message, type) values
      (${device.deviceId}, now() - ${i * 9} * interval '1 day', ${text}, ${random(2) === 0 ? null : text})`
    await sql`insert into syslog (device_id, msg, "timestamp") values
      (${device.deviceId}, ${text}, now() - ${random(40)} * interval '1 day')`
    await sql`insert into config (name, value) values (${`test.${seed}.${i}`}, ${sql.json({ text, n: random(1e9) / 3 })})
      on conflict do nothing`
  }
  await sql`insert into syslog (msg, "timestamp") values ('a wrong clock', '1970-01-02'), ('another', '2199-12-31')`
  // only the series that have samples: rolling up hundreds of empty hours of the others takes seconds
  const rolled = await sql<{ dst: string }[]>`
    select dst::text from ts.rollup where base in ('port', 'sensor', 'storage') order by dst::text`
  await sql`update ts.rollup set watermark = watermark - interval '2 days'`
  for (const suffix of ['_1h', '_1d'])
    for (const { dst } of rolled) if (dst.endsWith(suffix)) await sql`select ts.roll(${dst}::regclass, 400)`
}

/** A backup in memory. */
export async function backupOf(url: string, connections = 2): Promise<Buffer> {
  const parts: Uint8Array[] = []
  await createBackup({ url, dataDir: null, connections, program: 'test' }, (octets) => {
    parts.push(octets)
    return Promise.resolve()
  })
  return Buffer.concat(parts)
}

/** Bytes in pieces of random sizes, as a file or pipe gives them. */
export async function* inPieces(octets: Buffer, seed = 1): AsyncGenerator<Uint8Array> {
  const random = randomFrom(seed)
  for (let at = 0; at < octets.length; ) {
    const end = at + 1 + random(200_000)
    yield octets.subarray(at, end)
    at = end
  }
}

/** Restores into a database that must be empty or hold the same unfinished restore. */
export async function restoreTo(
  url: string,
  octets: Buffer,
  connections = 2,
  found: (what: string) => void = () => undefined,
): Promise<RestoreReport> {
  return await restoreBackup(
    { url, dataDir: null, connections, replace: () => Promise.resolve(false), log, found },
    inPieces(octets),
  )
}
