import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { deviceGroupDevice, devices, locations } from '../../../db/schema/index.ts'
import { deviceInScopeText, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { prepared } from '../database/prepared.ts'
import { DEVICE, type DeviceRow } from '../records/device.ts'
import { membersSql, stored } from '../records/fields.ts'
import { openSecret } from '../secrets/values.ts'
import { deviceByAddress, isAddress } from './read.ts'

const d = alias(devices, 'd')
const l = alias(locations, 'l')

/**
 * The members as plain expressions, because Drizzle decodes each value of its own columns, which takes a quarter of the
 * time of reading a device.
 */
const columns = (secrets: boolean) =>
  Object.fromEntries(
    membersSql(DEVICE, 'd', stored, secrets).map(([name, text]) => [name, sql`${sql.raw(text)}`] as const),
  )
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
