import { epochSeconds } from '../src/core/database/instants.ts'
import { fdbChunks } from '../src/core/inventory/read-switching.ts'
import { isoTime } from '../src/lib/record-times.ts'
import { type BenchResult, result } from './result.ts'
import { type BenchServer, startServer } from './server.ts'

/**
 * Records of a long list made by PostgreSQL, compared with rows from the driver that are converted here, for
 * docs/adr/0030-records.md. CPU milliseconds of this process for 10,000 learned addresses, and total milliseconds,
 * which include PostgreSQL. Alternating; figures are medians.
 */

const ROWS = 10_000
const ROUNDS = 15

interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

export async function run(): Promise<BenchResult[]> {
  const server = await startServer([])
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

async function measure({ store }: BenchServer): Promise<BenchResult[]> {
  const { sql } = store
  await sql`insert into devices (hostname, disabled) values ('switch', 1)`
  await sql`
    insert into ports_fdb (device_id, mac_address)
    select d.device_id, lpad(to_hex(n), 12, '0') from devices d, generate_series(1, ${ROWS}) n`
  const bySql = async () => {
    let octets = 0
    for await (const { json } of fdbChunks(store, { kind: 'all' }, {})) octets += json.length
    return octets
  }
  const here = async () => {
    const rows = await sql<FdbRow[]>`
      select ports_fdb_id, port_id, mac_address, vlan_id, device_id, ${sql.unsafe(epochSeconds('created_at'))} as created_at,
        ${sql.unsafe(epochSeconds('updated_at'))} as updated_at
      from ports_fdb f order by ports_fdb_id`
    return JSON.stringify(rows.map(record)).length
  }
  const costs = { bySql: [] as Cost[], here: [] as Cost[] }
  for (let round = 0; round < ROUNDS; round++) {
    costs.bySql.push(await costOf(bySql))
    costs.here.push(await costOf(here))
  }
  return (['cpuMs', 'wallMs'] as const).map((name) =>
    result(
      `${ROWS} records by PostgreSQL, ${name === 'cpuMs' ? 'CPU of this process' : 'in all'}`,
      median(costs.bySql.map((cost) => cost[name])),
      'ms',
      { name: 'converted here', value: median(costs.here.map((cost) => cost[name])) },
    ),
  )
}

interface FdbRow {
  readonly port_id: number | null
  readonly vlan_id: number | null
  readonly created_at: number
  readonly updated_at: number
}

const record = (row: FdbRow) => ({
  ...row,
  port_id: row.port_id ?? 0,
  vlan_id: row.vlan_id ?? 0,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
})

async function costOf(read: () => Promise<number>): Promise<Cost> {
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  await read()
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - start }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
