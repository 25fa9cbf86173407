import { SYSTEM, type SystemObservation } from '../../modules/system/observation.ts'
import { type AdjustedValues, type ColumnType, clean, text, type Value } from './columns.ts'
import { changed, type Event } from './events.ts'
import { same, type Tx } from './write-rows.ts'

type SystemColumn = keyof typeof SYSTEM

/** Stored values of a device, read before it is written. */
export type DiscoveredDevice = { readonly [K in SystemColumn]: Value } & {
  readonly device_id: number
  readonly location_id: number | null
  readonly override_sysLocation: number | null
  readonly port_association_mode: number
  readonly first: boolean
  /** Something that it reported could not be stored. */
  readonly failing: boolean
}

/**
 * Locks and reads the device; null: it is gone. Writers of one device run one at a time until their transactions end.
 */
export async function lockDevice(tx: Tx, deviceId: number): Promise<DiscoveredDevice | null> {
  // An advisory lock and not the row: polls update device rows in batches, which could deadlock with it.
  await tx`select pg_advisory_xact_lock(${INVENTORY_LOCK}, ${deviceId})`
  const rows = await tx<DiscoveredDevice[]>`
    select device_id, location_id, "override_sysLocation", port_association_mode, last_discovered is null as first,
      exists (select from discovery_failures f where f.device_id = devices.device_id) as failing,
      ${tx(Object.keys(SYSTEM))}
    from devices where device_id = ${deviceId}`
  return rows[0] ?? null
}

/** First key of the advisory locks that serialise inventory writers of a device. */
const INVENTORY_LOCK = 0x696e76

/**
 * Writes what the system group and the OS's definition give. Returns the number of changed columns and their events.
 */
export async function syncSystem(
  tx: Tx,
  device: DiscoveredDevice,
  system: SystemObservation,
  adjusted: AdjustedValues,
): Promise<{ readonly changed: number; readonly events: readonly Event[] }> {
  const values: Record<string, Value> = {}
  const events: Event[] = []
  for (const name of Object.keys(SYSTEM) as readonly SystemColumn[]) {
    const sent = system[name]
    if (sent === undefined) continue
    // Records show sysObjectID with a leading dot, and its type is never null.
    const shown = name === 'sysObjectID' && sent !== null ? `.${String(sent).replace(/^\./, '')}` : sent
    const column: ColumnType & { readonly logged?: true } = SYSTEM[name]
    const value = clean(column, shown, adjusted) ?? (name === 'type' ? '' : null)
    if (same(value, device[name])) continue
    values[name] = value
    if (column.logged === true) events.push(systemEvent(device, changed(name, device[name], value)))
  }
  if (system.sysLocation !== undefined && device.override_sysLocation !== 1) {
    const location = await findLocation(tx, system.sysLocation, adjusted)
    if (location.id !== device.location_id) {
      values['location_id'] = location.id
      events.push(systemEvent(device, `Location: ${location.name}`))
    }
  }
  const names = Object.keys(values)
  if (names.length > 0) await tx`update devices set ${tx(values, names)} where device_id = ${device.device_id}`
  return { changed: names.length, events }
}

function systemEvent(device: DiscoveredDevice, message: string): Event {
  return { deviceId: device.device_id, message, type: 'system', reference: device.device_id, severity: 3 }
}

/**
 * The location named by sysLocation, created if missing; `id` null if it names none. Coordinates in brackets at the
 * end, as in `Rack 12 [51.5074, -0.1278]`, become the location's unless a person fixed them.
 */
async function findLocation(
  tx: Tx,
  sysLocation: string | null,
  adjusted: AdjustedValues,
): Promise<{ readonly id: number | null; readonly name: string }> {
  const name = String(clean(text(255), sysLocation?.trim() ?? '', adjusted))
  if (name === '') return { id: null, name }
  const place = coordinates(name)
  const row = await locationNamed(tx, name, place)
  if (
    place !== null &&
    row.fixed_coordinates === 0 &&
    (Number(row.lat) !== place.lat || Number(row.lng) !== place.lng)
  ) {
    await tx`update locations set lat = ${place.lat}, lng = ${place.lng}, timestamp = now() where id = ${row.id}`
  }
  return { id: row.id, name }
}

interface StoredLocation {
  readonly id: number
  readonly lat: string | null
  readonly lng: string | null
  readonly fixed_coordinates: number
}

/**
 * The location of this name, case-insensitive; created if missing. It cannot be deleted until the transaction ends, and
 * discoveries of other devices at the same place do not wait for that.
 */
async function locationNamed(
  tx: Tx,
  name: string,
  place: { readonly lat: number; readonly lng: number } | null,
): Promise<StoredLocation> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [row] = await tx<StoredLocation[]>`
      with known as (
        select id, lat, lng, fixed_coordinates from locations where lower(location) = lower(${name}) for key share
      ), made as (
        insert into locations (location, lat, lng) select ${name}, ${place?.lat ?? null}, ${place?.lng ?? null}
        where not exists (select from known)
        on conflict (lower(location)) do nothing returning id, lat, lng, fixed_coordinates
      )
      select * from known union all select * from made`
    if (row !== undefined) return row
    // made by another transaction meanwhile, whose row the next statement sees
  }
  throw new Error(`location ${name} was made and deleted ${ATTEMPTS} times`)
}

/** More than two only if somebody deletes a location while it is being made. */
const ATTEMPTS = 5

/**
 * Latitude and longitude in degrees from `[lat, lng]` or `(lat, lng)` at the end of a text; null: none, or out of
 * range.
 */
export function coordinates(location: string): { readonly lat: number; readonly lng: number } | null {
  const match = /[[(]\s*([-+]?\d{1,2}(?:\.\d+)?)\s*[,;]\s*([-+]?\d{1,3}(?:\.\d+)?)\s*[\])]\s*$/.exec(location)
  if (match === null) return null
  const [lat, lng] = [Number(match[1]), Number(match[2])]
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null
}
