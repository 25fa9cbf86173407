import type { Store } from '../src/core/database/client.ts'
import { provisioningFiles } from '../src/grafana/provisioning.ts'
import { PORT_COUNTERS } from '../src/lib/port-counters.ts'
import { expand } from '../tests/grafana/expand.ts'
import { withDatabase } from './support/database.ts'
import { cpuSecondsOf } from './support/processes.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * All panels that read samples of all ports, and those of one port, over 30 days: 10,000 ports with a month of daily
 * roll-ups, ten days of hourly ones and the samples of the last hour, with all twelve counters. Figures are medians of
 * five runs with the privileges of Grafana's role.
 */
const DEVICES = 200
const PORTS = 10_000
const DAYS = 30
const HOURLY_DAYS = 10
const GOAL_MS = 300
const RUNS = 5
const DASHBOARDS = ['fleet', 'port', 'top-talkers', 'errors']

export async function run(): Promise<BenchResult[]> {
  return await withDatabase(8, measured)
}

async function measured({ sql }: Store): Promise<BenchResult[]> {
  const hour = Math.floor(Date.now() / 3_600_000) * 3600
  const day = Math.floor(hour / 86_400) * 86_400
  const counters = PORT_COUNTERS.map(({ series }) => series)
  const values = counters.map((name) =>
    name.endsWith('octets') ? '(random() * 1e10)::bigint' : '(random() * 1e4)::bigint',
  )
  const rolled = counters.flatMap((name, i) => [
    [name, values[i]],
    [`${name}_min`, '0'],
    [`${name}_max`, '1e6'],
  ])
  await sql`insert into devices (hostname) select 'd' || n from generate_series(1, ${DEVICES}) n`
  await sql`insert into ports (device_id, "ifIndex", "ifName", "ifSpeed")
    select device_id, n, 'Gi0/' || n, 1e10 from devices, generate_series(1, ${PORTS / DEVICES}::int) n`
  const fill = async (level: '1h' | '1d', from: number, to: number, width: number) => {
    for (let start = from; start < to; start += 86_400) {
      await sql`select ts.ensure_partitions(${`ts.port_${level}`}::text::regclass, to_timestamp(${start}))`
      await sql.unsafe(`insert into ts.port_${level} (bucket, port_id, n, period_ms, ${rolled.map(([name]) => name).join(', ')})
        select to_timestamp(t), port_id, ${width / 300}, ${width * 1000}, ${rolled.map(([, value]) => value).join(', ')}
        from generate_series(${start}::bigint, ${Math.min(start + 86_400, to) - width}, ${width}) t, ports`)
    }
  }
  await fill('1d', day - DAYS * 86_400, day, 86_400)
  await fill('1h', day - HOURLY_DAYS * 86_400, hour, 3600)
  await sql`select ts.ensure_partitions('ts.port_samples', to_timestamp(${hour}))`
  await sql.unsafe(`insert into ts.port_samples ("time", port_id, period_ms, ${counters.join(', ')})
    select t, port_id, 300000, ${values.join(', ')} from generate_series(to_timestamp(${hour}), now(), '300 s') t, ports`)
  await sql`update ts.rollup set watermark = to_timestamp(${hour}) where dst = 'ts.port_1h'::regclass`
  await sql`update ts.rollup set watermark = to_timestamp(${day}) where dst = 'ts.port_1d'::regclass`
  await sql.unsafe('vacuum analyze ts.port_1d')
  await sql.unsafe('vacuum analyze ts.port_1h')
  await sql.unsafe('vacuum analyze ts.port_samples')
  await sql.unsafe('analyze')
  const now = Math.floor(Date.now() / 1000)
  const choice = {
    from: now - DAYS * 86_400,
    to: now,
    intervalMs: 3_600_000,
    values: { group: null, device: ['d1'], port: ['1'], bill: ['1'], portlight: [''] },
  }
  const results: BenchResult[] = []
  for (const name of DASHBOARDS) {
    const json = JSON.parse(provisioningFiles('').get(`dashboards/portlight/${name}.json`) ?? '') as {
      panels: { title: string; targets: { rawSql: string }[] }[]
    }
    for (const { title, targets } of json.panels) {
      const statement = expand(targets[0]?.rawSql ?? '', choice, { group: "'*'" })
      const times: number[] = []
      let usedMs = 0
      for (let i = 0; i < RUNS; i++) {
        await sql.begin('read only', async (tx) => {
          await tx`set local role portlight_reader`
          const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
          const [start, before] = [performance.now(), cpuSecondsOf(pid)]
          await tx.unsafe(statement)
          times.push(performance.now() - start)
          usedMs += (cpuSecondsOf(pid) - before) * 1000
        })
      }
      const ms = times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0
      results.push(result(`${name}: ${title}`, ms, 'ms', null, { text: `at most ${GOAL_MS} ms`, met: ms <= GOAL_MS }))
      if (ms > 50) results.push(result(`${name}: ${title}, CPU of the database`, usedMs / RUNS, 'ms'))
    }
  }
  return results
}
