import { portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { OWN_ALIAS } from '../ports/own-alias.ts'
import { portRates } from '../series/rates.ts'
import { ANSWERS, OLD_SINCE } from './read-old-values.ts'

/** A port of a device with its rates at the last poll, unknown if the device does not answer. null: unknown. */
export interface PortListRow {
  readonly port_id: number
  readonly device_id: number
  readonly ifIndex: number
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifAlias: string | null
  readonly ifType: string | null
  readonly ifOperStatus: string | null
  /** Before the last change. */
  readonly ifOperStatus_prev: string | null
  readonly ifAdminStatus: string | null
  /** Bits per second. */
  readonly ifSpeed: number | null
  readonly ifVlan: string | null
  readonly ifPhysAddress: string | null
  readonly in_bps: number | null
  readonly out_bps: number | null
  readonly in_pps: number | null
  readonly out_pps: number | null
  /** Errors and discards of both directions per second. */
  readonly errors: number | null
  readonly discards: number | null
  /** When the device last answered, if it no longer does; null: it does. */
  readonly old_since: Date | null
  /** Name of a neighbour, and its port. */
  readonly neighbour: string | null
  readonly neighbour_port: string | null
}

/** Maximum ports of one page. */
const MAX_PORTS = 2000

/** Ports of a device in scope, by ifIndex, without deleted ones. */
export async function listDevicePorts({ sql }: Store, scope: Scope, deviceId: number): Promise<PortListRow[]> {
  return await sql<PortListRow[]>`
      select p.port_id, p.device_id, p."ifIndex", p."ifName", p."ifDescr", ${sql.unsafe(OWN_ALIAS)} as "ifAlias", p."ifType", p."ifOperStatus", p."ifOperStatus_prev",
        p."ifAdminStatus", p."ifSpeed", p."ifVlan", p."ifPhysAddress",
        ${sql.unsafe(portRates('x'))},
        x.in_pkts * 1000.0::float8 / x.period_ms as in_pps, x.out_pkts * 1000.0::float8 / x.period_ms as out_pps,
        (x.in_err + x.out_err) * 1000.0::float8 / x.period_ms as errors,
        (x.in_disc + x.out_disc) * 1000.0::float8 / x.period_ms as discards, ${sql.unsafe(OLD_SINCE)} as old_since,
        n.remote_hostname as neighbour, n.remote_port as neighbour_port
      from ports p join devices d on d.device_id = p.device_id left join ts.port_state s on s.device_id = p.device_id
        left join ts.port_samples x on x.port_id = p.port_id and x."time" = s."time" and ${sql.unsafe(ANSWERS)}
        left join lateral (select remote_hostname, remote_port from links n where n.local_port_id = p.port_id and n.active = 1
          order by n.id limit 1) n on true
      where p.device_id = ${deviceId} and p.deleted = 0 and ${portInScope(sql, scope)}
      order by p."ifIndex", p.port_id limit ${MAX_PORTS}`
}

/** A station behind a port. */
export interface PortStation {
  /** 12 hex digits. */
  readonly mac: string
  readonly vlan: number | null
  readonly address: string | null
  readonly seen: Date
}

/** Stations last seen behind a port, the latest first, with their IPv4 address from the device's own ARP table. */
export async function portStations({ sql }: Store, portId: number, limit: number): Promise<PortStation[]> {
  return await sql<PortStation[]>`
      select f.mac_address as mac, v.vlan_vlan as vlan, f.updated_at as seen,
        (select a.ipv4_address from ipv4_mac a where a.mac_address = f.mac_address and a.device_id = f.device_id
          order by a.id limit 1) as address
      from ports_fdb f left join vlans v on v.vlan_id = f.vlan_id where f.port_id = ${portId}
      order by f.updated_at desc, f.mac_address limit ${limit}`
}
