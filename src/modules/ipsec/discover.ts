import { formatIpv6 } from '../../lib/ip.ts'
import { cikeTunnelTable, TUNNEL_STATUS } from '../../mibs/cisco-ipsec-flow-monitor-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { need, phase } from '../module.ts'
import { isFrom } from '../vendor.ts'

/** The MIB has no ports. */
const UNKNOWN_PORT = 0

/** IPsec tunnels of Cisco gateways. The table has only tunnels that are up; one that goes down is removed. */
export const discoverIpsec = phase({
  follow: ({ device }) =>
    isFrom(device, 'cisco') ? [{ key: 'tunnels', tables: { tunnels: need(cikeTunnelTable) } }] : [],
  run({ followed }) {
    const tunnels = followed.get('tunnels')?.tables.tunnels
    return [
      {
        kind: 'ipsec',
        complete: tunnels?.complete ?? true,
        rows: [...(tunnels?.rows.values() ?? [])].flatMap((row) => {
          const peer_addr = address(row.cikeTunRemoteAddr) ?? row.cikeTunRemoteValue
          if (!peer_addr) return []
          return [
            {
              peer_addr,
              peer_port: UNKNOWN_PORT,
              local_addr: address(row.cikeTunLocalAddr) ?? row.cikeTunLocalValue,
              local_port: UNKNOWN_PORT,
              tunnel_name: row.cikeTunRemoteName || peer_addr,
              tunnel_status: enumName(TUNNEL_STATUS, row.cikeTunStatus),
            },
          ]
        }),
      },
    ]
  },
})

/** IPSIpAddress: 4 or 16 octets. */
function address(octets: Uint8Array | undefined): string | undefined {
  if (octets?.length === 4) return octets.join('.')
  return octets?.length === 16 ? formatIpv6(octets) : undefined
}
