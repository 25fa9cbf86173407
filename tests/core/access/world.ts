import { expect } from 'bun:test'
import { mountedRoutes } from '../../../src/api/route-index.ts'
import { type TestApi, testApi } from '../../support/api.ts'
import { fillDevice } from '../../support/fill.ts'

/** Ids from this one on belong to the granted device. */
export const MINE = 1_000_000
/** Ids from this one on belong to the device that is not granted. */
export const FOREIGN = 900_000_000
/** An address of the device that is not granted. */
export const FOREIGN_ADDRESS = '198.51.100.9'
/** An address of a port of that device. */
export const OTHER_FOREIGN_ADDRESS = '198.51.100.10'
/** Regular expression for rows of objects that are not granted, or not completely. */
export const FOREIGN_TEXT = '\\m9000\\d{5}\\M|foreign'

/** Two devices with every kind of object, and a user with all permissions who was granted one of them. */
export interface World {
  readonly api: TestApi
  readonly token: string
  readonly username: string
  /** Id of the granted device's row in a table. */
  readonly mine: (table: string) => number
  /** Id of the other device's row in a table. */
  readonly foreign: (table: string) => number
  /** Objects that contain both devices, or all devices. */
  readonly shared: Readonly<
    Record<
      'template' | 'bill' | 'group' | 'dynamicGroup' | 'portGroup' | 'rule' | 'globalRule' | 'invertedRule',
      number
    >
  >
  /** Another user, who stands in by an override in the other device's on-call schedule. */
  readonly other: { readonly user: number; readonly override: number }
}

/** All permissions that operations require. */
export function everyPermission(api: TestApi): string[] {
  return [...new Set(mountedRoutes(api.app).map(({ gate }) => gate))].filter((gate) => gate.includes('.'))
}

