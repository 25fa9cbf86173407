import type { DeviceModel } from '../device.ts'
import { sawtooth, wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, range } from '../parts/edge-ports.ts'
import { linuxTables, loopback, NET_SNMP_LINUX } from '../parts/linux.ts'
import { portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'

const GiB = 2 ** 30
const TiB = 2 ** 40
const DAY_S = 86_400

/** A public web server, busiest in the evening, with a log disk that fills up and is rotated daily. */
export const webServer: DeviceModel = {
  name: 'web-1',
  kind: 'server',
  sysDescr: 'Linux web-1 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01) x86_64',
  sysObjectID: NET_SNMP_LINUX,
  sysServices: 72,
  location: SITES.dataCentre,
  instances({ own, links }) {
    const mac = macsOf('3c:ec:ef', own('mac'))
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
        load: { mean: 34, day: 19, peakHour: 19, noise: 12, min: 1, max: 98 },
        memoryOctets: 32 * GiB,
        memoryUsed: wave(own('memory'), { mean: 0.38, day: 0.07, peakHour: 19, noise: 0.04, noiseS: 1800 }),
        swapOctets: 4 * GiB,
        users: wave(own('users'), { mean: 1.5, noise: 1.4, noiseS: 3600, min: 0 }),
        processes: wave(own('processes'), { mean: 287, day: 30, noise: 16 }),
        disks: [
          {
            path: '/',
            device: '/dev/sda1',
            sizeOctets: 80 * GiB,
            usedOctets: wave(own('/'), { mean: 31 * GiB, noise: 0.4 * GiB, noiseS: 7200 }),
          },
          {
            path: '/var/log',
            device: '/dev/sdb1',
            sizeOctets: 40 * GiB,
            usedOctets: sawtooth(own('log'), 6 * GiB, 33 * GiB, DAY_S),
          },
        ],
        diskRates: [
          { device: 'sda', readBps: 1.1e6, writeBps: 3.4e6 },
          { device: 'sdb', readBps: 4e4, writeBps: 3.2e5 },
        ],
        temperatures: [
          { name: 'Tctl', celsius: wave(own('tctl'), { mean: 54, day: 6, peakHour: 19, noise: 3 }) },
          { name: 'Board', celsius: wave(own('board'), { mean: 36, day: 2, peakHour: 16, noise: 1, noiseS: 900 }) },
        ],
        fans: range(1, 2).map((n) => ({
          name: `fan${n}`,
          rpm: wave(own(`fan ${n}`), { mean: 6200, day: 420, peakHour: 19, noise: 180 }),
        })),
        volts: [{ name: '12V', volts: wave(own('12V'), { mean: 12.1, noise: 0.05 }) }],
      }),
    ]
  },
}

/** A physical database server with temperature sensors, which also answers SNMPv3. */
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
        load: { mean: 41, day: 17, noise: 15, min: 2, max: 99 },
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
