import { cafSessionMethodsInfoTable, cafSessionTable } from '../../mibs/cisco-auth-framework-mib.ts'
import { cikeTunnelTable } from '../../mibs/cisco-ipsec-flow-monitor-mib.ts'
import { cpsIfConfigTable } from '../../mibs/cisco-port-security-mib.ts'
import { mibRows, textIndex } from '../mib/of-mibs.ts'
import type { Instance } from '../table.ts'
import type { Campus } from './campus.ts'
import { macOf } from './neighbours.ts'
import { STATIONS } from './plan.ts'

/** The switch that authenticates stations by IEEE 802.1X or by their MAC address. */
const GUARDED = 'access-1'
const AUTHORIZED = 6
const DATA = 2
const VOICE = 3
const MULTI_DOMAIN = 4
const DOT1X = 2
const MAC_BYPASS = 3
const SUCCEEDED = 4
const IPV4 = 1
const VOICE_VLAN = 30
const TRUE = 1
const FALSE = 2

/** CISCO-AUTH-FRAMEWORK-MIB: a session for each station on that switch. */
export function nacTables(campus: Campus, device: string): Instance[] {
  if (device !== GUARDED) return []
  const sessions = STATIONS.filter((s) => s.device === device).map((station, i) => {
    const { ifIndex } = campus.port(device, station.ifName)
    const id = `0A0A000B0000${(0x10 + i).toString(16).toUpperCase().padStart(4, '0')}`
    return { station, voice: station.vlan === VOICE_VLAN, key: `${ifIndex}.${textIndex(id)}` }
  })
  return [
    ...mibRows(
      cafSessionTable,
      sessions.map(({ station, voice, key }, i) => [
        key,
        {
          cafSessionClientMacAddress: macOf(station),
          cafSessionClientAddrType: IPV4,
          cafSessionClientAddress: Uint8Array.from(station.ip.split('.').map(Number)),
          cafSessionStatus: AUTHORIZED,
          cafSessionDomain: voice ? VOICE : DATA,
          cafSessionAuthHostMode: MULTI_DOMAIN,
          cafSessionAuthUserName: voice ? 'telephone' : `user${i + 1}`,
          cafSessionAuthorizedBy: 'Authentication Server',
          cafSessionAuthVlan: station.vlan,
          cafSessionTimeout: 3600,
          cafSessionTimeLeft: 1800,
        },
      ]),
    ),
    ...mibRows(
      cafSessionMethodsInfoTable,
      sessions.map(({ voice, key }) => [`${key}.${voice ? MAC_BYPASS : DOT1X}`, { cafSessionMethodState: SUCCEEDED }]),
    ),
  ]
}

/** CISCO-PORT-SECURITY-MIB: one sticky address per desk. */
export function portSecurityTables(campus: Campus, device: string): Instance[] {
  if (device !== GUARDED) return []
  return mibRows(
    cpsIfConfigTable,
    STATIONS.filter((s) => s.device === device).map((station) => [
      campus.port(device, station.ifName).ifIndex,
      {
        cpsIfPortSecurityEnable: TRUE,
        cpsIfPortSecurityStatus: 1,
        cpsIfMaxSecureMacAddr: 1,
        cpsIfCurrentSecureMacAddrCount: 1,
        cpsIfViolationAction: 2,
        cpsIfViolationCount: 0,
        cpsIfSecureLastMacAddress: macOf(station),
        cpsIfStickyEnable: FALSE,
      },
    ]),
  )
}

/** CISCO-IPSEC-FLOW-MONITOR-MIB: the tunnel that carries the branch. */
export function ipsecTables(device: string): Instance[] {
  if (device !== 'wan-1') return []
  return mibRows(cikeTunnelTable, [
    [
      1,
      {
        cikeTunLocalValue: '198.51.100.130',
        cikeTunLocalAddr: Uint8Array.of(198, 51, 100, 130),
        cikeTunRemoteValue: '203.0.113.130',
        cikeTunRemoteAddr: Uint8Array.of(203, 0, 113, 130),
        cikeTunRemoteName: 'branch-1',
        cikeTunStatus: 1,
      },
    ],
  ])
}
