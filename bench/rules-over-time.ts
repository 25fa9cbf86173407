import { changedFaults } from '../src/core/alerts/write-evaluation.ts'
import type { Store } from '../src/core/database/client.ts'
import { compile } from '../src/core/rules/compile.ts'
import { withDatabase } from './support/database.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * Rules over time on 2,000 devices with 24 ports each (`--devices N`), which have samples of two hours: after the poll of one
 * device, and on all ports.
 */
export async function run(): Promise<BenchResult[]> {
  const devices = option('devices', 2000)
  return await withDatabase(4, async (store) => {
    await fill(store, devices)
    const results: BenchResult[] = []
    for (const [i, [name, more]] of Object.entries(RULES).entries()) {
      const field = { field: 'macros.port_usage_perc', ...more }
      const { params, parts } = compile({ condition: 'AND', rules: [field, PORT] })
      const rule = { id: i + 1, group: '', inverted: false, mapped: false, invertMap: false, params, parts }
      const evaluate = async (ids: readonly number[] | null): Promise<number> => {
        const began = performance.now()
        const found = (await changedFaults(store, [rule], ids, { timeoutMs: 120_000 })).get(rule.id)
        if (found?.kind !== 'changes') throw new Error(`${name}: ${JSON.stringify(found)}`)
        return performance.now() - began
      }
      const ones: number[] = []
      for (let device = 1; device <= 21; device++) ones.push(await evaluate([device]))
      const one = ones.toSorted((a, b) => a - b)[10] ?? Number.NaN
      const all = (await evaluate(null)) / (devices * PORTS)
      results.push(
        within(`${name}: one device with ${PORTS} ports, median`, one, 'ms', 20),
        within(`${name}: all devices, for each port`, all, 'ms', 0.2),
      )
    }
    return results
  })
}

const PORTS = 24
const PORT = { field: 'macros.port', operator: 'equal', value: '1' }
const RULES = {
  'for 10 of 15 minutes': { operator: 'greater', value: '90', data: { over: { kind: 'held', for: '10m', of: '15m' } } },
  'average of an hour': { operator: 'greater', value: '90', data: { over: { kind: 'average', of: '1h' } } },
  'no data': { operator: 'is_null', value: null, data: { over: { kind: 'no_data', of: '30m' } } },
  unusual: { operator: 'greater', value: '4', data: { over: { kind: 'unusual' } } },
} as const

function within(name: string, value: number, unit: string, most: number): BenchResult {
  return result(name, value, unit, null, { text: `at most ${most} ${unit}`, met: value <= most })
}

async function fill({ sql }: Store, devices: number): Promise<void> {
  const ports = devices * PORTS
  await sql`insert into devices (device_id, hostname) select i, 'device-' || i from generate_series(1, ${devices}::int) i`
  await sql`
    insert into ports (port_id, device_id, "ifIndex", "ifName", "ifSpeed")
    select p, (p - 1) / ${PORTS}::int + 1, p, 'port-' || p, 1000000000 from generate_series(1, ${ports}::int) p`
  await sql`
    select ts.ensure_partitions('ts.port_samples', now() - interval '1 day'), ts.ensure_partitions('ts.port_samples', now())`
  await sql`
    insert into ts.port_samples (port_id, "time", period_ms, in_octets, out_octets)
    select p, now() - make_interval(secs => s * 300 + p % 300), 300000, p, p
    from generate_series(1, ${ports}::int) p, generate_series(0, 23) s`
  await sql`
    insert into learned_values (kind, line, subject_id, device_id, usual, spread, usual_at)
    select 'port', 'port_usage_perc', port_id, device_id, array_fill(5::real, array[168]), array_fill(1000000::real, array[168]), now()
    from ports`
  await sql`analyze`
}
