import { col, mibTable } from '@portlight/snmp/table.ts'

/** CISCO-IPSEC-FLOW-MONITOR-MIB::cikeTunnelTable: the active tunnels to IKE peers, indexed by number. */
export const cikeTunnelTable = mibTable(
  'CISCO-IPSEC-FLOW-MONITOR-MIB::cikeTunnelTable',
  '1.3.6.1.4.1.9.9.171.1.2.3.1',
  {
    cikeTunRemoteValue: col(7, 'DisplayString'),
    cikeTunLocalValue: col(3, 'DisplayString'),
    cikeTunLocalAddr: col(4, 'OctetString'),
    cikeTunRemoteAddr: col(8, 'OctetString'),
    cikeTunRemoteName: col(9, 'DisplayString'),
    cikeTunStatus: col(35, 'Integer'),
  },
)

/** TunnelStatus. */
export const TUNNEL_STATUS = { 1: 'active', 2: 'destroy' } as const
