import type { Store } from '../../../src/core/database/client.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { newDevice, port, ports } from '../discovery/factories.ts'

/** A station on `access-1 Gi0/3`, which was on `access-1 Gi0/2` before and is seen through the uplink of `core-1`, too. */
export const PC = '4c14a3010203'
export const ADDRESS = '10.20.0.101'
/** A station that has left `access-2 Gi0/1`. */
export const GONE = '0002b3000001'

export interface SightedNetwork {
  readonly access1: number
  readonly access2: number
  readonly core: number
  /** port_id by `HOSTNAME IFNAME`. */
  readonly ports: Readonly<Record<string, number>>
}

const run = { tookMs: 1, complete: true }
const fdb = (rows: readonly (readonly [string, number])[]): Observation => ({
  kind: 'fdb',
  complete: true,
  rows: rows.map(([mac_address, ifIndex]) => ({ mac_address, ifIndex, vlan: null })),
})

/** Two access switches and a router with sightings of some days. */
export async function sightedNetwork(store: Store): Promise<SightedNetwork> {
  const { sql } = store
  const device = async (hostname: string, ...seen: readonly Observation[]) => {
    const id = await newDevice(store, { hostname })
    await writeDiscovery(store, id, [ports([port(1), port(2), port(3), port(48)]), ...seen], run)
    return id
  }
  const access1 = await device('access-1', fdb([[PC, 2]]))
  const access2 = await device('access-2', fdb([[GONE, 1]]))
  const core = await device('core-1', fdb([[PC, 48]]), {
    kind: 'arp',
    complete: true,
    rows: [{ ifIndex: 1, address: ADDRESS, mac: PC, context: null }],
  })
  await sql`insert into links (local_port_id, local_device_id, remote_hostname, remote_device_id, remote_port, remote_version)
    select port_id, device_id, 'access-1', ${access1}, 'x', '' from ports where device_id = ${core} and "ifIndex" = 48`
  await sql`update sightings set first_seen = first_seen - interval '3 d'`
  await sql`update sighting_readings set complete_at = complete_at - interval '2 d'`
  await writeDiscovery(
    store,
    access1,
    [
      fdb([[PC, 3]]),
      {
        kind: 'nac',
        complete: true,
        rows: [
          {
            local: { by: 'ifIndex', value: '3' },
            auth_id: '1',
            domain: 'data',
            username: 'ann@example.net',
            mac_address: PC,
            ip_address: ADDRESS,
            host_mode: '',
            authz_status: '',
            authz_by: '',
            authc_status: '',
            method: '',
            timeout: 0,
            time_left: null,
            vlan: 20,
            time_elapsed: null,
          },
        ],
      },
    ],
    run,
  )
  await writeDiscovery(store, access2, [fdb([])], run)
  const rows = await sql<{ name: string; port_id: number }[]>`
    select hostname || ' ' || "ifName" as name, port_id from ports join devices using (device_id)`
  return { access1, access2, core, ports: Object.fromEntries(rows.map(({ name, port_id }) => [name, port_id])) }
}
