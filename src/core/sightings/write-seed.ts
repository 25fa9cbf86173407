import type { Tx } from '../database/client.ts'
import type { SightingKind } from './sighting.ts'

/** MAC addresses as the tables have them, of ports that exist. */
const KEPT: Readonly<Partial<Record<SightingKind, string>>> = {
  fdb: `select t.port_id, t.mac_address, v.vlan_vlan as vlan, null::text as username, t.created_at, t.updated_at
    from ports_fdb t left join vlans v on v.vlan_id = t.vlan_id where t.device_id = $1 and t.port_id is not null`,
  nac: `select t.port_id, t.mac_address, t.vlan, nullif(t.username, ''), t.created_at, t.updated_at
    from ports_nac t where t.device_id = $1`,
}

/**
 * Before the first reading of a device: takes over what its tables say of the time before, which is what an import
 * brought, or a version without sightings. Has to run before the tables are brought up to date. At most `most` rows.
 */
export async function seedSightings(
  tx: Tx,
  deviceId: number,
  kinds: readonly SightingKind[],
  most: number,
): Promise<void> {
  const seeded = kinds.filter((kind) => kind in KEPT)
  if (seeded.length === 0) return
  const read = await tx<{ kind: string }[]>`select kind from sighting_readings where device_id = ${deviceId}`
  for (const kind of seeded) {
    if (read.some((row) => row.kind === kind)) continue
    await tx.unsafe(
      `insert into sightings (device_id, kind, port_id, mac_address, vlan, username, first_seen, last_seen)
       select $1, $2, port_id, mac_address, vlan, username, min(created_at), greatest(min(created_at), max(updated_at))
       from (${KEPT[kind]}) t(port_id, mac_address, vlan, username, created_at, updated_at)
       where mac_address ~ '^[0-9a-f]{12}$'
       group by port_id, mac_address, vlan, username order by max(updated_at) desc limit $3`,
      [deviceId, kind, most],
    )
  }
}
