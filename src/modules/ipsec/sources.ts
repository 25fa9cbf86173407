import { formatIp } from '@portlight/addresses/ip.ts'
import { looseIpv4 } from '../../lib/loose-index.ts'
import { cikeTunnelTable, TUNNEL_STATUS } from '../../mibs/cisco-ipsec-flow-monitor-mib.ts'
import {
  CP_TUNNEL_STATUS,
  FB_TUNNEL_STATUS,
  FG_TUNNEL_STATUS,
  fbIPsecConnectionTable,
  fgVpnTunTable,
  JNX_TUNNEL_STATUS,
  jnxIkeTunnelMonTable,
  SFOS_TUNNEL_STATUS,
  sfosIPSecVpnTunnelTable,
  sonicSAStatTable,
  tunnelTable,
} from '../../mibs/ipsec-mibs.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { type DeviceFacts, need } from '../module.ts'
import { isOf, type Source, source } from '../source.ts'
import type { IpsecRow } from './observation.ts'

/** For MIBs without port numbers. */
const NO_PORTS = { peer_port: 0, local_port: 0 } as const

const SOURCES: readonly Source<undefined, readonly IpsecRow[]>[] = [
  source({
    vendors: ['cisco'],
    tables: { tunnels: need(cikeTunnelTable) },
    read: ({ tunnels }) =>
      [...tunnels.values()].flatMap((row) => {
        const peer_addr = formatIp(row.cikeTunRemoteAddr) ?? row.cikeTunRemoteValue
        if (!peer_addr) return []
        return [
          {
            ...NO_PORTS,
            peer_addr,
            local_addr: formatIp(row.cikeTunLocalAddr) ?? row.cikeTunLocalValue,
            tunnel_name: row.cikeTunRemoteName || peer_addr,
            tunnel_status: enumName(TUNNEL_STATUS, row.cikeTunStatus),
          },
        ]
      }),
  }),
  source({
    vendors: ['fortinet'],
    tables: { tunnels: need(fgVpnTunTable) },
    // one row per phase 2: the tunnel to a peer is up if any of them is
    read: ({ tunnels }) =>
      [...tunnels.values()].flatMap((row) => {
        const peer_addr = known(row.fgVpnTunEntRemGwyIp)
        if (peer_addr === undefined) return []
        return [
          {
            peer_addr,
            peer_port: row.fgVpnTunEntRemGwyPort ?? 0,
            local_addr: known(row.fgVpnTunEntLocGwyIp) ?? null,
            local_port: row.fgVpnTunEntLocGwyPort ?? 0,
            tunnel_name: row.fgVpnTunEntPhase1Name || peer_addr,
            tunnel_status: enumName(FG_TUNNEL_STATUS, row.fgVpnTunEntStatus),
          },
        ]
      }),
  }),
  source({
    vendors: ['juniper'],
    tables: { tunnels: need(jnxIkeTunnelMonTable) },
    read: ({ tunnels }) =>
      [...tunnels].flatMap(([index, row]) => {
        const peer_addr = indexAddress(index)
        if (peer_addr === undefined) return []
        return [
          {
            ...NO_PORTS,
            peer_addr,
            local_addr: formatIp(row.jnxIkeTunMonLocalGwAddr),
            tunnel_name: row.jnxIkeTunMonRemoteIdValue || peer_addr,
            tunnel_status: enumName(JNX_TUNNEL_STATUS, row.jnxIkeTunMonState),
          },
        ]
      }),
  }),
  source({
    vendors: ['checkPoint'],
    tables: { tunnels: need(tunnelTable) },
    read: ({ tunnels }) =>
      [...tunnels].flatMap(([index, row]) => {
        const peer_addr = row.tunnelPeerIpAddr ?? looseIpv4(index, 0)
        if (peer_addr === null) return []
        return [
          {
            ...NO_PORTS,
            peer_addr,
            local_addr: known(row.tunnelSourceIpAddr) ?? null,
            tunnel_name: row.tunnelPeerObjName || peer_addr,
            tunnel_status: enumName(CP_TUNNEL_STATUS, row.tunnelState),
          },
        ]
      }),
  }),
  source({
    vendors: ['firebrick'],
    tables: { tunnels: need(fbIPsecConnectionTable) },
    // any number of tunnels may be waiting for peers at addresses that are not known yet
    read: ({ tunnels }) =>
      [...tunnels.values()].flatMap((row) => {
        const tunnel_name = row.fbIPsecConnectionName ?? ''
        const peer_addr = known(row.fbIPsecConnectionPeerAddress) ?? tunnel_name
        if (peer_addr === '') return []
        const tunnel_status = enumName(FB_TUNNEL_STATUS, row.fbIPsecConnectionState)
        return [{ ...NO_PORTS, peer_addr, local_addr: null, tunnel_name: tunnel_name || peer_addr, tunnel_status }]
      }),
  }),
  source({
    vendors: ['sophos'],
    tables: { tunnels: need(sfosIPSecVpnTunnelTable) },
    // connections go by their name, because the MIB has no address
    read: ({ tunnels }) =>
      [...tunnels.values()].flatMap((row) => {
        const name = row.sfosIPSecVpnConnName ?? ''
        if (name === '') return []
        const status = enumName(SFOS_TUNNEL_STATUS, row.sfosIPSecVpnConnStatus)
        const tunnel_status = row.sfosIPSecVpnActivated === 0 ? 'off' : status
        return [{ ...NO_PORTS, peer_addr: name, local_addr: null, tunnel_name: name, tunnel_status }]
      }),
  }),
  source({
    vendors: ['sonicWall'],
    tables: { associations: need(sonicSAStatTable) },
    // the table lists only associations that are in use
    read: ({ associations }) =>
      [...associations.values()].flatMap((row) => {
        const peer_addr = known(row.sonicSAStatPeerGateway)
        if (peer_addr === undefined) return []
        const tunnel_name = row.sonicSAStatUserName || peer_addr
        return [{ ...NO_PORTS, peer_addr, local_addr: null, tunnel_name, tunnel_status: 'active' }]
      }),
  }),
]

export function sourcesOf(device: DeviceFacts): readonly Source<undefined, readonly IpsecRow[]>[] {
  return SOURCES.filter(({ vendors }) => isOf(device, vendors))
}

/** Agents send 0.0.0.0 if there is no address, for example for a dial-up peer that is not connected. */
function known(text: string | undefined): string | undefined {
  return text === '' || text === '0.0.0.0' ? undefined : text
}

/** The address in an index: its type, its length (which some agents omit), its octets, and a number. */
function indexAddress(index: string): string | undefined {
  const [type, ...rest] = index.split('.').map(Number)
  const length = type === 1 ? 4 : type === 2 ? 16 : Number.NaN
  const octets = rest.length === length + 2 && rest[0] === length ? rest.slice(1, -1) : rest.slice(0, -1)
  if (octets.length !== length || octets.some((octet) => octet > 255)) return undefined
  return formatIp(Uint8Array.from(octets)) ?? undefined
}
