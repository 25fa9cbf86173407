import type { TransactionSql } from 'postgres'
import type { Current, SampleKind, Subject } from '../../series/kind.ts'
import { KINDS, NARROW_NAMES } from '../../series/kinds.ts'
import type { DevicePoll, SampleBatch, SeriesRows } from '../../series/samples.ts'
import { floats, integers, rounded } from '../database/pg-array.ts'

/**
 * Updates current values in the inventory from the newest sample of each row: `devices` at every poll, gauges only on
 * change. All its devices are locked first, by id, so that it does not deadlock with others that write several.
 */
export async function writeCurrent(tx: TransactionSql, batch: SampleBatch): Promise<void> {
  await lockDevices(tx, [...batch.polls.map(({ deviceId }) => deviceId), ...(batch.series.icmp?.id ?? [])])
  await writePolls(tx, batch.polls)
  await writePings(tx, batch.series.icmp)
  for (const name of NARROW_NAMES) {
    const { current, subject, columns } = KINDS[name] as SampleKind
    const rows = batch.series[name]
    if (current === null || rows === undefined) continue
    if (current === 'limits')
      await writeSensors(
        tx,
        subject.table,
        newest(rows, (r) => cell(rows, 0, r) !== null),
      )
    else await writeRows(tx, subject, current.set, columns, newest(rows))
  }
}

async function lockDevices(tx: TransactionSql, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.unsafe(
    `select count(*) from (
       select from devices where device_id = any($1::int[]) order by device_id for no key update) locked`,
    [integers([...new Set(ids)])],
    { prepare: true },
  )
}

async function writePolls(tx: TransactionSql, polls: readonly DevicePoll[]): Promise<void> {
  const byDevice = new Map<number, DevicePoll>()
  for (const poll of polls) {
    if ((byDevice.get(poll.deviceId)?.time ?? 0) <= poll.time) byDevice.set(poll.deviceId, poll)
  }
  const devices = [...byDevice.values()].sort((a, b) => a.deviceId - b.deviceId)
  if (devices.length === 0) return
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

async function writePings(tx: TransactionSql, rounds: SeriesRows | undefined): Promise<void> {
  if (rounds === undefined) return
  const column = (name: string): number => KINDS.icmp.columns.findIndex((c) => c.name === name)
  const [received, rtt] = [column('received'), column('rtt_avg')]
  const answered = newest(rounds, (r) => (cell(rounds, received, r) ?? 0) > 0)
  if (answered.id.length === 0) return
  await tx.unsafe(
    `update devices d set last_ping = to_timestamp(ms / 1000), last_ping_timetaken = rtt
     from unnest($1::int[], $2::float8[], $3::float8[]) u(id, ms, rtt) where d.device_id = u.id`,
    [integers(answered.id), integers(answered.time), floats(answered.values[rtt] ?? [])],
    { prepare: true },
  )
}

/** Severities in the event log. */
const [ERROR, OK] = [5, 1]

/**
 * An event for each changed sensor that left its limits or returned within them, except with alerts off (sensor_alert
 * 0). `changed` has the rows after the change, with the previous value in sensor_prev.
 */
export const LIMIT_EVENTS = `
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

async function writeSensors(tx: TransactionSql, table: string, sensors: SeriesRows): Promise<void> {
  if (sensors.id.length === 0) return
  await tx.unsafe(
    `with changed as (
       update ${table} s set sensor_prev = s.sensor_current, sensor_current = v, lastupdate = to_timestamp(ms / 1000)
       from unnest($1::int[], $2::float8[], $3::float8[]) u(id, ms, v)
       where s.sensor_id = u.id and s.sensor_current is distinct from v
       returning s.*, ms)
     ${LIMIT_EVENTS}`,
    [integers(sensors.id), integers(sensors.time), floats(sensors.values[0] ?? [])],
    { prepare: true },
  )
}

/** Factors of rates, by type of the column. */
const PER_SECOND: Readonly<Record<string, number>> = { '/s': 1, 'bit/s': 8 }

type Following = Exclude<Current, 'limits'>['set']

/** Updates these columns of the subject's table from the samples; unknown values leave a column unchanged, rates become unknown. */
async function writeRows(
  tx: TransactionSql,
  { table, id }: Subject,
  set: Following,
  columns: SampleKind['columns'],
  rows: SeriesRows,
): Promise<void> {
  if (rows.id.length === 0) return
  const columnsOf = set.map(([column, , type], i) => {
    const rate = type in PER_SECOND
    return {
      column,
      name: `v${i}`,
      type: rate ? 'float8' : type,
      next: rate ? `v${i}` : `coalesce(v${i}, t.${column})`,
    }
  })
  await tx.unsafe(
    `update ${table} t set ${columnsOf.map(({ column, next }) => `${column} = ${next}`).join()}
     from unnest($1::int[], ${columnsOf.map(({ type }, i) => `$${i + 2}::${type}[]`).join()}) u(id, ${columnsOf.map(({ name }) => name).join()})
     where t.${id} = u.id and (${columnsOf.map(({ column, next }) => `${next} is distinct from t.${column}`).join(' or ')})`,
    [
      integers(rows.id),
      ...set.map(([, sample, type]) => {
        const values = rows.values[columns.findIndex((c) => c.name === sample)] ?? []
        const factor = PER_SECOND[type]
        if (factor !== undefined) return floats(values.map((v, r) => (v * factor * 1000) / (rows.periodMs[r] ?? 0)))
        return type === 'float8' ? floats(values) : rounded(values)
      }),
    ],
    { prepare: true },
  )
}

/** A known value; null: unknown. */
function cell({ values }: SeriesRows, column: number, row: number): number | null {
  const value = values[column]?.[row] ?? Number.NaN
  return Number.isFinite(value) ? value : null
}

/** The newest row of each subject that satisfies the condition, ordered by subject. */
function newest(rows: SeriesRows, good: (row: number) => boolean = () => true): SeriesRows {
  const found = new Map<number, number>()
  for (const [row, id] of rows.id.entries()) {
    const other = found.get(id)
    const later = other === undefined || (rows.time[other] as number) <= (rows.time[row] as number)
    if (later && good(row)) found.set(id, row)
  }
  const kept = [...found].sort(([a], [b]) => a - b).map(([, row]) => row)
  const pick = (cells: readonly number[]): number[] => kept.map((row) => cells[row] as number)
  return { time: pick(rows.time), id: pick(rows.id), periodMs: pick(rows.periodMs), values: rows.values.map(pick) }
}
