import type { DeviceModel } from '../device.ts'
import { sawtooth, wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { dsmInfo, synoSystem } from '../mib/vendor.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { hostTables } from '../parts/host.ts'
import { linuxTables } from '../parts/linux.ts'
import { type Port, portTables } from '../parts/ports.ts'
import type { Seeds } from '../seeds.ts'
import { SITES } from '../sites.ts'
import { scalarValues } from '../table.ts'
import { flow } from '../traffic.ts'

const GiB = 2 ** 30
const TiB = 2 ** 40
const DAY_S = 86_400
const NET_SNMP_LINUX = '1.3.6.1.4.1.8072.3.2.10'

/** The loopback interface: what goes out comes in. */
function loopback(own: Seeds): Port {
  const both = flow(own('lo'), { meanBps: 2e6, shape: 'server', packetOctets: 300, chatterPps: 0 })
  return { index: 1, name: 'lo', type: 'softwareLoopback', mtu: 65_536, mbps: 10, in: both, out: both }
}

/** A public web server: busiest in the evening, log disk that fills and is rotated every day. */
export const webServer: DeviceModel = {
  name: 'web-1',
  kind: 'server',
  sysDescr: 'Linux web-1 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01) x86_64',
  sysObjectID: NET_SNMP_LINUX,
  sysServices: 72,
  location: SITES.dataCentre,
  instances({ own, links }) {
    const mac = macsOf('52:54:00', own('mac'))
    return [
      ...portTables([
        loopback(own),
        {
          index: 2,
          name: 'eth0',
          alias: 'leaf-1 Ethernet1',
          mbps: 10_000,
          mac: mac(0),
          ...linkEnd(links, 'leaf-1 web-1', 'lower'),
        },
      ]),
      ...addressTables([
        { ifIndex: 1, cidr: '127.0.0.1/8' },
        { ifIndex: 2, cidr: '192.0.2.70/27' },
        { ifIndex: 2, cidr: '2001:db8:0:70:0:0:0:70/64' },
        { ifIndex: 2, cidr: 'fe80:0:0:0:5054:ff:fe00:70/64' },
      ]),
      ...linuxTables({
        seeds: own,
        cores: 8,
        cpu: 'AuthenticAMD: AMD EPYC 7443P 24-Core Processor',
        load: wave(own('load'), { mean: 34, day: 19, peakHour: 19, noise: 12, min: 1, max: 98 }),
        memoryOctets: 32 * GiB,
        memoryUsed: wave(own('memory'), { mean: 0.38, day: 0.07, peakHour: 19, noise: 0.04, noiseS: 1800 }),
        swapOctets: 4 * GiB,
        users: wave(own('users'), { mean: 1.5, noise: 1.4, noiseS: 3600, min: 0 }),
        processes: wave(own('processes'), { mean: 287, day: 30, noise: 16 }),
        disks: [
          {
            path: '/',
            device: '/dev/vda1',
            sizeOctets: 80 * GiB,
            usedOctets: wave(own('/'), { mean: 31 * GiB, noise: 0.4 * GiB, noiseS: 7200 }),
          },
          {
            path: '/var/log',
            device: '/dev/vdb1',
            sizeOctets: 40 * GiB,
            usedOctets: sawtooth(own('log'), 6 * GiB, 33 * GiB, DAY_S),
          },
        ],
        diskRates: [
          { device: 'vda', readBps: 1.1e6, writeBps: 3.4e6 },
          { device: 'vdb', readBps: 4e4, writeBps: 3.2e5 },
        ],
      }),
    ]
  },
}

/** A database server in metal, with thermometers; speaks SNMPv3 as well. */
export const databaseServer: DeviceModel = {
  name: 'db-1',
  kind: 'server',
  sysDescr: 'Linux db-1 5.14.0-362.18.1.el9_3.x86_64 #1 SMP PREEMPT_DYNAMIC Wed Jan 3 15:54:45 EST 2024 x86_64',
  sysObjectID: NET_SNMP_LINUX,
  sysServices: 72,
  location: SITES.dataCentre,
  v3: { authname: 'portlight', authpass: 'demo-auth-password', cryptopass: 'demo-privacy-password' },
  instances({ own, links }) {
    const mac = macsOf('b8:ce:f6', own('mac'))
    return [
      ...portTables([
        loopback(own),
        {
          index: 2,
          name: 'eno1',
          alias: 'leaf-1 Ethernet2',
          mbps: 10_000,
          mtu: 9000,
          mac: mac(0),
          ...linkEnd(links, 'leaf-1 db-1', 'lower'),
        },
        { index: 3, name: 'eno2', mbps: 10_000, mac: mac(1), link: 'down' },
      ]),
      ...addressTables([
        { ifIndex: 1, cidr: '127.0.0.1/8' },
        { ifIndex: 2, cidr: '10.50.0.20/22' },
        { ifIndex: 2, cidr: '2001:db8:a:50:0:0:0:20/64' },
      ]),
      ...linuxTables({
        seeds: own,
        cores: 16,
        cpu: 'GenuineIntel: Intel(R) Xeon(R) Gold 6334 CPU @ 3.60GHz',
        load: wave(own('load'), { mean: 41, day: 17, noise: 15, min: 2, max: 99 }),
        memoryOctets: 256 * GiB,
        memoryUsed: wave(own('memory'), { mean: 0.52, day: 0.03, noise: 0.02, noiseS: 3600 }),
        swapOctets: 16 * GiB,
        processes: wave(own('processes'), { mean: 614, day: 60, noise: 25 }),
        disks: [
          {
            path: '/',
            device: '/dev/mapper/rl-root',
            sizeOctets: 70 * GiB,
            usedOctets: wave(own('/'), { mean: 22 * GiB, noise: 0.3 * GiB, noiseS: 7200 }),
          },
          { path: '/boot', device: '/dev/nvme0n1p2', sizeOctets: GiB, usedOctets: () => 0.41 * GiB },
          {
            path: '/var/lib/pgsql',
            device: '/dev/mapper/data-pgsql',
            sizeOctets: 3.4 * TiB,
            usedOctets: sawtooth(own('pgsql'), 2.1 * TiB, 2.9 * TiB, 90 * DAY_S),
          },
        ],
        diskRates: [
          { device: 'nvme0n1', readBps: 4.4e7, writeBps: 6.1e7 },
          { device: 'nvme1n1', readBps: 4.2e7, writeBps: 5.9e7 },
        ],
        temperatures: [
          { name: 'Package id 0', celsius: wave(own('package'), { mean: 57, day: 5, noise: 4 }) },
          { name: 'nvme0 Composite', celsius: wave(own('nvme'), { mean: 43, day: 3, noise: 2 }) },
        ],
        fans: range(1, 4).map((n) => ({
          name: `fan${n}`,
          rpm: wave(own(`fan ${n}`), { mean: 7600, day: 500, noise: 250 }),
        })),
        volts: [
          { name: '12V', volts: wave(own('12V'), { mean: 12.08, noise: 0.05 }) },
          { name: '3.3V', volts: wave(own('3.3V'), { mean: 3.31, noise: 0.02 }) },
        ],
      }),
    ]
  },
}

/** Storage for backups and for the cameras' recordings: written to day and night, heavily at two o'clock. */
export const storageServer: DeviceModel = {
  name: 'nas-1',
  kind: 'storage and video recorder',
  sysDescr: 'Linux nas-1 4.4.302+ #69057 SMP Fri Jan 12 17:02:28 CST 2024 x86_64',
  sysObjectID: NET_SNMP_LINUX,
  sysServices: 72,
  location: SITES.dataCentre,
  instances({ own, links }) {
    const mac = macsOf('00:11:32', own('mac'))
    return [
      ...portTables([
        loopback(own),
        {
          index: 3,
          name: 'eth0',
          alias: 'leaf-1 Ethernet3',
          mbps: 10_000,
          mac: mac(0),
          ...linkEnd(links, 'leaf-1 nas-1', 'lower'),
        },
        {
          index: 4,
          name: 'eth1',
          mbps: 1000,
          mac: mac(1),
          alias: 'Cameras',
          in: flow(own('cameras in'), { meanBps: 1.7e8, shape: 'flat', packetOctets: 1300 }),
          out: flow(own('cameras out'), { meanBps: 4.8e6, shape: 'flat', packetOctets: 90 }),
        },
      ]),
      ...addressTables([
        { ifIndex: 1, cidr: '127.0.0.1/8' },
        { ifIndex: 3, cidr: '10.50.0.30/22' },
        { ifIndex: 4, cidr: '10.60.4.1/24' },
      ]),
      ...linuxTables({
        seeds: own,
        cores: 4,
        cpu: 'GenuineIntel: Intel(R) Xeon(R) D-1527 CPU @ 2.20GHz',
        load: wave(own('load'), { mean: 27, day: 11, peakHour: 2, noise: 11, min: 2, max: 99 }),
        memoryOctets: 16 * GiB,
        memoryUsed: wave(own('memory'), { mean: 0.22, noise: 0.03, noiseS: 3600 }),
        swapOctets: 8 * GiB,
        processes: wave(own('processes'), { mean: 341, noise: 14 }),
        disks: [
          { path: '/', device: '/dev/md0', sizeOctets: 2.3 * GiB, usedOctets: () => 1.4 * GiB },
          {
            path: '/volume1',
            device: '/dev/mapper/cachedev_0',
            sizeOctets: 41.9 * TiB,
            usedOctets: sawtooth(own('volume1'), 29 * TiB, 36 * TiB, 30 * DAY_S),
          },
          {
            path: '/volume2',
            device: '/dev/mapper/cachedev_1',
            sizeOctets: 27.9 * TiB,
            usedOctets: sawtooth(own('volume2'), 25.2 * TiB, 26.6 * TiB, DAY_S),
          },
        ],
        diskRates: ['sda', 'sdb', 'sdc', 'sdd'].map((device) => ({ device, readBps: 8.2e6, writeBps: 1.6e7 })),
      }),
      ...scalarValues(synoSystem, {
        systemStatus: 1,
        temperature: wave(own('celsius'), { mean: 46, day: 3, noise: 2 }),
        powerStatus: 1,
      }),
      ...scalarValues(dsmInfo, {
        modelName: 'RS3618xs',
        serialNumber: serialOf('2060', own('serial')),
        version: 'DSM 7.2-69057',
        upgradeAvailable: 2,
      }),
    ]
  },
}

/** A hypervisor: two physical interfaces, a switch inside, datastores. */
export const hypervisor: DeviceModel = {
  name: 'esx-1',
  kind: 'hypervisor',
  sysDescr: 'VMware ESXi 8.0.2 build-22380479 VMware, Inc. x86_64',
  sysObjectID: '1.3.6.1.4.1.6876.4.1',
  sysServices: 72,
  location: SITES.dataCentre,
  instances({ own, links }) {
    const mac = macsOf('00:50:56', own('mac'))
    const memory = 512 * GiB
    return [
      ...portTables(
        [
          {
            index: 1,
            name: 'vmnic0',
            descr: 'Device vmnic0 at 03:00.0 nmlx5_core',
            alias: 'leaf-1 Ethernet4',
            mbps: 25_000,
            mac: mac(0),
            ...linkEnd(links, 'leaf-1 esx-1 a', 'lower'),
          },
          {
            index: 2,
            name: 'vmnic1',
            descr: 'Device vmnic1 at 03:00.1 nmlx5_core',
            alias: 'leaf-1 Ethernet5',
            mbps: 25_000,
            mac: mac(1),
            ...linkEnd(links, 'leaf-1 esx-1 b', 'lower'),
          },
          { index: 3, name: 'vmnic2', descr: 'Device vmnic2 at 04:00.0 igbn', mbps: 1000, mac: mac(2), link: 'down' },
          {
            index: 10,
            name: 'vmk0',
            descr: 'Virtual interface: vmk0 on vswitch vSwitch0 portgroup: Management Network',
            type: 'propVirtual',
            mbps: 0,
            mac: mac(10),
            in: flow(own('vmk in'), { meanBps: 3.1e5, shape: 'flat', packetOctets: 420 }),
            out: flow(own('vmk out'), { meanBps: 6.2e5, shape: 'flat', packetOctets: 640 }),
          },
        ],
        { etherLike: false },
      ),
      ...addressTables([{ ifIndex: 10, cidr: '10.10.0.71/22' }]),
      ...hostTables({
        memoryOctets: memory,
        users: () => 1,
        processes: wave(own('processes'), { mean: 96, noise: 6 }),
        storage: [
          {
            index: 1,
            type: 'fixedDisk',
            descr: '/vmfs/volumes/datastore-ssd',
            unit: 65_536,
            sizeOctets: 14 * TiB,
            usedOctets: wave(own('ssd'), { mean: 9.4 * TiB, noise: 0.3 * TiB, noiseS: 40_000 }),
          },
          {
            index: 2,
            type: 'fixedDisk',
            descr: '/vmfs/volumes/OSDATA',
            unit: 4096,
            sizeOctets: 120 * GiB,
            usedOctets: () => 38 * GiB,
          },
          {
            index: 3,
            type: 'ram',
            descr: 'Real Memory',
            unit: 4096,
            sizeOctets: memory,
            usedOctets: wave(own('ram'), {
              mean: memory * 0.71,
              day: memory * 0.04,
              noise: memory * 0.02,
              noiseS: 3600,
            }),
          },
        ],
        processors: range(1, 32).map((n) => ({
          index: n,
          descr: `CPU Pkg/ID/Node: ${Math.floor((n - 1) / 16)}/${n - 1}/${Math.floor((n - 1) / 16)} GenuineIntel`,
          load: wave(own(`cpu ${n}`), { mean: 43, day: 14, noise: 21, min: 1, max: 100 }),
        })),
      }),
    ]
  },
}
