import type { DeviceModel } from '../device.ts'
import { wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { jnxBoxAnatomy } from '../mib/vendor.ts'
import { addressTables } from '../parts/addresses.ts'
import { card, chassis } from '../parts/chassis.ts'
import { ciscoHealth } from '../parts/cisco-health.ts'
import { macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { entityTables } from '../parts/entity.ts'
import { hostTables } from '../parts/host.ts'
import { junosHealth } from '../parts/junos-health.ts'
import { opticGauges } from '../parts/optics.ts'
import { type Port, portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'
import { scalarValues } from '../table.ts'
import { flow, trouble } from '../traffic.ts'

/** A large edge router with two providers on the outside, the firewall on the inside, and IPv6 on all links. */
export const edgeRouter: DeviceModel = {
  name: 'edge-1',
  kind: 'router',
  sysDescr:
    'Juniper Networks, Inc. mx480 internet router, kernel JUNOS 22.4R3.25, Build date: 2024-02-10 02:11:30 UTC Copyright (c) 1996-2024 Juniper Networks, Inc.',
  sysObjectID: '1.3.6.1.4.1.2636.1.1.1.2.25',
  sysServices: 6,
  location: SITES.dataCentre,
  instances({ own, links }) {
    const mac = macsOf('3c:8a:b0', own('mac'))
    const physical = range(0, 7).map((n): Port => {
      const common = { index: 520 + 10 * n, name: `xe-0/0/${n}`, mbps: 10_000, mtu: 9192, mac: mac(n) }
      if (n === 0)
        return {
          ...common,
          alias: 'Provider A, circuit A-20417',
          ...linkEnd(links, 'isp-a', 'lower'),
          inErrors: trouble(own('isp-a'), 6),
        }
      if (n === 1) return { ...common, alias: 'Provider B, circuit 77-1093', ...linkEnd(links, 'isp-b', 'lower') }
      if (n === 2)
        return {
          ...common,
          alias: 'fw-1 port x2',
          ...linkEnd(links, 'edge-1 fw-1', 'upper'),
          outDiscards: trouble(own('fw'), 12),
        }
      if (n === 3) return { ...common, alias: 'pe-1 1/1/1', ...linkEnd(links, 'edge-1 pe-1', 'upper') }
      return { ...common, link: 'down' }
    })
    const logical = physical.slice(0, 4).map(
      ({ inErrors: _in, outDiscards: _out, ...port }): Port => ({
        ...port,
        index: port.index + 1,
        name: `${port.name}.0`,
        type: 'propVirtual',
        mtu: 9178,
        connector: false,
      }),
    )
    const memory = 16 * 2 ** 30
    return [
      ...portTables([
        ...physical,
        ...logical,
        {
          index: 1,
          name: 'fxp0',
          alias: 'Out of band',
          mbps: 1000,
          mac: mac(60),
          in: flow(own('fxp in'), { meanBps: 18_000, shape: 'flat', packetOctets: 120 }),
          out: flow(own('fxp out'), { meanBps: 26_000, shape: 'flat', packetOctets: 190 }),
        },
        { index: 6, name: 'lo0', type: 'softwareLoopback', mtu: 65_535, mbps: 0 },
        { index: 16, name: 'lo0.0', type: 'softwareLoopback', mtu: 65_535, mbps: 0, alias: 'Router ID' },
      ]),
      ...addressTables([
        { ifIndex: 1, cidr: '10.10.0.21/22' },
        { ifIndex: 16, cidr: '192.0.2.1/32' },
        { ifIndex: 16, cidr: '2001:db8:0:0:0:0:0:1/128' },
        { ifIndex: 521, cidr: '198.51.100.2/30' },
        { ifIndex: 521, cidr: '2001:db8:100:0:0:0:0:2/127' },
        { ifIndex: 531, cidr: '203.0.113.6/30' },
        { ifIndex: 531, cidr: '2001:db8:200:0:0:0:0:6/127' },
        { ifIndex: 541, cidr: '192.0.2.17/29' },
        { ifIndex: 541, cidr: '2001:db8:0:10:0:0:0:1/64' },
        { ifIndex: 541, cidr: 'fe80:0:0:0:3e8a:b0ff:fe00:102/64' },
      ]),
      ...hostTables({
        memoryOctets: memory,
        storage: [
          {
            index: 2,
            type: 'fixedDisk',
            descr: '/dev/gpt/junos: mounted on: /.mount',
            unit: 4096,
            sizeOctets: 18 * 2 ** 30,
            usedOctets: () => 5.4 * 2 ** 30,
          },
        ],
        // the Routing Engine is in jnxOperatingTable
        processors: [],
      }),
      ...scalarValues(jnxBoxAnatomy, {
        jnxBoxDescr: 'Juniper MX480 Internet Backbone Router',
        jnxBoxSerialNo: serialOf('JN12', own('serial')),
      }),
      ...entityTables([
        chassis({
          seeds: own,
          name: 'MX480',
          descr: 'Juniper MX480 Internet Backbone Router',
          model: 'CHAS-BP-MX480-S',
          manufacturer: 'Juniper Networks',
          serialPrefix: 'JN12',
          softwareRev: '22.4R3.25',
          supplies: { model: 'PWR-MX480-2520-AC', count: 4, watts: 1120 },
          fans: { count: 2, rpm: 3840 },
          temperatures: [
            { name: 'Routing Engine 0 temperature', celsius: 36 },
            { name: 'FPC 0 intake temperature', celsius: 29 },
            { name: 'FPC 0 exhaust temperature', celsius: 43 },
          ],
          modules: [
            card(
              2000,
              {
                name: 'FPC 0',
                model: 'MPC4E-3D-32XGE-SFPP',
                manufacturer: 'Juniper Networks',
                serial: serialOf('CAG', own('fpc 0')),
              },
              physical,
            ),
          ],
        }),
      ]),
      ...junosHealth({
        parts: [
          {
            index: '7.1.0.0',
            descr: 'FPC: MPC4E 3D 32XGE @ 0/*/*',
            celsius: wave(own('fpc celsius'), { mean: 43, day: 2.5, peakHour: 16, noise: 1, noiseS: 900 }),
            load: wave(own('fpc cpu'), { mean: 12, day: 4, noise: 3, min: 1, max: 100 }),
            memoryOctets: 2 * 2 ** 30,
            memoryUsed: wave(own('fpc ram'), { mean: 27, noise: 1, noiseS: 3600 }),
          },
          {
            index: '9.1.0.0',
            descr: 'Routing Engine 0',
            celsius: wave(own('re celsius'), { mean: 36, day: 2.5, peakHour: 16, noise: 1, noiseS: 900 }),
            load: wave(own('cpu'), { mean: 16, day: 6, noise: 8, min: 1, max: 100 }),
            memoryOctets: memory,
            memoryUsed: wave(own('ram'), { mean: 41, noise: 2, noiseS: 3600 }),
          },
        ],
        frus: [...range(0, 3).map((n) => `PEM ${n}`), 'Top Fan Tray', 'FPC 0'],
        optics: physical.slice(0, 4).map((port) => ({ ifIndex: port.index, gauges: opticGauges(own, port.name) })),
      }),
    ]
  },
}

/** An older WAN router for the branches, with both 32- and 64-bit counters. */
export const wanRouter: DeviceModel = {
  name: 'wan-1',
  kind: 'router',
  sysDescr:
    'Cisco IOS Software [Fuji], ISR Software (X86_64_LINUX_IOSD-UNIVERSALK9-M), Version 16.9.8, RELEASE SOFTWARE (fc1)\r\nTechnical Support: http://www.cisco.com/techsupport\r\nCopyright (c) 1986-2021 by Cisco Systems, Inc.\r\nCompiled Wed 28-Jul-21 20:28 by mcpre',
  sysObjectID: '1.3.6.1.4.1.9.1.2068',
  sysServices: 78,
  location: SITES.headquarters,
  instances({ own, links }) {
    const mac = macsOf('00:a3:d1', own('mac'))
    const physical: Port[] = [
      {
        index: 1,
        name: 'Gi0/0/0',
        descr: 'GigabitEthernet0/0/0',
        alias: 'Carrier, MPLS access',
        mbps: 1000,
        mac: mac(1),
        in: flow(own('mpls in'), { meanBps: 3.2e7, shape: 'office', packetOctets: 420 }),
        out: flow(own('mpls out'), { meanBps: 9.1e7, shape: 'office', packetOctets: 890 }),
        outDiscards: trouble(own('mpls'), 70),
      },
      {
        index: 2,
        name: 'Gi0/0/1',
        descr: 'GigabitEthernet0/0/1',
        alias: 'core-1 Gi2/0/47',
        mbps: 1000,
        mac: mac(2),
        ...linkEnd(links, 'core-1 wan-1', 'lower'),
      },
      {
        index: 3,
        name: 'Gi0/0/2',
        descr: 'GigabitEthernet0/0/2',
        mbps: 1000,
        mac: mac(3),
        admin: 'down',
        link: 'down',
      },
      { index: 4, name: 'Gi0', descr: 'GigabitEthernet0', mbps: 1000, mac: mac(4), admin: 'down', link: 'down' },
    ]
    return [
      ...portTables([
        ...physical,
        {
          index: 10,
          name: 'Tu10',
          descr: 'Tunnel10',
          alias: 'branch-1',
          type: 'tunnel',
          mtu: 1400,
          mbps: 200,
          ...linkEnd(links, 'wan-1 branch-1', 'upper'),
        },
        {
          index: 11,
          name: 'Tu11',
          descr: 'Tunnel11',
          alias: 'branch-2, ordered',
          type: 'tunnel',
          mtu: 1400,
          mbps: 200,
          link: 'down',
        },
        { index: 12, name: 'Lo0', descr: 'Loopback0', type: 'softwareLoopback', mtu: 1514, mbps: 8000 },
        { index: 13, name: 'Nu0', descr: 'Null0', type: 'other', mbps: 10_000 },
      ]),
      ...addressTables([
        { ifIndex: 1, cidr: '198.51.100.130/30' },
        { ifIndex: 2, cidr: '10.10.1.2/30' },
        { ifIndex: 10, cidr: '10.254.10.1/30' },
        { ifIndex: 11, cidr: '10.254.11.1/30' },
        { ifIndex: 12, cidr: '10.255.0.21/32' },
      ]),
      ...entityTables([
        chassis({
          seeds: own,
          name: 'Chassis',
          descr: 'Cisco ISR4331 Chassis',
          model: 'ISR4331/K9',
          manufacturer: 'Cisco Systems Inc',
          serialPrefix: 'FDO',
          softwareRev: '16.9.8',
          hardwareRev: 'V05',
          supplies: { model: 'PWR-4330-AC', count: 1, watts: 74 },
          fans: { count: 4, rpm: 3200 },
          temperatures: [
            { name: 'Temp: Inlet 1', celsius: 25 },
            { name: 'Temp: CPU', celsius: 48 },
          ],
          modules: [
            card(
              2000,
              {
                name: 'NIM subslot 0/0',
                model: 'ISR4331-3x1GE',
                manufacturer: 'Cisco Systems Inc',
                serial: serialOf('FDO', own('nim')),
              },
              physical,
            ),
          ],
        }),
      ]),
      ...ciscoHealth({
        seeds: own,
        entity: 1,
        load: wave(own('cpu'), { mean: 11, day: 4, peakHour: 13, noise: 4, min: 1, max: 100 }),
        memoryOctets: 1.6 * 2 ** 30,
        memoryUsed: 0.31,
        supplies: 1,
        fans: 4,
        flash: { name: 'bootflash', octets: 3.1 * 2 ** 30 },
        forwarding: wave(own('qfp'), { mean: 15, day: 8, peakHour: 13, noise: 3, min: 1, max: 100 }),
      }),
    ]
  },
}