export async function createWorld(): Promise<World> {
  const api = await testApi({
    enable_billing: 'true',
    show_services: 'true',
    'api.v1.enabled': 'true',
    nets: '198.51.100.0/24',
  })
  const { sql } = api.store
  const own = await fillDevice(api.store, MINE, 'mine')
  const other = await fillDevice(api.store, FOREIGN, 'foreign')
  expect([...own.failed, ...other.failed]).toEqual([])
  const idOf = (ids: ReadonlyMap<string, number>) => (table: string) => {
    const id = ids.get(table)
    if (id === undefined) throw new Error(`no row in ${table}`)
    return id
  }
  const [mine, foreign] = [idOf(own.ids), idOf(other.ids)]
  await sql`update devices set ip = ${FOREIGN_ADDRESS} where device_id = ${foreign('devices')}`
  await sql`update ipv4_addresses set ipv4_address = ${OTHER_FOREIGN_ADDRESS} where port_id = ${foreign('ports')}`
  await sql`insert into device_relationships (parent_device_id, child_device_id)
    values (${foreign('devices')}, ${mine('devices')})`
  await sql`update devices set max_depth = case device_id when ${foreign('devices')} then 1 else 2 end`
  // found devices that wait for a decision, each reported by one of the two devices, and scans that have not begun
  await sql`update candidates set state = 'new', device_id = null, moved_from = null`
  await sql`update candidate_sources set kind = 'lldp', scan_id = null`
  await sql`update candidate_rules set action = 'ignore', network = null, protocol = null, sys_name = null, platform = null`
  await sql`update scans set state = 'waiting', networks = array['198.51.100.64/26'], counts = '{}'`
  // operations and transports belong to no device: whoever may see transports sees them, and what receivers answered
  await sql`update alert_operations set name = 'operation ' || id`
  await sql`update alert_paths set last_error = 'no answer in time'`
  await sql`update alert_transports set transport_type = 'webhook', transport_config = '{"url": "https://192.0.2.1/"}'`
  await sql`update alert_rules set alert_operation_id = null`
  await sql`update faults set state = 1, live = 1, kind = null, ended_at = null, ended_how = null, acknowledged_until = null,
    acknowledged_severity = null, muted_until = null`
  const first = async (rows: Promise<readonly { id: number }[]>) => (await rows)[0]?.id ?? 0
  const rule = (name: string, inverted = 0) =>
    first(sql<{ id: number }[]>`
      insert into alert_rules (name, severity, extra, disabled, query, builder, invert_map)
      values (${name}, 'critical', '{}', 0, '', '{}', ${inverted}) returning id`)
  const shared = {
    template: await first(
      sql<{ id: number }[]>`insert into alert_templates (name, template) values ('foreign template', 'x') returning id`,
    ),
    bill: await first(sql<{ id: number }[]>`
      insert into bills (bill_name, bill_type, dir_95th, bill_custid, bill_ref, bill_notes)
      values ('shared bill', 'quota', 'in', '', '', '') returning bill_id as id`),
    group: await first(
      sql<{ id: number }[]>`insert into device_groups (name, type) values ('foreign and mine', 'static') returning id`,
    ),
    dynamicGroup: await first(sql<{ id: number }[]>`
      insert into device_groups (name, type, rules) values ('foreign or not', 'dynamic',
        '{"condition":"AND","rules":[{"field":"devices.os","operator":"equal","value":"x"}]}') returning id`),
    portGroup: await first(
      sql<{ id: number }[]>`insert into port_groups (name) values ('foreign and mine') returning id`,
    ),
    rule: await rule('foreign and mine'),
    globalRule: await rule('foreign: everywhere'),
    invertedRule: await rule('foreign: all but', 1),
  }
  // an operation that a rule for all devices uses
  await sql`update alert_rules set alert_operation_id = ${mine('alert_operations')} where id = ${shared.globalRule}`
  const [devices, ports] = [
    [mine('devices'), foreign('devices')],
    [mine('ports'), foreign('ports')],
  ]
  await sql`insert into bill_ports (bill_id, port_id) select ${shared.bill}, x from unnest(${ports}::int[]) x`
  await sql`insert into device_group_device (device_group_id, device_id)
    select ${shared.group}, x from unnest(${devices}::int[]) x`
  await sql`insert into device_group_device (device_group_id, device_id)
    values (${shared.dynamicGroup}, ${mine('devices')})`
  await sql`insert into port_group_port (port_group_id, port_id)
    select ${shared.portGroup}, x from unnest(${ports}::int[]) x`
  await sql`insert into alert_device_map (rule_id, device_id) select ${shared.rule}, x from unnest(${devices}::int[]) x`
  await sql`insert into alert_device_map (rule_id, device_id) values (${shared.invertedRule}, ${foreign('devices')})`

  const person = await first(
    sql<{ id: number }[]>`insert into users (username) values ('foreign person') returning user_id as id`,
  )
  const override = await first(sql<{ id: number }[]>`
    insert into on_call_overrides (schedule_id, user_id, begins_at, ends_at)
    values (${foreign('on_call_schedules')}, ${person}, now(), now() + interval '1 day') returning id`)
  await api.services.users.defineRole('everything', everyPermission(api))
  const user = await api.token([])
  await api.services.users.setRoles(user.username, ['everything'])
  await api.services.users.grant(user.username, {
    deviceIds: [mine('devices')],
    deviceGroupIds: [mine('device_groups')],
    billIds: [mine('bills'), shared.bill],
  })
  return { api, ...user, mine, foreign, shared, other: { user: person, override } }
}

export type Digest = Readonly<Record<string, string>>

/** The last digest of a world, what it was of, and the first transaction that it does not know of. */
const last = new WeakMap<World, { only: string; before: string; digest: Digest }>()

/**
 * A digest of the rows of each table; `only`: of rows that match. Excludes what authentication itself writes. While
 * nobody has written anything it is the one before, because a digest reads all tables.
 */
export async function digest(world: World, only = ''): Promise<Digest> {
  const { sql } = world.api.store
  const [now] = await sql<{ before: string }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text as before`
  const before = now?.before ?? ''
  const known = last.get(world)
  if (known !== undefined && known.only === only && known.before === before) return known.digest
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('authlog', 'api_tokens', 'log_counts', 'log_totals') order by 1`
  const selects = tables.map(
    ({ name }) => `select '${name.replaceAll('"', '')}' as name,
      count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${name} t
      where ${only === '' ? 'true' : `t::text ~ '${only}'`}`,
  )
  const rows = await sql.unsafe<{ name: string; digest: string }[]>(selects.join(' union all '), [], { prepare: true })
  const made = Object.fromEntries(rows.map((row) => [row.name, row.digest]))
  last.set(world, { only, before, digest: made })
  return made
}

/** Ids of the devices that the user sees. */
export async function visibleDevices({ api, token }: World): Promise<number[]> {
  const { json } = await api.call('GET', '/api/v0/devices', { token })
  const { devices } = json as { devices: { device_id: number }[] }
  return devices.map((device) => device.device_id)
}
