import type { DeviceModel } from '../device.ts'
import { sawtooth, wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { dsmInfo, synoDiskTable, synoFan, synoRaidTable, synoSystem } from '../mib/vendor.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { linuxTables, loopback, NET_SNMP_LINUX } from '../parts/linux.ts'
import { portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'
import { scalarValues, tableRows } from '../table.ts'
import { flow } from '../traffic.ts'

const GiB = 2 ** 30
const TiB = 2 ** 40
const DAY_S = 86_400

/** Storage for backups and camera recordings: constant writes, with a peak at 02:00. */
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
        load: { mean: 27, day: 11, peakHour: 2, noise: 11, min: 2, max: 99 },
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
      ...scalarValues(synoFan, { systemFanStatus: 1, cpuFanStatus: 1 }),
      ...tableRows(
        synoDiskTable,
        range(1, 6).map((n) => [
          n - 1,
          {
            diskIndex: n - 1,
            diskID: `Drive ${n}`,
            diskModel: 'HAT5310-18T',
            diskType: 'SATA',
            diskStatus: 1,
            diskTemperature: wave(own(`drive ${n}`), { mean: 37 + (n % 3), day: 1.5, peakHour: 2, noise: 1 }),
          },
        ]),
      ),
      ...tableRows(
        synoRaidTable,
        range(1, 2).map((n) => [n - 1, { raidIndex: n - 1, raidName: `Volume ${n}`, raidStatus: 1 }]),
      ),
      ...scalarValues(dsmInfo, {
        modelName: 'RS3618xs',
        serialNumber: serialOf('2060', own('serial')),
        version: 'DSM 7.2-69057',
        upgradeAvailable: 2,
      }),
    ]
  },
}
