import type { Sql, Store } from '../database/client.ts'

/** Objects that discovery marks instead of deleting, because they may return with their history and settings. */
const KINDS = [
  // bills are computed from their ports, whatever became of them
  {
    kind: 'port',
    table: 'ports',
    id: 'port_id',
    flag: 'deleted',
    kept: 'exists (select from bill_ports b where b.port_id = o.port_id) or exists (select from bill_ports_past b where b.port_id = o.port_id)',
  },
  { kind: 'sensor', table: 'sensors', id: 'sensor_id', flag: 'sensor_deleted', kept: 'false' },
  { kind: 'wireless sensor', table: 'wireless_sensors', id: 'sensor_id', flag: 'sensor_deleted', kept: 'false' },
  { kind: 'memory pool', table: 'mempools', id: 'mempool_id', flag: 'mempool_deleted', kept: 'false' },
] as const

/** How long objects are kept that are gone from their device. */
export interface GoneLimits {
  /** Days; 0: forever. */
  readonly days: number
  /** Of each kind on a device; beyond it those that are gone longest are removed. */
  readonly perDevice: number
}

/** Objects per statement: few enough not to block others. */
const AT_ONCE = 2000
/** Statements in one run for each kind; the rest is left to the next. */
const STATEMENTS = 20

/**
 * Removes objects that have been gone from their device for longer than the limit, or of which a device has too many.
 * Objects that are back are forgotten; ports of bills are kept. Returns the number removed. Throws StoreError.
 */
export async function dropGone({ sql }: Store, limits: GoneLimits): Promise<number> {
  let removed = 0
  for (const kind of KINDS) {
    await note(sql, kind)
    for (let i = 0; i < STATEMENTS; i++) {
      const n = await dropSome(sql, kind, limits)
      removed += n
      if (n < AT_ONCE) break
    }
  }
  return removed
}

type GoneKind = (typeof KINDS)[number]

async function note(sql: Sql, { kind, table, id, flag }: GoneKind): Promise<void> {
  await sql.unsafe(
    `with back as (
        delete from gone_objects g where g.kind = $1
          and not exists (select from ${table} o where o.${id} = g.id and o.${flag} <> 0))
      insert into gone_objects (kind, id, device_id)
      select $1, o.${id}, o.device_id from ${table} o join devices d on d.device_id = o.device_id
      where o.${flag} <> 0 and not exists (select from gone_objects g where g.kind = $1 and g.id = o.${id})
      on conflict do nothing`,
    [kind],
  )
}

async function dropSome(
  sql: Sql,
  { kind, table, id, flag, kept }: GoneKind,
  { days, perDevice }: GoneLimits,
): Promise<number> {
  const text = `with ranked as (
        select g.id, g.since, row_number() over (partition by g.device_id order by g.since desc, g.id desc) as place
        from gone_objects g where g.kind = $1
      ), due as materialized (
        select r.id from ranked r join ${table} o on o.${id} = r.id
        where (r.place > $3 or ($2 > 0 and r.since < now() - make_interval(days => $2))) and o.${flag} <> 0 and not (${kept})
        order by r.since, r.id limit ${AT_ONCE}
      ), gone as (
        delete from ${table} o using due where o.${id} = due.id and o.${flag} <> 0 returning o.${id} as id, o.device_id
      ), notes as (
        delete from devices_attribs a using gone
        where $1 = 'port' and a.device_id = gone.device_id and a.attrib_type = 'port_id_notes:' || gone.id
      ), marks as (
        delete from gone_objects g using gone where g.kind = $1 and g.id = gone.id
      )
      select count(*)::int as n from gone`
  // in a transaction, because it is repeated after a deadlock with a deletion or discovery of one of the devices
  const rows = await sql.begin((tx) => tx.unsafe<{ n: number }[]>(text, [kind, days, perDevice]))
  return rows[0]?.n ?? 0
}

/** Number of objects that are gone from their device, by kind, and the most that one device has. */
export async function goneObjects({ sql }: Store): Promise<{ kind: string; count: number; most: number }[]> {
  return await sql<{ kind: string; count: number; most: number }[]>`
      select kind, sum(n)::int as count, max(n)::int as most
      from (select kind, count(*) as n from gone_objects group by kind, device_id) g group by kind order by kind`
}
