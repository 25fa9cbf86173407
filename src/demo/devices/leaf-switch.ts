import type { DeviceModel } from '../device.ts'
import { wave } from '../gauge.ts'
import { type LinkName, linkEnd } from '../links.ts'
import { addressTables } from '../parts/addresses.ts'
import { card, chassis } from '../parts/chassis.ts'
import { macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { entityTables } from '../parts/entity.ts'
import { hostTables } from '../parts/host.ts'
import { optic } from '../parts/optics.ts'
import { type Port, portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'
import { flow } from '../traffic.ts'

const SERVERS: Readonly<Record<number, readonly [LinkName, string, number]>> = {
  1: ['leaf-1 web-1', 'web-1 eth0', 10_000],
  2: ['leaf-1 db-1', 'db-1 eno1', 10_000],
  3: ['leaf-1 nas-1', 'nas-1 eth0', 10_000],
  4: ['leaf-1 esx-1 a', 'esx-1 vmnic0', 25_000],
  5: ['leaf-1 esx-1 b', 'esx-1 vmnic1', 25_000],
  48: ['leaf-1 ups-1', 'ups-1', 1000],
}

/** Fibre ports; the others are copper. */
const OPTICAL: readonly string[] = ['Ethernet4', 'Ethernet5', 'Ethernet53/1']

/** 48 x 25 Gbit/s and 8 x 100 Gbit/s for servers, with processors, memory and many temperature sensors. */
export const leafSwitch: DeviceModel = {
  name: 'leaf-1',
  kind: 'data centre switch',
  sysDescr: 'Arista Networks EOS version 4.30.4M running on an Arista Networks DCS-7050SX3-48YC8',
  sysObjectID: '1.3.6.1.4.1.30065.1.3011.7050.3741.48.8',
  sysServices: 14,
  location: SITES.dataCentre,
  instances({ own, links }) {
    const mac = macsOf('28:99:3a', own('mac'))
    const sfp = range(1, 48).map((n): Port => {
      const common = { index: n, name: `Ethernet${n}`, mac: mac(n), mtu: 9214 }
      const to = SERVERS[n]
      if (to !== undefined) return { ...common, alias: to[1], mbps: to[2], ...linkEnd(links, to[0], 'upper') }
      if (n > 20) return { ...common, mbps: 25_000, link: 'down' }
      return {
        ...common,
        alias: `rack ${Math.ceil(n / 4)} node ${n}`,
        mbps: 25_000,
        in: flow(own(`in ${n}`), { meanBps: 3.1e7 * n, shape: n % 3 === 0 ? 'storage' : 'server', packetOctets: 870 }),
        out: flow(own(`out ${n}`), { meanBps: 2.2e7 * n, shape: n % 3 === 0 ? 'backup' : 'server', packetOctets: 910 }),
      }
    })
    const qsfp = range(49, 56).map((n): Port => {
      const common = { index: 1000 * n + 1, name: `Ethernet${n}/1`, mac: mac(n), mtu: 9214 }
      if (n === 53)
        return { ...common, alias: 'core-1 Fo3/0/9', mbps: 40_000, ...linkEnd(links, 'core-1 leaf-1', 'lower') }
      return { ...common, mbps: 100_000, link: 'down' }
    })
    const ports = [...sfp, ...qsfp]
    const memory = 8 * 2 ** 30
    return [
      ...portTables([
        ...ports,
        {
          index: 999_001,
          name: 'Management1',
          alias: 'Out of band',
          mbps: 1000,
          mac: mac(90),
          in: flow(own('mgmt in'), { meanBps: 21_000, shape: 'flat', packetOctets: 130 }),
          out: flow(own('mgmt out'), { meanBps: 33_000, shape: 'flat', packetOctets: 210 }),
        },
        { index: 5_000_000, name: 'Loopback0', type: 'softwareLoopback', mtu: 65_535, mbps: 0 },
        { index: 2_000_050, name: 'Vlan50', alias: 'Servers', type: 'l3ipvlan', mtu: 9164, mbps: 0, mac: mac(0) },
      ]),
      ...addressTables([
        { ifIndex: 999_001, cidr: '10.10.0.31/22' },
        { ifIndex: 5_000_000, cidr: '10.255.0.31/32' },
        { ifIndex: 2_000_050, cidr: '10.50.0.3/22' },
        { ifIndex: 2_000_050, cidr: '2001:db8:a:50:0:0:0:3/64' },
      ]),
      ...hostTables({
        memoryOctets: memory,
        processes: wave(own('processes'), { mean: 265, noise: 9 }),
        storage: [
          {
            index: 1,
            type: 'ram',
            descr: 'RAM',
            unit: 1024,
            sizeOctets: memory,
            usedOctets: wave(own('ram'), { mean: memory * 0.62, noise: memory * 0.02, noiseS: 3600 }),
          },
          {
            index: 2,
            type: 'ram',
            descr: 'RAM (Buffers)',
            unit: 1024,
            sizeOctets: memory,
            usedOctets: () => memory * 0.03,
          },
          {
            index: 3,
            type: 'ram',
            descr: 'RAM (Cache)',
            unit: 1024,
            sizeOctets: memory,
            usedOctets: () => memory * 0.21,
          },
          {
            index: 100,
            type: 'flashMemory',
            descr: 'Flash',
            unit: 4096,
            sizeOctets: 7 * 2 ** 30,
            usedOctets: () => 4.2 * 2 ** 30,
          },
        ],
        processors: range(1, 4).map((n) => ({
          index: n,
          descr: `Core ${n}`,
          load: wave(own(`cpu ${n}`), { mean: 14, day: 4, noise: 11, min: 1, max: 100 }),
        })),
      }),
      ...entityTables([
        chassis({
          seeds: own,
          name: 'DCS-7050SX3-48YC8',
          descr: 'DCS-7050SX3-48YC8 Chassis',
          model: 'DCS-7050SX3-48YC8',
          manufacturer: 'Arista Networks',
          serialPrefix: 'JPE',
          softwareRev: '4.30.4M',
          hardwareRev: '11.00',
          supplies: { model: 'PWR-500AC-F', count: 2, watts: 210 },
          fans: { count: 4, rpm: 11_200 },
          temperatures: [
            { name: 'Cpu temp sensor', celsius: 47 },
            { name: 'Board sensor', celsius: 39 },
            { name: 'Front-panel temp sensor', celsius: 26 },
            { name: 'Trident3 die', celsius: 56 },
          ],
          modules: [
            card(
              100_000,
              {
                name: 'Fixed card',
                model: 'DCS-7050SX3-48YC8',
                manufacturer: 'Arista Networks',
                serial: serialOf('JPE', own('card')),
              },
              ports,
            ),
            ...ports
              .filter((port) => OPTICAL.includes(port.name))
              .map((port, i) =>
                optic(own, {
                  port,
                  index: 110_000 + 10 * i,
                  descr: port.mbps > 25_000 ? '40GBASE-SR4' : '25GBASE-SR',
                  model: port.mbps > 25_000 ? 'QSFP-40G-SR4' : 'SFP-25G-SR',
                  manufacturer: 'Arista Networks',
                  serialPrefix: 'XCT',
                }),
              ),
          ],
        }),
      ]),
    ]
  },
}
