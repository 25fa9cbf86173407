import type { TransactionSql } from 'postgres'
import { floats, integers, rounded } from '../pg-array.ts'
import type { SampleBatch } from '../samples.ts'

/**
 * Brings the inventory's current values up to the newest sample of each row: `devices` at every poll, gauges only where
 * the value changed. Rows are taken in order of their key, so that concurrent writers do not wait for each other in a ring.
 */
export async function writeCurrent(tx: TransactionSql, batch: SampleBatch): Promise<void> {
  const devices = newest(batch.devices, (d) => d.deviceId)
  if (devices.length > 0) {
    await tx.unsafe(
      `update devices d set last_poll_attempted = to_timestamp(ms / 1000),
         last_polled = case when answered then to_timestamp(ms / 1000) else d.last_polled end,
         last_polled_timetaken = case when answered then round((took / 1000)::numeric, 3) else d.last_polled_timetaken end,
         uptime = coalesce(up, d.uptime)
       from unnest($1::int[], $2::float8[], $3::bigint[], $4::float8[], $5::bool[]) u(id, ms, up, took, answered) where d.device_id = u.id`,
      [
        integers(devices.map((d) => d.deviceId)),
        integers(devices.map((d) => d.time)),
        rounded(devices.map((d) => d.uptimeS)),
        floats(devices.map((d) => d.tookMs)),
        `{${devices.map((d) => (d.answered ? 't' : 'f')).join()}}`,
      ],
      { prepare: true },
    )
  }
  const answered = newest(
    batch.icmp.filter((i) => i.received > 0),
    (i) => i.deviceId,
  )
  if (answered.length > 0) {
    await tx.unsafe(
      `update devices d set last_ping = to_timestamp(ms / 1000), last_ping_timetaken = rtt
       from unnest($1::int[], $2::float8[], $3::float8[]) u(id, ms, rtt) where d.device_id = u.id`,
      [
        integers(answered.map((i) => i.deviceId)),
        integers(answered.map((i) => i.time)),
        floats(answered.map((i) => i.rttAvgMs)),
      ],
      { prepare: true },
    )
  }
  await writeGauges(tx, batch)
  await writeUsages(tx, 'mempool', batch)
  await writeUsages(tx, 'storage', batch)
}

/** Severities of the event log: an error, and that all is well again. */
const [ERROR, OK] = [5, 1]

/**
 * An event for each changed sensor that left its limits or came back inside; a sensor without alerts (sensor_alert 0) has
 * none. `changed` has the rows after the change, with the value before in sensor_prev.
 */
const LIMIT_EVENTS = `
  insert into eventlog (device_id, datetime, message, type, reference, severity)
  select device_id, to_timestamp(ms / 1000),
    left(concat(sensor_class, ' ', sensor_descr, case
      when sensor_current > sensor_limit then concat(' above its limit: ', sensor_current, ' > ', sensor_limit)
      when sensor_current < sensor_limit_low then concat(' below its limit: ', sensor_current, ' < ', sensor_limit_low)
      else concat(' within its limits again: ', sensor_current) end), 255),
    sensor_class, sensor_id::text, case when is_out then ${ERROR} else ${OK} end
  from (select *,
      coalesce(sensor_current > sensor_limit, false) or coalesce(sensor_current < sensor_limit_low, false) as is_out,
      coalesce(sensor_prev > sensor_limit, false) or coalesce(sensor_prev < sensor_limit_low, false) as was_out
    from changed) c
  where is_out <> was_out and sensor_alert <> 0
  order by sensor_id`

async function writeGauges(tx: TransactionSql, batch: SampleBatch): Promise<void> {
  const known = (s: { value: number }): boolean => Number.isFinite(s.value)
  for (const [table, samples] of [
    ['sensors', batch.sensors],
    ['wireless_sensors', batch.wireless],
  ] as const) {
    const sensors = newest(samples.filter(known), (s) => s.id)
    if (sensors.length === 0) continue
    await tx.unsafe(
      `with changed as (
         update ${table} s set sensor_prev = s.sensor_current, sensor_current = v, lastupdate = to_timestamp(ms / 1000)
         from unnest($1::int[], $2::float8[], $3::float8[]) u(id, ms, v)
         where s.sensor_id = u.id and s.sensor_current is distinct from v
         returning s.*, ms)
       ${LIMIT_EVENTS}`,
      [integers(sensors.map((s) => s.id)), integers(sensors.map((s) => s.time)), floats(sensors.map((s) => s.value))],
      { prepare: true },
    )
  }
  const supplies = newest(batch.supplies.filter(known), (s) => s.id)
  if (supplies.length > 0) {
    await tx.unsafe(
      `update printer_supplies p set supply_current = v from unnest($1::int[], $2::float8[]) u(id, v)
       where p.supply_id = u.id and p.supply_current is distinct from v`,
      [integers(supplies.map((s) => s.id)), floats(supplies.map((s) => s.value))],
      { prepare: true },
    )
  }
  const processors = newest(batch.processors.filter(known), (s) => s.id)
  if (processors.length > 0) {
    await tx.unsafe(
      `update processors p set processor_usage = v from unnest($1::int[], $2::int[]) u(id, v)
       where p.processor_id = u.id and p.processor_usage <> v`,
      [integers(processors.map((s) => s.id)), rounded(processors.map((s) => s.value))],
      { prepare: true },
    )
  }
}

const USAGE = {
  mempool: { samples: 'mempools', table: 'mempools', total: 'mempool_total' },
  storage: { samples: 'storage', table: 'storage', total: 'storage_size' },
} as const

async function writeUsages(tx: TransactionSql, base: keyof typeof USAGE, batch: SampleBatch): Promise<void> {
  const { samples, table, total } = USAGE[base]
  const rows = newest(batch[samples], (s) => s.id)
  if (rows.length === 0) return
  const [used, free, perc] = [`${base}_used`, `${base}_free`, `${base}_perc`]
  await tx.unsafe(
    `update ${table} t set ${used} = coalesce(u, ${used}), ${free} = coalesce(f, ${free}), ${total} = coalesce(n, ${total}),
       ${perc} = coalesce(p, ${perc})
     from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[]) v(id, u, f, n, p)
     where t.${base}_id = v.id and (${used} <> u or ${free} <> f or ${total} <> n or ${perc} <> p)`,
    [
      integers(rows.map((s) => s.id)),
      rounded(rows.map((s) => s.used)),
      rounded(rows.map((s) => s.free)),
      rounded(rows.map((s) => s.total)),
      rounded(rows.map((s) => s.perc)),
    ],
    { prepare: true },
  )
}

/** The newest sample of each key, in order of the key. */
function newest<T extends { readonly time: number }>(samples: readonly T[], key: (sample: T) => number): T[] {
  const found = new Map<number, T>()
  for (const sample of samples) {
    const other = found.get(key(sample))
    if (other === undefined || other.time <= sample.time) found.set(key(sample), sample)
  }
  return [...found.values()].sort((a, b) => key(a) - key(b))
}
