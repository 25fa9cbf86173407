import type { DeviceModel, DeviceSeeds } from '../device.ts'
import { wave } from '../gauge.ts'
import { type LinkName, linkEnd } from '../links.ts'
import { addressTables } from '../parts/addresses.ts'
import { card, chassis } from '../parts/chassis.ts'
import { ciscoHealth } from '../parts/cisco-health.ts'
import { edgePort, macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { entityTables, type Part } from '../parts/entity.ts'
import { optic } from '../parts/optics.ts'
import { type Port, portTables } from '../parts/ports.ts'
import type { Seeds } from '../seeds.ts'
import { SITES } from '../sites.ts'
import { flow, trouble } from '../traffic.ts'

const VLANS = [
  [10, 'Management'],
  [20, 'Clients'],
  [30, 'Telephones'],
  [40, 'Printers'],
  [50, 'Servers'],
  [60, 'Cameras'],
  [99, 'Guests'],
] as const

/** entPhysicalIndex of the card with the processor. */
const SUPERVISOR = 6000

/** Links on the 10 Gbit/s card by port. */
const TEN_GIGABIT: Readonly<Record<number, readonly [LinkName, 'upper' | 'lower', string]>> = {
  1: ['fw-1 core-1', 'lower', 'fw-1 port x1'],
  2: ['core-1 access-1', 'upper', 'access-1 Te1/1/1'],
  3: ['core-1 access-2', 'upper', 'access-2 25'],
  4: ['core-1 access-3', 'upper', 'access-3 xe-0/2/0'],
  5: ['core-1 wlc-1', 'upper', 'wlc-1 GE 0/0/4'],
}

/** A modular switch with two 48-port cards, a 24 x 10 Gbit/s card, and 40 Gbit/s ports on the supervisor. */
export const coreSwitch: DeviceModel = {
  name: 'core-1',
  kind: 'core switch',
  sysDescr:
    'Cisco IOS Software [Cupertino], Catalyst L3 Switch Software (CAT9K_IOSXE), Version 17.9.4a, RELEASE SOFTWARE (fc3)\r\nTechnical Support: http://www.cisco.com/techsupport\r\nCopyright (c) 1986-2023 by Cisco Systems, Inc.\r\nCompiled Fri 20-Oct-23 10:44 by mcpre',
  sysObjectID: '1.3.6.1.4.1.9.1.2500',
  sysServices: 6,
  location: SITES.headquarters,
  instances(seeds) {
    const ports = corePorts(seeds)
    const svi = (vlan: number) => 200 + vlan
    return [
      ...portTables(ports),
      ...addressTables([
        { ifIndex: 1, cidr: '10.11.0.2/24' },
        { ifIndex: 148, cidr: '10.10.1.1/30' },
        ...VLANS.map(([vlan]) => ({ ifIndex: svi(vlan), cidr: `10.${vlan}.0.1/22` })),
        ...VLANS.map(([vlan]) => ({ ifIndex: svi(vlan), cidr: `2001:db8:a:${vlan}:0:0:0:1/64` })),
        { ifIndex: 190, cidr: '10.255.0.1/32' },
      ]),
      ...entityTables([cabinet(seeds.own, ports)]),
      ...ciscoHealth({
        seeds: seeds.own,
        entity: SUPERVISOR,
        load: wave(seeds.own('cpu'), { mean: 17, day: 6, peakHour: 13, noise: 5, min: 1, max: 100 }),
        memoryOctets: 8 * 2 ** 30,
        memoryUsed: 0.43,
        supplies: 4,
        fans: 4,
        flash: { name: 'bootflash', octets: 3.6 * 2 ** 30 },
        poe: { watts: 2400, drawn: wave(seeds.own('poe'), { mean: 610, day: 140, peakHour: 13, noise: 30 }) },
      }),
    ]
  },
}

function corePorts({ own, links }: DeviceSeeds): Port[] {
  const mac = macsOf('00:1b:54', own('mac'))
  const gigabit = [1, 2].flatMap((slot) =>
    range(1, 48).map((n) => {
      const index = 100 * (slot - 1) + 1 + n
      if (slot === 2 && n === 47) return linkPort(index, 'Gi2/0/47', 1000, 'core-1 wan-1', 'upper', 'wan-1 Gi0/0/1')
      if (slot === 2 && n === 48)
        return linkPort(index, 'Gi2/0/48', 1000, 'core-1 warehouse-1', 'upper', 'warehouse-1 sfp-sfpplus1')
      return edgePort(own, { index, name: `Gi${slot}/0/${n}`, descr: `GigabitEthernet${slot}/0/${n}`, mac: mac(index) })
    }),
  )
  function linkPort(
    index: number,
    name: string,
    mbps: number,
    link: LinkName,
    end: 'upper' | 'lower',
    alias: string,
  ): Port {
    const descr = name
      .replace(/^Gi/, 'GigabitEthernet')
      .replace(/^Te/, 'TenGigabitEthernet')
      .replace(/^Fo/, 'FortyGigabitEthernet')
    return { index, name, descr, alias, mbps, mac: mac(index), ...linkEnd(links, link, end) }
  }
  const tenGigabit = range(1, 24).map((n): Port => {
    const index = 220 + n + 80
    const name = `Te5/0/${n}`
    const to = TEN_GIGABIT[n]
    if (to === undefined)
      return { index, name, descr: `TenGigabitEthernet5/0/${n}`, mbps: 10_000, mac: mac(index), link: 'down' }
    const port = linkPort(index, name, 10_000, to[0], to[1], to[2])
    return n === 1 ? { ...port, outDiscards: trouble(own('te5/0/1'), 25) } : port
  })
  return [
    {
      index: 1,
      name: 'Gi0/0',
      descr: 'GigabitEthernet0/0',
      alias: 'Out of band',
      mbps: 1000,
      mac: mac(1),
      ...idle(own, 'oob'),
    },
    ...gigabit,
    ...tenGigabit,
    linkPort(340, 'Fo3/0/9', 40_000, 'core-1 leaf-1', 'upper', 'leaf-1 Ethernet53/1'),
    { index: 341, name: 'Fo3/0/10', descr: 'FortyGigabitEthernet3/0/10', mbps: 40_000, mac: mac(341), link: 'down' },
    ...VLANS.map(([vlan, name], i): Port => {
      const meanBps = [4e5, 6e7, 3e6, 2e5, 9e7, 2e7, 1.5e7][i] ?? 1e6
      return {
        index: 200 + vlan,
        name: `Vl${vlan}`,
        descr: `Vlan${vlan}`,
        alias: name,
        type: 'propVirtual',
        mbps: 1000,
        mac: mac(500),
        in: flow(own(`vlan ${vlan} in`), { meanBps: meanBps / 3, shape: 'office', packetOctets: 420 }),
        out: flow(own(`vlan ${vlan} out`), { meanBps, shape: 'office', packetOctets: 900 }),
      }
    }),
    {
      index: 190,
      name: 'Lo0',
      descr: 'Loopback0',
      alias: 'Router ID',
      type: 'softwareLoopback',
      mtu: 1514,
      mbps: 8000,
    },
    { index: 191, name: 'Nu0', descr: 'Null0', type: 'other', mbps: 10_000 },
  ]
}

function idle(seeds: Seeds, label: string): Pick<Port, 'in' | 'out'> {
  return {
    in: flow(seeds(`${label} in`), { meanBps: 6000, shape: 'flat', packetOctets: 120 }),
    out: flow(seeds(`${label} out`), { meanBps: 9000, shape: 'flat', packetOctets: 160 }),
  }
}

function cabinet(seeds: Seeds, ports: readonly Port[]) {
  const manufacturer = 'Cisco Systems, Inc.'
  const slot = (n: number, model: string, descr: string) =>
    card(
      2000 * n,
      { name: `Slot ${n} Linecard`, descr, model, manufacturer, serial: serialOf('FOC', seeds(`slot ${n}`)) },
      ports.filter((p) => p.name.includes(`${n}/0/`)),
    )
  const pluggable = (port: Port): Part =>
    optic(seeds, {
      port,
      index: 20_000 + 10 * port.index,
      descr: 'SFP-10GBase-SR',
      // cevModuleSFPPlusType
      vendorType: '1.3.6.1.4.1.9.12.3.1.9.84.2',
      model: 'SFP-10G-SR',
      manufacturer: 'CISCO-FINISAR',
      serialPrefix: 'FNS',
    })
  return chassis({
    seeds,
    name: 'Chassis',
    descr: 'Cisco Catalyst 9400 Series 7 Slot Chassis',
    model: 'C9407R',
    manufacturer,
    serialPrefix: 'FXS',
    softwareRev: '17.9.4a',
    hardwareRev: 'V01',
    vendorType: '1.3.6.1.4.1.9.12.3.1.3.1850',
    supplies: { model: 'C9400-PWR-3200AC', count: 4, watts: 1450 },
    fans: { count: 4, rpm: 5200 },
    temperatures: [
      { name: 'Temp: Inlet', celsius: 24 },
      { name: 'Temp: Outlet', celsius: 38 },
      { name: 'Temp: CPU', celsius: 52 },
    ],
    modules: [
      slot(1, 'C9400-LC-48U', 'Cisco Catalyst 9400 Series 48-Port UPOE'),
      slot(2, 'C9400-LC-48T', 'Cisco Catalyst 9400 Series 48-Port'),
      slot(3, 'C9400-SUP-1XL', 'Cisco Catalyst 9400 Series Supervisor-1XL'),
      slot(5, 'C9400-LC-24XS', 'Cisco Catalyst 9400 Series 24-Port 10 Gigabit'),
      ...ports.filter((p) => p.name.startsWith('Te5') && p.link !== 'down').map(pluggable),
    ],
  })
}
