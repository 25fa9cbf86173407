import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Store } from '../../src/core/database/client.ts'
import { percentile95 } from '../../src/lib/percentile.ts'
import { type Filled, fillAll } from './filled.ts'
import { grafanaServers } from './servers.ts'

setDefaultTimeout(600_000)
const DAY = 86_400
/** End of the samples in seconds: midnight, so that the numbers below do not depend on the time of the test. */
const UPTO = Math.floor(Date.now() / 1000 / DAY) * DAY
const octetsAt = (t: number) => ((t / 300) % 7) + 1
/** Ends of the samples after `from`, up to `to`. */
const ends = (from: number, to: number) => Array.from({ length: (to - from) / 300 }, (_, i) => from + (i + 1) * 300)
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

/** Contents of each view by server; all must be equal. */
const shown = new Map<string, Map<string, string>>()

describe.each(grafanaServers())('functions for Grafana on $name', ({ name, open }) => {
  let store: Store
  let drop: () => Promise<void>
  let filled: Filled
  const rows = (statement: string) => store.sql.unsafe(statement)
  const at = (seconds: number) => `to_timestamp(${seconds})`

  beforeAll(async () => {
    ;({ store, drop } = await open())
    filled = await fillAll(store, 1000, 'filled', UPTO)
  })
  afterAll(() => drop())

  test.each([
    ['samples', UPTO - 4 * 3600, UPTO, ends(UPTO - 4 * 3600, UPTO)],
    ['complete hours', UPTO - 2 * DAY, UPTO - 300, ends(UPTO - 2 * DAY - 300, UPTO - 300)],
    ['complete days', UPTO - 4 * DAY, UPTO - 300, ends(UPTO - 4 * DAY - 300, UPTO - 300)],
  ])('top_ports sums the octets of %s exactly', async (_, from, to, times) => {
    const octets = sum(times.map(octetsAt))
    const rate = (octets * 8) / (times.length * 300)
    const [top] = await rows(`select * from grafana.top_ports(${at(from)}, ${at(to)}, 5)`)
    expect(top).toMatchObject({ port_id: filled.portId, port: 'Gi0/1', in_octets: octets, out_octets: octets })
    expect(top?.['in_bits_per_s']).toBeCloseTo(rate, 9)
    const [errors] = await rows(`select * from grafana.port_errors(${at(from)}, ${at(to)}, 5)`)
    expect(errors).toMatchObject({ port_id: filled.portId, in_errors: octets, out_errors: octets, in_discards: octets })
    expect(top?.['in_utilisation_percent']).toBeCloseTo((rate / 1e9) * 100, 9)
  })

  test('top_ports is bounded', async () => {
    expect(await rows(`select * from grafana.top_ports(${at(UPTO - DAY)}, ${at(UPTO)}, -1)`)).toBeEmpty()
    expect(await rows(`select * from grafana.top_ports(${at(UPTO)}, ${at(UPTO - DAY)}, 5)`)).toBeEmpty()
  })

  test('p95 is calculated as in bills', async () => {
    const rates = ends(UPTO - 2 * DAY, UPTO).map((t) => (octetsAt(t) * 8) / 300)
    const [row] = await rows(`select * from grafana.p95(${filled.portId}, ${at(UPTO - 2 * DAY)}, ${at(UPTO)})`)
    const p95 = percentile95(rates)
    expect<unknown>(row).toEqual({ in_bits_per_s: p95, out_bits_per_s: p95, values_known: rates.length })
    const [none] = await rows(`select * from grafana.p95(0, ${at(UPTO - 2 * DAY)}, ${at(UPTO)})`)
    expect<unknown>(none).toEqual({ in_bits_per_s: null, out_bits_per_s: null, values_known: 0 })
  })

  test.each([
    [300, 288],
    [3600, 24],
    [86_400, 1],
  ])('port_series returns averages over %d seconds', async (step, points) => {
    const found = await rows(
      `select * from grafana.port_series(array[${filled.portId}], ${at(UPTO - 2 * DAY)}, ${at(UPTO - DAY - 300)}, ${points})`,
    )
    const starts = Array.from({ length: DAY / step }, (_, i) => UPTO - 2 * DAY + i * step)
    expect(found.map((row) => row['time'].getTime() / 1000)).toEqual(starts)
    found.forEach((row, i) => {
      // A sample belongs to the bucket that contains its end.
      const times = ends((starts[i] ?? 0) - 300, (starts[i] ?? 0) + step - 300)
      const rates = times.map((t) => (octetsAt(t) * 8) / 300)
      expect(row['in_bits_per_s']).toBeCloseTo(sum(rates) / rates.length, 9)
      expect(row['out_bits_per_s_max']).toBeCloseTo(Math.max(...rates), 6)
      expect(row['in_errors_per_s']).toBeCloseTo(sum(times.map(octetsAt)) / times.length / 300, 9)
    })
  })

  test('total_traffic adds up to the octets of the range', async () => {
    for (const [from, points] of [
      [UPTO - 3 * 3600, 500],
      [UPTO - 2 * DAY, 500],
      [UPTO - 4 * DAY, 500],
    ] as const) {
      const found = await rows(`select * from grafana.total_traffic(null, ${at(from)}, ${at(UPTO)}, ${points})`)
      const octets = sum(ends(from - 300, UPTO - 300).map(octetsAt))
      expect(sum(found.map((row) => Number(row['in_octets'])))).toBe(octets)
    }
  })

  test('every view returns the same on all servers', async () => {
    const views = await rows(`select distinct table_name as name from information_schema.columns
      where table_schema = 'grafana' and column_name = 'time' and table_name not in ('events', 'alert_log', 'bill_traffic', 'faults') order by 1`)
    expect(views.length).toBeGreaterThan(30)
    const texts = new Map<string, string>()
    for (const { name: view } of views) {
      const [row] = await rows(`select count(*)::int as n, md5(string_agg(v::text, ' ' order by v::text)) as sum
        from grafana.${view} v where "time" < ${at(UPTO)}`)
      expect(row?.['n']).toBeGreaterThan(0)
      texts.set(view, `${row?.['n']} ${row?.['sum']}`)
    }
    shown.set(name, texts)
    for (const other of shown.values()) expect(texts).toEqual(other)
  })
})
