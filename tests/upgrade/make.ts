/**
 * Makes the fixture of a release: its schema and a small database that its own code has filled.
 *
 *   git worktree add /tmp/v0.1.0 v0.1.0 && ln -s "$PWD/node_modules" /tmp/v0.1.0/node_modules
 *   bun tests/upgrade/make.ts /tmp/v0.1.0 v0.1.0
 *
 * Needs the plain embedded server. Everything that makes rows is imported from the release; only the catalogue is read
 * with the current code.
 */

import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { listSequences, listTables, tableName } from '../../src/core/backup/read-catalogue.ts'
import { copyOut, open } from '../../src/core/backup/read-snapshot.ts'
import { client } from '../../src/core/database/client.ts'
import type { Fixture } from './fixture.ts'

const [release = '', name = ''] = process.argv.slice(2)
if (!/^v\d+\.\d+\.\d+$/.test(name)) throw new Error('usage: make.ts FOLDER vX.Y.Z')
const of = (path: string): string => join(resolve(release), path)

const { MIGRATIONS } = await import(of('db/migrations.ts'))
const { SERIES_SQL } = await import(of('db/series.ts'))
const { tablesSql, viewsSql } = await import(of('src/series/sql.ts'))
const { grafanaViewsSql } = await import(of('src/series/grafana.ts'))
const { KIND_LIST } = await import(of('src/series/kinds.ts'))
const { startTestServer } = await import(of('tests/e2e/server.ts'))
const { fillDevice } = await import(of('tests/support/fill.ts'))
const { batch, makeDevice, portSamples, portState } = await import(of('tests/support/samples.ts'))
const { writeSamples } = await import(of('src/core/series/write.ts'))

const HOUR = 3_600_000
const series: readonly string[] = [
  SERIES_SQL['10-base.sql'],
  SERIES_SQL['20-rollup.sql'],
  tablesSql(KIND_LIST),
  SERIES_SQL['30-tables.sql'],
  SERIES_SQL['40-maintain.sql'],
  SERIES_SQL['45-status.sql'],
  SERIES_SQL['50-views.sql'],
  viewsSql(KIND_LIST),
  grafanaViewsSql(KIND_LIST),
  SERIES_SQL['60-grafana.sql'],
  SERIES_SQL['65-grafana-functions.sql'],
]

const server = await startTestServer([])
try {
  const store = await server.store()
  const { sql } = store
  for (const [d, marker] of ['edge', 'core'].entries()) await fillDevice(store, 1000 * (d + 1), `${marker}-v0`)
  await sql`delete from log_tables where log like '%-v0%'`
  const device = await makeDevice(store, 4)
  await sql`update devices set hostname = 'router-v0.example.net' where device_id = ${device.deviceId}`
  const until = Math.floor(Date.now() / HOUR) * HOUR
  for (let time = until - 72 * HOUR; time < until; time += HOUR / 4) {
    const at = { time, periodMs: HOUR / 4 }
    await writeSamples(
      store,
      batch({
        ports: portSamples(
          device.portIds.map((portId: number, p: number) => ({
            portId,
            ...at,
            deltas: { in_octets: time % 1_000_003, out_octets: p },
          })),
        ),
        sensors: [{ id: device.sensorId, time, value: (time % 977) / 10 }],
        processors: [{ id: device.processorId, time, value: time % 101 }],
        portState: [portState(device.deviceId, time, device.portIds, (port: number) => BigInt(port) + 2n ** 62n)],
      }),
    )
  }
  const bill = await server.call('POST', '/bills', {
    ports: [device.portIds[0]],
    bill_name: 'transit of v0',
    bill_day: 1,
    bill_type: 'cdr',
    bill_cdr: 100_000_000,
    bill_custid: '',
    bill_ref: '',
    bill_notes: '',
  })
  if (bill.status !== 200) throw new Error(JSON.stringify(bill))
  await sql`update ts.rollup set watermark = watermark - interval '5 days'`
  for (const level of ['1h', '1d'])
    await sql`select ts.roll(r.dst, 400) from ts.rollup r where r.dst::text like ${`%_${level}`}`
  const [stored] = await sql<{ checksum: string }[]>`select checksum from schema_series`
  const { url } = store
  const sums = new Bun.CryptoHasher('sha256').update(`plain\n${series.join('\n')}`).digest('hex')
  if (stored?.checksum !== sums) throw new Error('the release has other series files than this script knows')

  const pool = client(url, 1)
  const session = await open(pool)
  const tables = []
  for (const table of await listTables(session)) {
    const parts: Buffer[] = []
    for await (const text of copyOut(session, { table, from: null, to: null }, 1)) parts.push(text)
    tables.push({ ...table, name: tableName(table), text: Buffer.concat(parts).toString() })
  }
  const migrations = await session<Fixture['migrations'][number][]>`
    select number, name, checksum from schema_migrations order by number`
  const fixture: Fixture = {
    release: name,
    token: server.token,
    migrations: migrations.map((m) => ({
      ...m,
      text: MIGRATIONS.find((own: { number: number }) => own.number === m.number).text,
    })),
    series,
    tables,
    sequences: [...(await listSequences(session))],
  }
  await pool.end({ timeout: 1 })
  const file = join(import.meta.dir, `${name}.json.gz`)
  const packed = gzipSync(JSON.stringify(fixture), { level: 9 })
  writeFileSync(file, packed)
  console.log(`${file}: ${packed.length} bytes, ${tables.filter((t) => t.text !== '').length} tables with rows`)
} finally {
  await server.stop()
}
process.exit(0)
