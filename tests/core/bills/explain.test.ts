import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { billExplanationText } from '../../../src/cli/bill-report.ts'
import { createSettings } from '../../../src/config/settings.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { explainBill } from '../../../src/core/bills/explain.ts'
import { type TestApi, testApi } from '../../support/api.ts'
import { at, bill, makeBill, makePorts, type Sample, store } from './support.ts'

setDefaultTimeout(120_000)
let api: TestApi
beforeAll(async () => {
  api = await testApi({ 'api.v1.enabled': 'true', enable_billing: 'true', 'series.keep_days': '3650' })
})
afterEach(async () => {
  await api.store.sql`delete from bills`
  await api.store.sql`delete from port_refusals`
})
afterAll(() => api.drop())

const NOW = '2026-03-02 12:06'
const START = at('2026-03-01 00:00')
/** The bill is counted up to 2026-03-02 12:00: 432 buckets. */
const BUCKETS = 432
const explain = (id: number) => explainBill({ store: api.store, settings: api.settings }, SYSTEM, id, 0, at(NOW))

/** A sample for each of these buckets: bucket i carries i times 3750 octets in. */
const buckets = (port: number, numbers: readonly number[]): Sample[] =>
  numbers.map((i) => ({ port, endS: START + i * 300, periodS: 300, in: i * 3750, out: 1 }))
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

test('if everything is known, the bounds are equal to the figures', async () => {
  const [port = 0] = await makePorts(api.store, [1e9])
  const id = await makeBill(api.store, [port], { limit: 50_000 })
  await store(api.store, buckets(port, from(1, BUCKETS)))
  await bill(api.store, at(NOW))
  const explained = await explain(id)
  // round(432 * 0.95) - 2 = 408: the 409th from below, 432 - 408 = rank 24
  expect(explained).toMatchObject({
    allowed: 50_000,
    use: { used: 40_900, percent: 81.8 },
    counted_upto: new Date('2026-03-02T12:00:00').toISOString(),
    percentile: { direction: 'in', rate: 40_900, buckets: BUCKETS, rank: 24 },
    unknown: { buckets: 0, not_counted: 0, port_seconds: 0, line_rate_octets: 0, ports: [] },
    refused: { count: 0, pairs: [] },
    bounds: { if_zero: { used: 40_900 }, if_line_rate: { used: 40_900 } },
  })
  expect(explained.percentile.around.map(({ rank, rate }) => [rank, rate])).toEqual(
    from(19, 29).map((rank) => [rank, (BUCKETS + 1 - rank) * 100]),
  )
})

test('unknown time can change the bill between no traffic and line rate; the ports are named', async () => {
  const [good = 0, bad = 0] = await makePorts(api.store, [1e9, 1e6])
  const id = await makeBill(api.store, [good, bad], { limit: 0 })
  // both ports have no samples for 100 buckets, the second port for 100 more
  await store(api.store, [
    ...buckets(good, from(101, BUCKETS)),
    ...buckets(bad, from(201, BUCKETS)).map((s) => ({ ...s, in: 0 })),
  ])
  await bill(api.store, at(NOW))
  const explained = await explain(id)
  // 332 known: round(315.4) - 2 = 313: the 314th, bucket 414
  expect(explained).toMatchObject({
    use: { used: 41_400, percent: null },
    percentile: { buckets: 332, rank: 19 },
    unknown: {
      buckets: 100,
      not_counted: 0,
      port_seconds: 300 * 300,
      line_rate_octets: (100 * 300 * 1e9 + 200 * 300 * 1e6) / 8,
      ports: [
        { port_id: bad, ifName: 'Gi0/2', ifSpeed: 1e6, seconds: 200 * 300 },
        { port_id: good, ifName: 'Gi0/1', ifSpeed: 1e9, seconds: 100 * 300 },
      ],
    },
    // zero: the 409th of 432 buckets; line rate: 100 buckets at 1.001 Gbit/s, so that the 409th is one of them
    bounds: { if_zero: { used: 40_900 }, if_line_rate: { used: 1_001_000_000 } },
  })
})

test('a quota can change by what the ports can carry, which is unknown without a speed', async () => {
  const [port = 0, slow = 0] = await makePorts(api.store, [1e6, null])
  const quota = { type: 'quota', limit: 1e9 } as const
  const [known, unlimited] = [await makeBill(api.store, [port], quota), await makeBill(api.store, [slow], quota)]
  await store(api.store, [...buckets(port, from(2, BUCKETS)), ...buckets(slow, from(2, BUCKETS))])
  await bill(api.store, at(NOW))
  const total = (await explain(known)).use.used
  expect(await explain(known)).toMatchObject({
    unknown: { port_seconds: 300, line_rate_octets: 37_500_000 },
    bounds: { if_zero: { used: total }, if_line_rate: { used: total + 75_000_000 } },
  })
  expect(await explain(unlimited)).toMatchObject({
    unknown: { line_rate_octets: null },
    bounds: { if_line_rate: null },
  })
})

