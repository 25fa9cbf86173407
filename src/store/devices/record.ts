import { asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { deviceGroupDevice, devices, locations } from '../../../db/schema/index.ts'
import { deviceInScopeText, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { epochMicros } from '../instants.ts'
import { prepared } from '../prepared.ts'
import { deviceByAddress, isAddress } from './read.ts'

type Stored = typeof devices.$inferSelect
type Instant = 'inserted' | 'last_polled' | 'last_poll_attempted' | 'last_discovered' | 'last_ping'

/**
 * A device with its location, without our own columns. Instants are microseconds since 1970, flags 0/1, degrees decimal
 * text; `ip` is printable; secrets are null unless requested.
 */
export type DeviceRow = Readonly<Omit<Stored, Instant | 'poll_interval'>> & {
  readonly [K in Instant]: number | null
} & { readonly location: string | null; readonly lat: string | null; readonly lng: string | null }

const d = alias(devices, 'd')
const l = alias(locations, 'l')
const { poll_interval: _private, ...stored } = getTableColumns(d)
const micros = (name: Instant) => sql<number | null>`${sql.raw(epochMicros(`d."${name}"`))}`
const hidden = sql<string | null>`null::text`

const withSecrets = {
  ...stored,
  ip: sql<string | null>`host(${d.ip})`,
  inserted: micros('inserted'),
  last_polled: micros('last_polled'),
  last_poll_attempted: micros('last_poll_attempted'),
  last_discovered: micros('last_discovered'),
  last_ping: micros('last_ping'),
  location: l.location,
  lat: l.lat,
  lng: l.lng,
}
const without = { ...withSecrets, community: hidden, authpass: hidden, cryptopass: hidden }
const columns = (secrets: boolean) => (secrets ? withSecrets : without)

const query = (secrets: boolean, where: SQL, name: string) =>
  prepared((db) => db.select(columns(secrets)).from(d).leftJoin(l, eq(l.id, d.location_id)).where(where).prepare(name))
const hasId = eq(d.device_id, sql.placeholder('id'))
const byIdWithSecrets = query(true, hasId, 'device_record')
const byIdWithout = query(false, hasId, 'device_record')
const isNamed = sql`lower(${d.hostname}) = lower(${sql.placeholder('hostname')})`
const namedWithSecrets = query(true, isNamed, 'device_record_by_name')
const namedWithout = query(false, isNamed, 'device_record_by_name')

/** One device by id; null: no such device. */
export async function readDevice(
  { db }: Store,
  deviceId: number,
  { secrets }: { secrets: boolean },
): Promise<DeviceRow | null> {
  const byId = secrets ? byIdWithSecrets : byIdWithout
  const [row] = await guarded(() => byId(db).execute({ id: deviceId }))
  return row ?? null
}

/** The device that `findDevice` would find, in one statement if the name is an id or a hostname. */
export async function readDeviceNamed(
  store: Store,
  ref: string,
  options: { secrets: boolean },
): Promise<DeviceRow | null> {
  if (/^\d+$/.test(ref)) {
    const id = Number(ref)
    return id > 2_147_483_647 ? null : await readDevice(store, id, options)
  }
  const named = options.secrets ? namedWithSecrets : namedWithout
  const [row] = await guarded(() => named(store.db).execute({ hostname: ref }))
  if (row !== undefined) return row
  const key = isAddress(ref) ? await deviceByAddress(store, ref) : null
  return key === null ? null : await readDevice(store, key.device_id, options)
}

/** Members of a group in scope, by id; secrets are null unless requested. */
export async function readGroupMembers(
  { db }: Store,
  scope: Scope,
  groupId: number,
  { secrets }: { secrets: boolean },
): Promise<DeviceRow[]> {
  return await guarded(() =>
    db
      .select(columns(secrets))
      .from(deviceGroupDevice)
      .innerJoin(d, eq(d.device_id, deviceGroupDevice.device_id))
      .leftJoin(l, eq(l.id, d.location_id))
      .where(sql`${eq(deviceGroupDevice.device_group_id, groupId)} and ${sql.raw(deviceInScopeText(scope, 'd'))}`)
      .orderBy(asc(d.device_id)),
  )
}
