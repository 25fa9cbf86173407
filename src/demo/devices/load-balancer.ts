import {
  ltmPoolMbrStatusTable,
  ltmPoolMemberTable,
  ltmPoolTable,
  ltmVirtualServTable,
  ltmVsStatusTable,
} from '../../mibs/f5-bigip-local-mib.ts'
import type { DeviceModel } from '../device.ts'
import { type Gauge, wave } from '../gauge.ts'
import {
  sysChassisFanTable,
  sysChassisPowerSupplyTable,
  sysChassisTempTable,
  sysCmFailoverStatus,
  sysCmSyncStatus,
  sysGlobalStat,
} from '../mib/f5.ts'
import { mibRows, textIndex } from '../mib/of-mibs.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { hostTables } from '../parts/host.ts'
import { type Port, portTables } from '../parts/ports.ts'
import type { Seeds } from '../seeds.ts'
import { SITES } from '../sites.ts'
import { type Instance, scalarValues, tableRows } from '../table.ts'
import { flow } from '../traffic.ts'

const POOL = '/Common/web'
const SERVER = '/Common/www'
/** Web servers behind it; the last one is down. */
const MEMBERS = ['10.50.0.11', '10.50.0.12', '10.50.0.13'] as const
const HTTPS = 443
/** Values of AvailState. */
const GREEN = 1
const RED = 3
const ENABLED = 1

const octets = (address: string): Uint8Array => Uint8Array.from(address.split('.').map(Number))

/** A load balancer with one virtual server and a pool of three, of which one is down. */
export const loadBalancer: DeviceModel = {
  name: 'lb-1',
  kind: 'load balancer',
  sysDescr: 'BIG-IP i2600 : Linux 3.10.0-862.14.4.el7.x86_64 : BIG-IP software release 16.1.4.1, build 0.50.5',
  sysObjectID: '1.3.6.1.4.1.3375.2.1.3.4.1000',
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
      ...health(own),
    ]
  },
}

/** F5-BIGIP-SYSTEM-MIB::sysProductVersion, sysPlatformInfoMarketingName and sysGeneralChassisSerialNum. */
function product(serial: string): Instance[] {
  const text = (object: string, value: string): Instance => ({ object, index: '0', type: 'Text', value })
  return [
    text('1.3.6.1.4.1.3375.2.1.3.3.3', serial),
    text('1.3.6.1.4.1.3375.2.1.3.5.2', 'BIG-IP i2600'),
    text('1.3.6.1.4.1.3375.2.1.4.2', '16.1.4.1'),
  ]
}

const GOOD = 1
const IN_SYNC = 3
const ACTIVE = 4
const STATUS_GREEN = 0

/** Connections, memory, processors, and the chassis. */
function health(own: Seeds): Instance[] {
  const memory = 16 * 2 ** 30
  const tmm = 6.9 * 2 ** 30
  const whole = (gauge: Gauge) => (t: Parameters<Gauge>[0]) => BigInt(Math.round(gauge(t)))
  const clients = wave(own('clients'), { mean: 5400, day: 3100, peakHour: 19, noise: 650, min: 40 })
  const servers = (t: Parameters<Gauge>[0]) => clients(t) * 0.62
  const used = wave(own('tmm'), { mean: tmm * 0.34, day: tmm * 0.06, peakHour: 19, noise: tmm * 0.01, noiseS: 1800 })
  const ram = wave(own('ram'), { mean: memory * 0.83, noise: memory * 0.01, noiseS: 3600 })
  return [
    ...scalarValues(sysGlobalStat, {
      sysStatClientCurConns: whole(clients),
      sysStatServerCurConns: whole(servers),
      sysStatMemoryTotal: BigInt(Math.round(tmm)),
      sysStatMemoryUsed: whole(used),
      sysStatClientCurConns1m: whole(clients),
      sysStatServerCurConns1m: whole(servers),
    }),
    ...scalarValues(sysCmSyncStatus, { sysCmSyncStatusId: IN_SYNC }),
    ...scalarValues(sysCmFailoverStatus, { sysCmFailoverStatusId: ACTIVE, sysCmFailoverStatusColor: STATUS_GREEN }),
    ...tableRows(
      sysChassisFanTable,
      range(1, 4).map((n) => [
        n,
        {
          sysChassisFanStatus: GOOD,
          sysChassisFanSpeed: wave(own(`fan ${n}`), { mean: 8900, day: 300, peakHour: 16, noise: 200, noiseS: 1800 }),
        },
      ]),
    ),
    ...tableRows(
      sysChassisPowerSupplyTable,
      range(1, 2).map((n) => [n, { sysChassisPowerSupplyStatus: GOOD }]),
    ),
    ...tableRows(
      sysChassisTempTable,
      [28, 41].map((mean, i) => [
        i + 1,
        {
          sysChassisTempTemperature: wave(own(`celsius ${i}`), {
            mean,
            day: 2.5,
            peakHour: 16,
            noise: 1.2,
            noiseS: 900,
          }),
        },
      ]),
    ),
    ...hostTables({
      memoryOctets: memory,
      storage: [
        { index: 1, type: 'ram', descr: 'Host memory', unit: 1024, sizeOctets: memory, usedOctets: ram },
        {
          index: 32,
          type: 'fixedDisk',
          descr: '/var',
          unit: 4096,
          sizeOctets: 2.9 * 2 ** 30,
          usedOctets: wave(own('var'), { mean: 1.3 * 2 ** 30, noise: 0.1 * 2 ** 30, noiseS: 20_000 }),
        },
        {
          index: 33,
          type: 'fixedDisk',
          descr: '/shared',
          unit: 4096,
          sizeOctets: 30 * 2 ** 30,
          usedOctets: () => 6.8 * 2 ** 30,
        },
      ],
      processors: range(1, 4).map((n) => ({
        index: n,
        descr: `CPU ${n}`,
        load: wave(own(`cpu ${n}`), { mean: 21, day: 11, peakHour: 19, noise: 7, min: 1, max: 100 }),
      })),
    }),
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
