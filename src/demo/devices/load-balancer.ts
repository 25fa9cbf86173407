import {
  ltmPoolMbrStatusTable,
  ltmPoolMemberTable,
  ltmPoolTable,
  ltmVirtualServTable,
  ltmVsStatusTable,
} from '../../mibs/f5-bigip-local-mib.ts'
import type { DeviceModel } from '../device.ts'
import { mibRows, textIndex } from '../mib/of-mibs.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { type Port, portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'
import type { Instance } from '../table.ts'
import { flow } from '../traffic.ts'

const POOL = '/Common/web'
const SERVER = '/Common/www'
/** Web servers behind it; the last one is out of order. */
const MEMBERS = ['10.50.0.11', '10.50.0.12', '10.50.0.13'] as const
const HTTPS = 443
/** AvailState. */
const GREEN = 1
const RED = 3
const ENABLED = 1

const octets = (address: string): Uint8Array => Uint8Array.from(address.split('.').map(Number))

/** A load balancer with one virtual server and a pool of three, of which one is down. */
export const loadBalancer: DeviceModel = {
  name: 'lb-1',
  kind: 'load balancer',
  sysDescr:
    'BIG-IP Virtual Edition : Linux 3.10.0-862.14.4.el7.ve.x86_64 : BIG-IP software release 16.1.4.1, build 0.50.5',
  sysObjectID: '1.3.6.1.4.1.3375.2.1.3.4.43',
  sysServices: 76,
  location: SITES.dataCentre,
  instances({ own }) {
    const mac = macsOf('00:23:e9', own('mac'))
    const ports = range(1, 2).map(
      (n): Port => ({
        index: 16 * (n + 1),
        name: `1.${n}`,
        mbps: 10_000,
        mac: mac(n),
        in: flow(own(`in ${n}`), {
          meanBps: n === 1 ? 4.1e7 : 4.4e8,
          shape: 'evening',
          packetOctets: n === 1 ? 310 : 940,
        }),
        out: flow(own(`out ${n}`), {
          meanBps: n === 1 ? 4.4e8 : 4.1e7,
          shape: 'evening',
          packetOctets: n === 1 ? 940 : 310,
        }),
      }),
    )
    return [
      ...portTables(ports, { etherLike: false }),
      ...addressTables([
        { ifIndex: 32, cidr: '192.0.2.66/27' },
        { ifIndex: 48, cidr: '10.50.0.5/22' },
      ]),
      ...product(serialOf('chs', own('serial'))),
      ...pool(),
    ]
  },
}

/** F5-BIGIP-SYSTEM-MIB::sysProductVersion, sysPlatformInfoMarketingName and sysGeneralChassisSerialNum. */
function product(serial: string): Instance[] {
  const text = (object: string, value: string): Instance => ({ object, index: '0', type: 'Text', value })
  return [
    text('1.3.6.1.4.1.3375.2.1.3.3.3', serial),
    text('1.3.6.1.4.1.3375.2.1.3.5.2', 'BIG-IP Virtual Edition'),
    text('1.3.6.1.4.1.3375.2.1.4.2', '16.1.4.1'),
  ]
}

function pool(): Instance[] {
  const member = (address: string) => `${textIndex(POOL)}.${textIndex(`/Common/${address}`)}.${HTTPS}`
  return [
    ...mibRows(ltmPoolTable, [
      [
        textIndex(POOL),
        {
          ltmPoolName: POOL,
          ltmPoolLbMode: 0,
          ltmPoolMinUpMembers: 1,
          ltmPoolMinUpMembersEnable: ENABLED,
          ltmPoolMinUpMembersAction: 1,
          ltmPoolActiveMemberCnt: MEMBERS.length - 1,
          ltmPoolMonitorRule: '/Common/https',
        },
      ],
    ]),
    ...mibRows(
      ltmPoolMemberTable,
      MEMBERS.map((address) => [
        member(address),
        {
          ltmPoolMemberPoolName: POOL,
          ltmPoolMemberAddr: octets(address),
          ltmPoolMemberPort: HTTPS,
          ltmPoolMemberRatio: 1,
          ltmPoolMemberWeight: 1,
          ltmPoolMemberPriority: 0,
          ltmPoolMemberNodeName: `/Common/${address}`,
        },
      ]),
    ),
    ...mibRows(
      ltmPoolMbrStatusTable,
      MEMBERS.map((address, i) => [
        member(address),
        {
          ltmPoolMbrStatusAvailState: i === MEMBERS.length - 1 ? RED : GREEN,
          ltmPoolMbrStatusEnabledState: ENABLED,
          ltmPoolMbrStatusDetailReason: i === MEMBERS.length - 1 ? 'Pool member has been marked down by a monitor' : '',
        },
      ]),
    ),
    ...mibRows(ltmVirtualServTable, [
      [
        textIndex(SERVER),
        {
          ltmVirtualServName: SERVER,
          ltmVirtualServAddr: octets('192.0.2.70'),
          ltmVirtualServPort: HTTPS,
          ltmVirtualServDefaultPool: POOL,
        },
      ],
    ]),
    ...mibRows(ltmVsStatusTable, [
      [textIndex(SERVER), { ltmVsStatusAvailState: GREEN, ltmVsStatusDetailReason: 'The virtual server is available' }],
    ]),
  ]
}
