import type { Store } from '../../src/core/database/client.ts'
import { KIND_LIST } from '../../src/series/kinds.ts'
import { fillDevice } from '../support/fill.ts'

/** Days with samples of ports every 5 minutes: what the functions for ports are asked for. */
const PORT_DAYS = 5
/** Days with those of the other kinds: at least one of them is complete. Rolling up an hour of a kind takes milliseconds. */
const DAYS = 2

export interface Filled {
  readonly deviceId: number
  readonly portId: number
}

/**
 * A device with a row in every table, samples of every kind over some days, and their roll-ups. Values are the same on
 * every server: the sample at t seconds has t / 300 modulo 7, plus 1, in each column. The last one is at `upto`, a
 * multiple of 300. Texts begin with `marker`. `most`: days with samples, at most.
 */
export async function fillAll(
  store: Store,
  base: number,
  marker: string,
  upto: number,
  most = PORT_DAYS,
): Promise<Filled> {
  const { ids, failed } = await fillDevice(store, base, marker)
  if (failed.length > 0) throw new Error(failed.join('\n'))
  const { sql } = store
  await sql`update ports set "ifSpeed" = 1000000000, deleted = 0, "ifName" = 'Gi0/1' where port_id = ${ids.get('ports') ?? 0}`
  for (const table of ['sensors', 'wireless_sensors']) await sql`update ${sql(table)} set sensor_deleted = 0`
  await sql`update mempools set mempool_deleted = 0`
  await sql`update devices set disabled = 0, status = 1`
  await sql`update eventlog set datetime = to_timestamp(${upto - 600})`
  await sql`update device_outages set going_down = ${upto - 900}, up_again = ${upto - 600}`
  await sql`update bill_data set "timestamp" = to_timestamp(${upto - 600}), period = 300`
  for (const { name, key, columns, subject } of KIND_LIST) {
    const id = ids.get(subject.table.replaceAll('"', '')) ?? 0
    const samples = `ts.${name}_samples`
    const days = Math.min(most, name === 'port' ? PORT_DAYS : DAYS)
    for (let day = -days; day <= 0; day++) {
      await sql`select ts.ensure_partitions(${samples}::text::regclass, to_timestamp(${upto + day * 86_400}))`
    }
    const counters = columns.some((column) => column.role === 'counter')
    await sql.unsafe(`
      insert into ${samples} ("time", ${key}, ${counters ? 'period_ms, ' : ''}${columns.map((c) => `"${c.name}"`).join(', ')})
      select to_timestamp(t), ${id}, ${counters ? '300000, ' : ''}${columns.map(() => '(t / 300) % 7 + 1').join(', ')}
      from generate_series(${upto - days * 86_400}::bigint, ${upto}, 300) t`)
    await sql`select ts.late(${name}, array(select to_timestamp(t) from generate_series(
      ${upto - days * 86_400}::bigint, ${upto}, 3600) t))`
    for (const level of ['1h', '1d']) {
      for (;;) {
        const [row] = await sql<{ n: number }[]>`select ts.roll(${`ts.${name}_${level}`}::text::regclass, 1000) as n`
        if ((row?.n ?? 0) === 0) break
      }
    }
  }
  return { deviceId: ids.get('devices') ?? 0, portId: ids.get('ports') ?? 0 }
}
