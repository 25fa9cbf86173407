import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { deviceGroupDevice, devices, locations } from '../../../db/schema/index.ts'
import { deviceInScopeText, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { epochSeconds } from '../database/instants.ts'
import { prepared } from '../database/prepared.ts'
import { DEVICE_COLUMNS, DEVICE_SECRETS } from '../records/read-device-columns.ts'
import { openSecret } from '../secrets/values.ts'
import { deviceByAddress, isAddress } from './read.ts'

type Stored = typeof devices.$inferSelect
type Instant = 'inserted' | 'last_polled' | 'last_poll_attempted' | 'last_discovered' | 'last_ping'

/**
 * A device with its location, without our own columns. Instants are seconds since 1970, exact to the microsecond, flags
 * 0/1, degrees decimal text; `ip` is printable; secrets are null unless requested.
 */
export type DeviceRow = Readonly<Omit<Stored, Instant | 'poll_interval' | 'snmp_any_source'>> & {
  readonly [K in Instant]: number | null
} & { readonly location: string | null; readonly lat: string | null; readonly lng: string | null }

const d = alias(devices, 'd')
const l = alias(locations, 'l')

/**
 * The members as plain expressions, because Drizzle decodes each value of its own columns, which takes a quarter of the
 * time of reading a device.
 */
const columns = (secrets: boolean) => {
  const own = [...DEVICE_COLUMNS].map(([name, kind]) => {
    const column = `d."${name}"`
    if (!secrets && DEVICE_SECRETS.has(name)) return [name, 'null::text'] as const
    if (kind === 'address') return [name, `host(${column})`] as const
    return [name, kind === 'instant' ? epochSeconds(column) : column] as const
  })
  const place = ['location', 'lat', 'lng'].map((name) => [name, `l."${name}"`] as const)
  return Object.fromEntries([...own, ...place].map(([name, text]) => [name, sql`${sql.raw(text)}`]))
}
const withSecrets = columns(true)
const without = columns(false)

/** Its members are those of `columns`. */
const asRow = (row: Record<string, unknown>) => row as DeviceRow

/** With credentials in plain text; null for one that cannot be decrypted. */
function deviceRow(columns: Record<string, unknown>): DeviceRow {
  const row = asRow(columns)
  const { community, authpass, cryptopass } = row
  const own = openSecret('devices.community', community)
  const auth = openSecret('devices.authpass', authpass)
  const privacy = openSecret('devices.cryptopass', cryptopass)
  // in the common case nothing is encrypted, and no copy is needed
  return own === community && auth === authpass && privacy === cryptopass
    ? row
    : { ...row, community: own, authpass: auth, cryptopass: privacy }
}

const query = (secrets: boolean, where: SQL, name: string) =>
  prepared((db) =>
    db
      .select(secrets ? withSecrets : without)
      .from(d)
      .leftJoin(l, eq(l.id, d.location_id))
      .where(where)
      .prepare(name),
  )
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
  const [row] = await byId(db).execute({ id: deviceId })
  return row === undefined ? null : deviceRow(row)
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
  const [row] = await named(store.db).execute({ hostname: ref })
  if (row !== undefined) return deviceRow(row)
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
  const rows = await db
    .select(secrets ? withSecrets : without)
    .from(deviceGroupDevice)
    .innerJoin(d, eq(d.device_id, deviceGroupDevice.device_id))
    .leftJoin(l, eq(l.id, d.location_id))
    .where(sql`${eq(deviceGroupDevice.device_group_id, groupId)} and ${sql.raw(deviceInScopeText(scope, 'd'))}`)
    .orderBy(asc(d.device_id))
  return rows.map(deviceRow)
}
