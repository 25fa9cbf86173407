import type { Store } from '../../database/client.ts'
import { integers } from '../../database/pg-array.ts'
import { openJson, sealer } from '../../secrets/values.ts'
import type { StoredLimits } from '../messages/limits.ts'

/** A stored transport and what uses it. */
export interface TransportRow extends StoredLimits {
  readonly transport_id: number
  readonly transport_name: string
  readonly transport_type: string
  readonly is_default: number
  /** With secrets. */
  readonly transport_config: Readonly<Record<string, unknown>>
  /** Rules that map to it, ascending. */
  readonly rules: readonly number[]
  /** Names of its groups. */
  readonly groups: readonly string[]
  /** Notifications that wait for it, and those given up. */
  readonly waiting: number
  readonly dead: number
  /** Since when its attempts fail, if it counts as failing, and the last error; null: it works, as far as known. */
  readonly failing_since: Date | null
  readonly failing_error: string | null
}

/** Transports by id. */
export async function listTransports({ sql }: Store): Promise<TransportRow[]> {
  const rows = await sql<TransportRow[]>`
      select t.transport_id, t.transport_name, t.transport_type, t.is_default, t.transport_config, t.grouping, t.group_window, t.rate_per_minute,
        case when p.failed_at is not null then coalesce(p.since, p.failed_at) end as failing_since,
        case when p.failed_at is not null then p.last_error end as failing_error,
        array(select m.rule_id from alert_transport_map m where m.transport_id = t.transport_id order by 1) as rules,
        array(select g.transport_group_name from transport_group_transport x join alert_transport_groups g using (transport_group_id)
          where x.transport_id = t.transport_id order by 1) as groups,
        (select count(*)::int from alert_outbox o where o.transport_id = t.transport_id and o.sent_at is null and o.dead_at is null) as waiting,
        (select count(*)::int from alert_outbox o where o.transport_id = t.transport_id and o.dead_at is not null) as dead
      from alert_transports t left join alert_paths p using (transport_id) order by t.transport_id`
  return rows.map((row) => ({ ...row, transport_config: openConfig(row.transport_config) }))
}

/** The settings of a stored transport; empty if they cannot be decrypted. */
export function openConfig(stored: unknown): Readonly<Record<string, unknown>> {
  const value = openJson('alert_transports.transport_config', stored)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export interface TransportValues {
  readonly name: string
  readonly kind: string
  readonly isDefault: boolean
  readonly settings: Readonly<Record<string, unknown>>
}

/** Stores a transport; null: the name is taken. */
export async function insertTransport(store: Store, values: TransportValues): Promise<number | null> {
  const { sql } = store
  const { name, kind, isDefault, settings } = values
  const stored = (await sealer(store)).json('alert_transports.transport_config', settings)
  const [row] = await sql<{ transport_id: number }[]>`
      insert into alert_transports (transport_name, transport_type, is_default, transport_config)
      values (${name}, ${kind}, ${isDefault ? 1 : 0}, ${JSON.stringify(stored)}::text::jsonb)
      on conflict (lower(transport_name)) do nothing returning transport_id`
  return row?.transport_id ?? null
}

/** Replaces settings and default flag of a transport. */
export async function updateTransport(
  store: Store,
  id: number,
  { settings, isDefault }: Pick<TransportValues, 'settings' | 'isDefault'>,
): Promise<void> {
  const { sql } = store
  const stored = (await sealer(store)).json('alert_transports.transport_config', settings)
  await sql`
      update alert_transports set transport_config = ${JSON.stringify(stored)}::text::jsonb, is_default = ${isDefault ? 1 : 0}
      where transport_id = ${id}`
}

/** Replaces how a transport sends. */
export async function updateLimits({ sql }: Store, id: number, limits: StoredLimits): Promise<void> {
  await sql`
      update alert_transports set grouping = ${limits.grouping}, group_window = ${limits.group_window},
        rate_per_minute = ${limits.rate_per_minute}
      where transport_id = ${id}`
}

/** Deletes a transport with its notifications. */
export async function deleteTransport({ sql }: Store, id: number): Promise<void> {
  await sql.begin((tx) => tx`delete from alert_transports where transport_id = ${id}`)
}

/** A group of transports. */
export interface TransportGroupRow {
  readonly transport_group_id: number
  readonly transport_group_name: string
  /** Names of its members. */
  readonly members: readonly string[]
  /** Rules that map to it, ascending. */
  readonly rules: readonly number[]
}

/** Transport groups by id. */
export async function listTransportGroups({ sql }: Store): Promise<TransportGroupRow[]> {
  return await sql<TransportGroupRow[]>`
      select g.transport_group_id, g.transport_group_name,
        array(select t.transport_name from transport_group_transport x join alert_transports t using (transport_id)
          where x.transport_group_id = g.transport_group_id order by 1) as members,
        array(select m.rule_id from alert_transport_map m where m.transport_group_id = g.transport_group_id order by 1) as rules
      from alert_transport_groups g order by g.transport_group_id`
}

/** Replaces the members of a group and creates it if it does not exist. Returns its id. */
export async function putTransportGroup({ sql }: Store, name: string, members: readonly number[]): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx`insert into alert_transport_groups (transport_group_name) values (${name})
        on conflict (lower(transport_group_name)) do nothing`
    const [row] = await tx<{ id: number }[]>`
        select transport_group_id as id from alert_transport_groups where lower(transport_group_name) = lower(${name}) for update`
    const id = row?.id ?? 0
    await tx`delete from transport_group_transport where transport_group_id = ${id}`
    await tx`
        insert into transport_group_transport (transport_group_id, transport_id)
        select ${id}, unnest(${integers(members)}::text::int[])`
    return id
  })
}

/** Gives a group another name. Returns false if another group has it, or the group is gone. */
export async function renameTransportGroup({ sql }: Store, id: number, name: string): Promise<boolean> {
  const renamed = await sql`
      update alert_transport_groups g set transport_group_name = ${name} where g.transport_group_id = ${id}
        and not exists (select from alert_transport_groups o
          where lower(o.transport_group_name) = lower(${name}) and o.transport_group_id <> g.transport_group_id)
      returning 1`
  return renamed.length > 0
}

/** Deletes a group, not its transports. */
export async function deleteTransportGroup({ sql }: Store, id: number): Promise<void> {
  await sql`delete from alert_transport_groups where transport_group_id = ${id}`
}

/** A transport or group that rules map to. */
export interface TransportTarget {
  readonly type: 'single' | 'group'
  readonly id: number
}

/** Maps rules to a transport or group, or unmaps them. Rules that already are as wanted stay unchanged. */
export async function mapTransport(
  { sql }: Store,
  { type, id }: TransportTarget,
  rules: readonly number[],
  mapped: boolean,
): Promise<void> {
  if (mapped)
    await sql`
      insert into alert_transport_map (rule_id, transport_or_group_id, target_type)
      select rule_id, ${id}, ${type} from unnest(${integers(rules)}::text::int[]) as rule_id
      on conflict (rule_id, target_type, transport_or_group_id) do nothing`
  else
    await sql`
      delete from alert_transport_map where target_type = ${type} and transport_or_group_id = ${id}
        and rule_id = any(${integers(rules)}::text::int[])`
}
