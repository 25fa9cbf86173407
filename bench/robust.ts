import { type Mangler, startMangler } from './support/mangler.ts'
import { textOption } from './support/option.ts'
import { startRecordings } from './support/recordings.ts'
import { type BenchResult, result } from './support/result.ts'
import { type BenchServer, startServer } from './support/server.ts'

/**
 * Discovers and polls recordings of real devices repeatedly over a network that loses, truncates, garbles and
 * duplicates datagrams. The server must not fail, and no inventory row may be lost compared with an earlier discovery
 * over a good network. `--recordings FOLDER`, `--times N` (10).
 */

const BAD = { loss: 0.02, truncate: 0.02, garble: 0.02, duplicate: 0.02 }
const DISCOVERY_S = 60

export async function run(): Promise<BenchResult[]> {
  const folder = textOption('recordings') ?? ''
  const agent = await startRecordings(folder)
  if (agent === null) return []
  const { names } = agent
  const addresses = names.map((_, i) => `127.33.${i >> 8}.${(i & 255) + 1}`)
  const mangler = await startMangler(addresses, { address: agent.address(0), port: agent.port }, agent.port + 1)
  const server = await startServer([
    '--set',
    `poller.interval=${DISCOVERY_S / 2}`,
    '--set',
    `discovery.interval=${DISCOVERY_S}`,
    '--set',
    'icmp_check=false',
    '--set',
    'allow_duplicate_sysName=true',
  ])
  try {
    return await measure(server, mangler, names, addresses)
  } finally {
    await server.stop()
    mangler.close()
    await agent.stop()
  }
}

async function measure(
  server: BenchServer,
  mangler: Mangler,
  names: readonly string[],
  addresses: readonly string[],
): Promise<BenchResult[]> {
  const times = Number(textOption('times') ?? 10)
  for (const [i, hostname] of addresses.entries()) {
    const body = { hostname, port: mangler.port, version: 'v2c', community: names[i], force_add: true }
    const answer = await fetch(`${server.url}/api/v0/devices`, {
      method: 'POST',
      headers: { 'X-Auth-Token': server.token },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${hostname}: ${answer.status}`)
  }
  await until(300, async () => (await lastDiscovered(server)) === names.length)
  const before = await inventory(server)
  mangler.set(BAD)
  const goal = (await metric(server, 'portlight_discoveries_total')) + times * names.length
  const polled = await metric(server, 'portlight_polls_total')
  await until(times * DISCOVERY_S * 2 + 600, async () => (await metric(server, 'portlight_discoveries_total')) >= goal)
  const polls = (await metric(server, 'portlight_polls_total')) - polled
  const after = await inventory(server)
  mangler.set(null)
  const failures = server.log().filter((line) => /"level":(50|60)/.test(line) || line.includes('job failed'))
  for (const line of failures.slice(0, 5)) console.warn(line)
  const lost = [...before].map(([table, ids]) => ({
    table,
    count: [...ids].filter((id) => !after.get(table)?.has(id)).length,
  }))
  for (const { table, count } of lost) if (count > 0) console.warn(`${table}: ${count} rows lost`)
  const lostRows = lost.reduce((sum, { count }) => sum + count, 0)
  return [
    result('devices', names.length, ''),
    result('discoveries over the bad network', times * names.length, ''),
    result('polls over the bad network', polls, ''),
    result('datagrams mangled', mangler.mangled, ''),
    result(
      'datagrams that the engine found malformed or refused',
      (await metric(server, 'portlight_snmp_malformed_total')) +
        (await metric(server, 'portlight_snmp_rejected_total')),
      '',
    ),
    result(
      'rows of the inventory before',
      [...before.values()].reduce((sum, ids) => sum + ids.size, 0),
      'rows',
    ),
    result('rows lost', lostRows, 'rows', null, { text: '0', met: lostRows === 0 }),
    result('errors in the log', failures.length, '', null, { text: '0', met: failures.length === 0 }),
  ]
}

async function lastDiscovered({ store }: BenchServer): Promise<number> {
  const [row] = await store.sql<
    { n: number }[]
  >`select count(*)::int as n from devices where last_discovered is not null`
  return row?.n ?? 0
}

/** Ids of rows by table, without those marked as deleted. */
async function inventory({ store: { sql } }: BenchServer): Promise<Map<string, Set<number>>> {
  const tables = await sql<{ name: string; id: string; marked: string | null }[]>`
    select t.table_name as name, k.column_name as id, (
      select c.column_name from information_schema.columns c where c.table_schema = 'public' and c.table_name = t.table_name
        and c.column_name in ('deleted', 'sensor_deleted', 'mempool_deleted')) as marked
    from information_schema.tables t
    join information_schema.table_constraints p using (table_schema, table_name)
    join information_schema.key_column_usage k using (table_schema, table_name, constraint_name)
    where t.table_schema = 'public' and p.constraint_type = 'PRIMARY KEY' and k.ordinal_position = 1
      and t.table_name not in ('eventlog', 'authlog', 'device_modules', 'device_outages', 'availability', 'pollers',
        'config', 'schema_migrations', 'schema_series', 'ipv4_mac', 'ipv6_nd', 'ports_nac', 'ports_fdb')`
  const found = new Map<string, Set<number>>()
  for (const { name, id, marked } of tables) {
    const rows = await sql<{ id: number }[]>`
      select ${sql(id)} as id from ${sql(name)} ${marked === null ? sql`` : sql`where ${sql(marked)} = 0`}`
    found.set(name, new Set(rows.map((row) => row.id)))
  }
  return found
}

async function metric(server: BenchServer, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0)
}

async function until(seconds: number, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s`)
    await Bun.sleep(1000)
  }
}