test('refused deltas of this period and this bill are listed with their reason', async () => {
  const [port = 0, other = 0] = await makePorts(api.store, [1e9, 1e9])
  const id = await makeBill(api.store, [port])
  await api.store.sql`insert into port_refusals (port_id, since, "timestamp", reason) values
    (${port}, to_timestamp(${START + 600}), to_timestamp(${START + 900}), 'reset'),
    (${port}, to_timestamp(${START - 600}), to_timestamp(${START - 300}), 'reboot'),
    (${other}, to_timestamp(${START + 600}), to_timestamp(${START + 900}), 'implausible')`
  await bill(api.store, at(NOW))
  expect((await explain(id)).refused).toMatchObject({
    count: 1,
    pairs: [{ port_id: port, reason: 'reset', from: new Date((START + 600) * 1000).toISOString() }],
  })
})

test('ties: buckets with the same rate are ranked by time, which does not change the result', async () => {
  const [port = 0] = await makePorts(api.store, [1e9])
  const id = await makeBill(api.store, [port])
  await store(
    api.store,
    buckets(port, from(1, 20)).map((s) => ({ ...s, in: 3750, out: 3750 })),
  )
  await bill(api.store, at(NOW))
  const { percentile } = await explain(id)
  expect(percentile).toMatchObject({ direction: 'in', rate: 100, buckets: 20, rank: 3 })
  expect(percentile.around.map(({ end }) => end)).toEqual(percentile.around.map(({ end }) => end).toSorted())
})

test('as text', async () => {
  const [good = 0, bad = 0] = await makePorts(api.store, [1e9, null])
  const id = await makeBill(api.store, [good, bad], { limit: 1e6 })
  await store(api.store, buckets(good, from(1, BUCKETS)))
  await api.store.sql`insert into port_refusals (port_id, since, "timestamp", reason)
    values (${bad}, to_timestamp(${START + 600}), to_timestamp(${START + 900}), 'reset')`
  await bill(api.store, at(NOW))
  const text = billExplanationText(await explain(id))
  expect(text).toMatch(/^period +2026-03-01 00:00:00 to 2026-03-31 23:59:59$/m)
  expect(text).toMatch(/^counted +up to 2026-03-02 12:00:00$/m)
  expect(text).toMatch(/^used +40.9 kbps \(4.09 %\) of 1 Mbps$/m)
  expect(text).toMatch(/^95th +40.9 kbps in: rank 24 of 432 known 5-minute intervals$/m)
  expect(text).toMatch(/^ +> +24 +to 2026-03-02 10:05:00 +40.9 kbps/m)
  expect(text).toMatch(/^unknown +1 d 12 h summed over the ports$/m)
  expect(text).toMatch(/^ +b\d+\.example\.net Gi0\/2 \(port \d+\): 1 d 12 h$/m)
  expect(text).toMatch(/^ +b\d+\.example\.net Gi0\/2 \(port \d+\): reset, 2026-03-01 00:10:00 to 2026-03-01 00:15:00$/m)
  expect(text).toMatch(/^if full +unknown, because the speed of a port is unknown$/m)
  expect(
    billExplanationText(
      await explainBill(
        { store: api.store, settings: createSettings({}) },
        SYSTEM,
        await makeBill(api.store, []),
        0,
        at(NOW),
      ),
    ),
  ).toMatch(/^counted +not yet$/m)
})

test('a user sees granted bills only, and names of granted ports only', async () => {
  const [mine = 0, foreign = 0] = await makePorts(api.store, [1e9, 1e9])
  const [granted, other] = [await makeBill(api.store, [mine, foreign]), await makeBill(api.store, [mine])]
  const { token, username } = await api.token(['user'])
  await api.store
    .sql`insert into bill_perms (user_id, bill_id) select user_id, ${granted} from users where username = ${username}`
  await api.store
    .sql`insert into ports_perms (user_id, port_id) select user_id, ${mine} from users where username = ${username}`
  const now = Math.floor(Date.now() / 1000)
  await api.store.sql`insert into port_refusals (port_id, since, "timestamp", reason)
    select id, to_timestamp(${now - 300}), to_timestamp(${now}), 'reset' from unnest(${[mine, foreign]}::int[]) id`
  const ask = (id: number) =>
    api.call('GET', `/api/v1/bills/${id}/explain`, { token: null, headers: { Authorization: `Bearer ${token}` } })
  // today may be the bill day, on which the old period is current
  await api.store.sql`update bills set bill_day = ${new Date((now - 3 * 86_400) * 1000).getDate()}`
  await bill(api.store, now)
  const answer = await ask(granted)
  expect(answer.status).toBe(200)
  const { attributes } = (answer.json as { data: { attributes: Awaited<ReturnType<typeof explain>> } }).data
  const hidden = (port: { port_id: number; hostname: string | null; ifName: string | null }) =>
    [port.port_id, port.hostname === null, port.ifName === null] as const
  expect(attributes.refused.pairs.map(hidden)).toEqual([
    [mine, false, false],
    [foreign, true, true],
  ])
  expect(attributes.unknown.ports.map(hidden)).toEqual([
    [mine, false, false],
    [foreign, true, true],
  ])
  expect((await ask(other)).status).toBe(403)
  expect((await ask(other + 1_000_000)).status).toBe(403)
})
