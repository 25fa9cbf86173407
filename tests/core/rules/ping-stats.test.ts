import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { compile } from '../../../src/core/rules/compile.ts'
import { ruleFaults } from '../../../src/core/rules/read-matches.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database.store
  // device 1 answers and then loses packets; 2 was pinged two hours ago; 3 never
  await sql`insert into devices (device_id, hostname) values (1, 'a'), (2, 'b'), (3, 'c')`
  await sql`select ts.ensure_partitions(rel, now()), ts.ensure_partitions(rel, now() - interval '2 hours') from ts.series
    where level = 'samples'`
  await sql`insert into ts.icmp_samples ("time", device_id, rtt_avg, rtt_min, rtt_max, sent, received)
    values (now() - interval '3 minutes', 1, 10, 9, 11, 3, 3), (now() - interval '2 minutes', 1, 20, 19, 21, 3, 3),
      (now() - interval '1 minute', 1, 30, 29, 31, 3, 1), (now() - interval '2 hours', 2, 5, 5, 5, 3, 3)`
  await sql`insert into ts.icmp_1h (bucket, device_id, n, rtt_avg, sent, received)
    values (date_trunc('hour', now()) - interval '2 hours', 1, 10, 10, 40, 40),
      (date_trunc('hour', now()) - interval '3 hours', 1, 30, 18, 60, 50)`
})
afterAll(() => database.drop())

// computed by hand: average (10 * 10 + 30 * 18) / 40 = 16 ms; 10 of 100 lost; last 30 ms and 2 of 3 lost, before that
// 20 ms and none
test.each([
  ['device_stats.ping_rtt_last', 'equal', '30', [1]],
  ['device_stats.ping_rtt_prev', 'equal', '20', [1]],
  ['device_stats.ping_rtt_avg', 'between', [15.99, 16.01], [1]],
  ['device_stats.ping_loss_last', 'between', [66.6, 66.7], [1]],
  ['device_stats.ping_loss_prev', 'equal', '0', [1]],
  ['device_stats.ping_loss_avg', 'equal', '10', [1]],
  ['device_stats.ping_rtt_last', 'greater', '`device_stats.ping_rtt_prev`', [1]],
  ['macros.ping_rtt_variance_perc', 'between', [87.4, 87.6], [1]],
  ['macros.ping_loss_variance_perc', 'greater', '500', [1]],
  ['device_stats.ping_rtt_last', 'less', '30', []],
])('%s %s %j', async (field, operator, value, want) => {
  const compiled = compile({ condition: 'AND', rules: [{ field, operator, value }] })
  const found = await ruleFaults(database.store, compiled, null)
  expect(found).toMatchObject({ kind: 'rows', rows: want.map((device_id) => ({ device_id })) })
})
