import type { KindName } from '../../../series/kinds.ts'
import { KINDS } from '../../../series/kinds.ts'
import type { Store } from '../../database/client.ts'
import { integers } from '../../database/pg-array.ts'

/** A poller at a site that cannot reach the database. */
export interface RemotePollerRow {
  readonly id: number
  readonly name: string
  readonly public_key: string
  readonly poller_group: number
  readonly group_name: string
  /** JetStream domain of its site; '': that of the servers that the centre connects to. */
  readonly domain: string
  readonly devices: number
  /** Messages stored. */
  readonly stored: number
  /** Messages that the poller could not deliver because its stream was full. */
  readonly missing: number
  readonly refused: number
  /** When the last message was stored, and when it was written at the site; null: none yet. */
  readonly stored_at: Date | null
  readonly measured_at: Date | null
  /** State of poller and stream at `reported_at`; null: none yet. */
  readonly report: RemotePollerReport | null
  readonly reported_at: Date | null
}

/** What a remote poller does. */
export interface SiteLoad {
  /** Polls in a minute, and the seconds that they took. */
  readonly pollsAMinute: number
  readonly secondsAMinute: number
  /** Devices that are due and waiting, and how many seconds the first of them has waited. */
  readonly due: number
  readonly lagS: number
  /** Worker threads. */
  readonly workers: number
  /** Seconds between polls, as the setting says. */
  readonly intervalS: number
}

/** State of a remote poller and of the stream at its site. */
export interface RemotePollerReport {
  readonly version: string
  /** False: the poller did not answer the centre's last request. */
  readonly answers: boolean
  /** Devices that it polls, late polls since its start, samples refused because the stream was full. */
  readonly devices: number
  readonly late: number
  readonly refused: number
  /** Rows of samples in the poller's memory; absent: an earlier version does not report it. */
  readonly rows?: number
  /** null or absent: unknown. */
  readonly load?: SiteLoad | null
  /** Where the poller is in the network, a Place; null or absent: unknown. */
  readonly place?: unknown
  /** Messages and bytes in the stream that are not stored here yet, and the age of the oldest message in seconds. */
  readonly waiting: number
  readonly waitingOctets: number
  readonly lagS: number
}

/** Remote pollers by name. */
export async function listRemotePollers({ sql }: Pick<Store, 'sql'>): Promise<RemotePollerRow[]> {
  return await sql<RemotePollerRow[]>`
      select r.id, r.name, r.public_key, r.poller_group, g.group_name, r.domain, r.stored, r.missing, r.stored_at, r.measured_at,
        r.report, r.reported_at,
        (select count(*) from devices d where d.poller_group = r.poller_group)::int as devices,
        (select count(*) from remote_poller_refusals f where f.poller_id = r.id)::int as refused
      from remote_pollers r join poller_groups g on g.id = r.poller_group order by r.name`
}

/** Ids of the devices of a poller group, ascending. */
export async function deviceIdsOfGroup({ sql }: Store, group: number): Promise<number[]> {
  const rows = await sql<
    { device_id: number }[]
  >`select device_id from devices where poller_group = ${group} order by device_id`
  return rows.map((row) => row.device_id)
}

/** Which of these devices (absent: of all) no remote poller polls, ascending. */
export async function centralDeviceIds({ sql }: Store, ids?: readonly number[]): Promise<number[]> {
  const only = ids === undefined ? null : integers(ids)
  const rows = await sql<{ device_id: number }[]>`
      select device_id from devices where (${only}::text is null or device_id = any(${only}::text::int[]))
        and not exists (select from remote_pollers r where r.poller_group = devices.poller_group) order by device_id`
  return rows.map((row) => row.device_id)
}

/** Name of the remote poller of a device; null: none, or no such device. */
export async function remotePollerOf({ sql }: Store, deviceId: number): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
      select r.name from devices d join remote_pollers r using (poller_group) where d.device_id = ${deviceId}`
  return row?.name ?? null
}

/** Subjects of samples: ids of rows by kind. */
export type SubjectIds = ReadonlyMap<KindName, ReadonlySet<number>>

/** Those of these subjects whose device is not in the group, or that do not exist. */
export async function foreignSubjects(
  { sql }: Pick<Store, 'sql'>,
  group: number,
  subjects: SubjectIds,
): Promise<ReadonlyMap<KindName, ReadonlySet<number>>> {
  const asked = [...subjects].filter(([, ids]) => ids.size > 0)
  if (asked.length === 0) return new Map()
  // one statement for all kinds, because it runs for every message; names come from our own declarations
  const parts = asked.map(([kind], i) => {
    const { table, id } = KINDS[kind].subject
    return `select '${kind}' as kind, u.id from unnest($${i + 2}::text::int[]) u(id) left join ${table} t on t.${id} = u.id
      left join devices d on d.device_id = t.device_id
      where d.device_id is null or d.poller_group is distinct from $1::int`
  })
  const rows = await sql.unsafe<{ kind: KindName; id: number }[]>(
    parts.join(' union all '),
    [group, ...asked.map(([, ids]) => integers([...ids]))],
    { prepare: true },
  )
  const found = new Map<KindName, Set<number>>()
  for (const { kind, id } of rows) found.set(kind, (found.get(kind) ?? new Set<number>()).add(id))
  return found
}

/** Devices of these subjects of a kind, by the subject's id. */
export async function devicesOfSubjects(
  { sql }: Pick<Store, 'sql'>,
  kind: KindName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  // names come from our own declarations
  const { table, id } = KINDS[kind].subject
  const rows = await sql.unsafe<{ id: number; device_id: number }[]>(
    `select ${id} as id, device_id from ${table} where ${id} = any($1::text::int[]) and device_id is not null`,
    [integers(ids)],
  )
  return new Map(rows.map((row) => [row.id, row.device_id]))
}

/** A refused message that was kept. */
export interface RefusalRow {
  readonly refused_at: Date
  readonly reason: string
  /** `EPOCH.SEQUENCE.PART.PARTS`, as the message claims. */
  readonly position: string
  readonly octets: number
}

/** The last refused messages of a poller, the newest first. */
export async function listRefusals({ sql }: Store, pollerId: number, limit: number): Promise<RefusalRow[]> {
  return await sql<RefusalRow[]>`
      select refused_at, reason, position, octets from remote_poller_refusals where poller_id = ${pollerId}
      order by id desc limit ${limit}`
}

/** The remote poller that has a poller group; null: none, it is polled from the centre. */
export async function remotePollerOfGroup(
  { sql }: Store,
  group: number,
): Promise<Pick<RemotePollerRow, 'name' | 'public_key'> | null> {
  const [row] = await sql<Pick<RemotePollerRow, 'name' | 'public_key'>[]>`
      select name, public_key from remote_pollers where poller_group = ${group}`
  return row ?? null
}
