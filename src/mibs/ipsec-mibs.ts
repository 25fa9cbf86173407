import { col, mibTable } from '@portlight/snmp/table.ts'

/** FORTINET-FORTIGATE-MIB::fgVpnTunTable, indexed by phase 1 and phase 2 of the tunnel. */
export const fgVpnTunTable = mibTable('FORTINET-FORTIGATE-MIB::fgVpnTunTable', '1.3.6.1.4.1.12356.101.12.2.2.1', {
  fgVpnTunEntRemGwyIp: col(4, 'IpAddress'),
  fgVpnTunEntPhase1Name: col(2, 'DisplayString'),
  fgVpnTunEntRemGwyPort: col(5, 'Integer'),
  fgVpnTunEntLocGwyIp: col(6, 'IpAddress'),
  fgVpnTunEntLocGwyPort: col(7, 'Integer'),
  fgVpnTunEntStatus: col(20, 'Integer'),
})

/** fgVpnTunEntStatus. */
export const FG_TUNNEL_STATUS = { 1: 'down', 2: 'active' } as const

/**
 * JUNIPER-IPSEC-FLOW-MON-MIB::jnxIkeTunnelMonTable: active IKE tunnels, indexed by type and address of the remote
 * gateway, and a number.
 */
export const jnxIkeTunnelMonTable = mibTable(
  'JUNIPER-IPSEC-FLOW-MON-MIB::jnxIkeTunnelMonTable',
  '1.3.6.1.4.1.2636.3.52.1.1.2.1',
  {
    jnxIkeTunMonState: col(6, 'Integer'),
    jnxIkeTunMonLocalGwAddr: col(4, 'OctetString'),
    jnxIkeTunMonRemoteIdValue: col(14, 'DisplayString'),
  },
)

/** JnxIkeTunStateType; down means being negotiated. */
export const JNX_TUNNEL_STATUS = { 1: 'active', 2: 'down' } as const

/** CHECKPOINT-MIB::tunnelTable, indexed by the peer's address and, on newer agents, 0. */
export const tunnelTable = mibTable('CHECKPOINT-MIB::tunnelTable', '1.3.6.1.4.1.2620.500.9002.1', {
  tunnelPeerIpAddr: col(1, 'IpAddress'),
  tunnelState: col(3, 'Integer'),
  tunnelPeerObjName: col(2, 'DisplayString'),
  tunnelSourceIpAddr: col(7, 'IpAddress'),
})

/** tunnelState. */
export const CP_TUNNEL_STATUS = {
  3: 'active',
  4: 'destroy',
  129: 'idle',
  130: 'phase1',
  131: 'down',
  132: 'init',
} as const

/** SONICWALL-FIREWALL-IP-STATISTICS-MIB::sonicSAStatTable: security associations in use, indexed by number. */
export const sonicSAStatTable = mibTable(
  'SONICWALL-FIREWALL-IP-STATISTICS-MIB::sonicSAStatTable',
  '1.3.6.1.4.1.8741.1.3.2.1.1.1',
  {
    sonicSAStatPeerGateway: col(2, 'IpAddress'),
    sonicSAStatUserName: col(14, 'DisplayString'),
  },
)

/** FIREBRICK-IPSEC-MIB::fbIPsecConnectionTable, indexed by number. */
export const fbIPsecConnectionTable = mibTable(
  'FIREBRICK-IPSEC-MIB::fbIPsecConnectionTable',
  '1.3.6.1.4.1.24693.100.500.2.1',
  {
    fbIPsecConnectionState: col(3, 'Integer'),
    fbIPsecConnectionName: col(2, 'DisplayString'),
    /** As text; 0.0.0.0: no peer yet. */
    fbIPsecConnectionPeerAddress: col(7, 'DisplayString'),
  },
)

/** FbIPsecConState. */
export const FB_TUNNEL_STATUS = {
  0: 'bad config',
  1: 'off',
  2: 'waiting',
  3: 'waiting',
  4: 'lingering',
  5: 'waiting',
  6: 'down',
  7: 'init',
  8: 'init',
  9: 'init',
  10: 'closing',
  11: 'childless',
  12: 'active',
} as const

/** SFOS-FIREWALL-MIB::sfosIPSecVpnTunnelTable (Sophos), indexed by connection. It has no addresses of peers. */
export const sfosIPSecVpnTunnelTable = mibTable(
  'SFOS-FIREWALL-MIB::sfosIPSecVpnTunnelTable',
  '1.3.6.1.4.1.2604.5.1.6.1.1.1.1',
  {
    sfosIPSecVpnConnName: col(2, 'DisplayString'),
    sfosIPSecVpnConnStatus: col(9, 'Integer'),
    /** 0: switched off. */
    sfosIPSecVpnActivated: col(10, 'Integer'),
  },
)

/** IPSecVPNConnectionStatus. */
export const SFOS_TUNNEL_STATUS = { 0: 'down', 1: 'active', 2: 'partial' } as const
