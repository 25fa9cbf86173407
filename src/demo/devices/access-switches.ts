import { windows } from '../curve.ts'
import type { DeviceModel } from '../device.ts'
import { wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { HPICF_GOOD, HPICF_SENSOR, hpicfSensorTable, hpLocalMemTable, hpSwitchCpu } from '../mib/procurve.ts'
import { jnxBoxAnatomy } from '../mib/vendor.ts'
import { addressTables } from '../parts/addresses.ts'
import { card, chassis } from '../parts/chassis.ts'
import { ciscoHealth } from '../parts/cisco-health.ts'
import { edgePort, macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { entityTables } from '../parts/entity.ts'
import { hostTables } from '../parts/host.ts'
import { junosHealth } from '../parts/junos-health.ts'
import { optic, opticGauges } from '../parts/optics.ts'
import { type Port, portTables } from '../parts/ports.ts'
import type { Seeds } from '../seeds.ts'
import { SITES } from '../sites.ts'
import { type Instance, scalarValues, tableRows } from '../table.ts'
import { flow, trouble } from '../traffic.ts'

/** A port with a loose cable: down for two and a half out of every nine minutes. */
export const FLAPPING_PORT = 17
const FLAP_CYCLE_S = 540
const FLAP_DOWN_S = 150

/** 48 x 1 Gbit/s with PoE for telephones, one flapping port, a printer on port 40. */
export const accessSwitch: DeviceModel = {
  name: 'access-1',
  kind: 'access switch',
  sysDescr:
    'Cisco IOS Software [Amsterdam], Catalyst L3 Switch Software (CAT9K_IOSXE), Version 17.3.5, RELEASE SOFTWARE (fc2)\r\nTechnical Support: http://www.cisco.com/techsupport\r\nCopyright (c) 1986-2022 by Cisco Systems, Inc.\r\nCompiled Wed 09-Feb-22 10:41 by mcpre',
  sysObjectID: '1.3.6.1.4.1.9.1.2440',
  sysServices: 6,
  location: SITES.headquarters,
  instances({ own, links }) {
    const mac = macsOf('70:70:8b', own('mac'))
    const copper = range(1, 48).map((n): Port => {
      const common = { index: 8 + n, name: `Gi1/0/${n}`, descr: `GigabitEthernet1/0/${n}`, mac: mac(n) }
      if (n === FLAPPING_PORT) {
        const link = windows(own('flap'), FLAP_CYCLE_S, FLAP_DOWN_S)
        return {
          ...common,
          alias: 'Desk 2-17, loose cable',
          mbps: 1000,
          link,
          in: flow(own('flap in'), { meanBps: 9e5, shape: 'flat', packetOctets: 300, link }),
          out: flow(own('flap out'), { meanBps: 4.2e6, shape: 'flat', packetOctets: 900, link }),
          inErrors: trouble(own('flap errors'), 240),
        }
      }
      if (n === 40)
        return { ...common, alias: 'printer-1', mbps: 1000, ...linkEnd(links, 'access-1 printer-1', 'upper') }
      return edgePort(own, { ...common, alias: n <= 36 ? `Desk 2-${n}` : `Access point ${n - 36}` })
    })
    const uplinks = range(1, 4).map((n): Port => {
      const common = {
        index: 60 + n,
        name: `Te1/1/${n}`,
        descr: `TenGigabitEthernet1/1/${n}`,
        mbps: 10_000,
        mac: mac(50 + n),
      }
      return n === 1
        ? { ...common, alias: 'core-1 Te5/0/2', ...linkEnd(links, 'core-1 access-1', 'lower') }
        : { ...common, link: 'down' }
    })
    return [
      ...portTables([
        ...copper,
        ...uplinks,
        {
          index: 70,
          name: 'Vl10',
          descr: 'Vlan10',
          alias: 'Management',
          type: 'propVirtual',
          mbps: 1000,
          mac: mac(60),
        },
      ]),
      ...addressTables([{ ifIndex: 70, cidr: '10.10.0.11/22' }]),
      ...entityTables([
        chassis({
          seeds: own,
          name: 'Switch 1',
          descr: 'C9300-48P',
          model: 'C9300-48P',
          manufacturer: 'Cisco Systems, Inc.',
          serialPrefix: 'FCW',
          softwareRev: '17.3.5',
          hardwareRev: 'V03',
          supplies: { model: 'PWR-C1-715WAC', count: 2, watts: 310 },
          fans: { count: 3, rpm: 5600 },
          temperatures: [
            { name: 'Switch 1 - Inlet Temp Sensor', celsius: 27 },
            { name: 'Switch 1 - HotSpot Temp Sensor', celsius: 44 },
          ],
          modules: [
            card(
              2000,
              {
                name: 'Switch 1 FixedModule 0',
                model: 'C9300-48P',
                manufacturer: 'Cisco Systems, Inc.',
                serial: serialOf('FCW', own('module 0')),
              },
              copper,
            ),
            card(
              2100,
              {
                name: 'Switch 1 FRU Uplink Module 1',
                model: 'C9300-NM-8X',
                manufacturer: 'Cisco Systems, Inc.',
                serial: serialOf('FOC', own('module 1')),
              },
              uplinks,
            ),
            ...uplinks.slice(0, 1).map((port) =>
              optic(own, {
                port,
                index: 2200,
                descr: 'SFP-10GBase-SR',
                vendorType: '1.3.6.1.4.1.9.12.3.1.9.84.2',
                model: 'SFP-10G-SR',
                manufacturer: 'CISCO-FINISAR',
                serialPrefix: 'FNS',
              }),
            ),
          ],
        }),
      ]),
      ...ciscoHealth({
        seeds: own,
        entity: 1,
        load: wave(own('cpu'), { mean: 13, day: 3, peakHour: 13, noise: 4, min: 1, max: 100 }),
        memoryOctets: 8 * 2 ** 30,
        memoryUsed: 0.36,
        supplies: 2,
        fans: 3,
        flash: { name: 'flash-1', octets: 3.4 * 2 ** 30 },
        poe: { watts: 855, drawn: wave(own('poe'), { mean: 288, day: 85, peakHour: 13, noise: 14 }) },
      }),
    ]
  },
}

/** 24 x 1 Gbit/s and 4 x 10 Gbit/s; port names are only numbers. */
export const arubaSwitch: DeviceModel = {
  name: 'access-2',
  kind: 'access switch',
  sysDescr:
    'Aruba JL253A 2930F-24G-4SFP+ Switch, revision WC.16.11.0013, ROM WC.16.01.0010 (/ws/swbuildm/rel_ajanta_qaoff/code/build/lvm(swbuildm_rel_ajanta_qaoff_rel_ajanta))',
  sysObjectID: '1.3.6.1.4.1.11.2.3.7.11.181.18',
  sysServices: 74,
  location: SITES.headquarters,
  instances({ own, links }) {
    const mac = macsOf('b0:5a:da', own('mac'))
    const ports = range(1, 28).map((n): Port => {
      const common = { index: n, name: String(n), mac: mac(n) }
      if (n === 25)
        return { ...common, alias: 'core-1 Te5/0/3', mbps: 10_000, ...linkEnd(links, 'core-1 access-2', 'lower') }
      return n > 25
        ? { ...common, mbps: 10_000, link: 'down' }
        : edgePort(own, { ...common, alias: `Meeting rooms ${n}` })
    })
    return [
      ...portTables([
        ...ports,
        { index: 604, name: 'DEFAULT_VLAN', type: 'propVirtual', mbps: 0, mac: mac(40) },
        { index: 613, name: 'VLAN10', alias: 'Management', type: 'propVirtual', mbps: 0, mac: mac(40) },
      ]),
      ...addressTables([{ ifIndex: 613, cidr: '10.10.0.12/22' }]),
      ...entityTables([
        chassis({
          seeds: own,
          name: 'Chassis',
          descr: 'Aruba JL253A 2930F-24G-4SFP+ Switch',
          model: 'JL253A',
          manufacturer: 'HPE',
          serialPrefix: 'CN',
          softwareRev: 'WC.16.11.0013',
          temperatures: [{ name: 'Chassis Temperature', celsius: 33 }],
          fans: { count: 1, rpm: 4300 },
          modules: [
            card(
              2000,
              { name: 'Slot 0', model: 'JL253A', manufacturer: 'HPE', serial: serialOf('CN', own('slot 0')) },
              ports,
            ),
          ],
        }),
      ]),
      ...arubaSwitchHealth(own),
    ]
  },
}

/** 24 x 1 Gbit/s; each port has a logical interface, as on Junos. */
export const junosSwitch: DeviceModel = {
  name: 'access-3',
  kind: 'access switch',
  sysDescr:
    'Juniper Networks, Inc. ex4300-24t Ethernet Switch, kernel JUNOS 21.4R3-S5.4, Build date: 2023-08-11 05:40:12 UTC Copyright (c) 1996-2023 Juniper Networks, Inc.',
  sysObjectID: '1.3.6.1.4.1.2636.1.1.1.4.63.1',
  sysServices: 6,
  location: SITES.headquarters,
  maxRepetitions: 30,
  instances({ own, links }) {
    const mac = macsOf('2c:6b:f5', own('mac'))
    const copper = range(0, 23).map((n) =>
      edgePort(own, { index: 510 + 2 * n, name: `ge-0/0/${n}`, alias: `Laboratory ${n + 1}`, mac: mac(n) }),
    )
    const uplinks = range(0, 3).map((n): Port => {
      const common = { index: 580 + 2 * n, name: `xe-0/2/${n}`, mbps: 10_000, mac: mac(40 + n) }
      return n === 0
        ? { ...common, alias: 'core-1 Te5/0/4', ...linkEnd(links, 'core-1 access-3', 'lower') }
        : { ...common, link: 'down' }
    })
    const physical = [...copper, ...uplinks]
    const logical = physical.map(
      ({ alias: _alias, inErrors: _in, outDiscards: _out, ...port }): Port => ({
        ...port,
        index: port.index + 1,
        name: `${port.name}.0`,
        type: 'propVirtual',
        connector: false,
      }),
    )
    return [
      ...portTables([
        ...physical,
        ...logical,
        { index: 7, name: 'lo0', type: 'softwareLoopback', mtu: 65_535, mbps: 0 },
        { index: 650, name: 'irb', type: 'other', mbps: 1000, mac: mac(60) },
        { index: 651, name: 'irb.10', alias: 'Management', type: 'propVirtual', mbps: 1000, mac: mac(60) },
      ]),
      ...addressTables([
        { ifIndex: 651, cidr: '10.10.0.13/22' },
        { ifIndex: 651, cidr: '2001:db8:a:10:0:0:0:13/64' },
      ]),
      ...hostTables({
        memoryOctets: 2 ** 31,
        storage: [
          {
            index: 1,
            type: 'fixedDisk',
            descr: '/dev/da0s1a: mounted on: /',
            unit: 2048,
            sizeOctets: 250 * 2 ** 20,
            usedOctets: () => 171 * 2 ** 20,
          },
          {
            index: 2,
            type: 'fixedDisk',
            descr: '/dev/da0s3e: mounted on: /var',
            unit: 2048,
            sizeOctets: 370 * 2 ** 20,
            usedOctets: wave(own('var'), { mean: 96 * 2 ** 20, noise: 20 * 2 ** 20, noiseS: 7200 }),
          },
        ],
        // the Routing Engine is in jnxOperatingTable
        processors: [],
      }),
      ...scalarValues(jnxBoxAnatomy, {
        jnxBoxDescr: 'Juniper EX4300-24T Switch',
        jnxBoxSerialNo: serialOf('PG37', own('serial')),
      }),
      ...entityTables([
        chassis({
          seeds: own,
          name: 'EX4300-24T',
          descr: 'Juniper EX4300-24T',
          model: 'EX4300-24T',
          manufacturer: 'Juniper Networks',
          serialPrefix: 'PG37',
          softwareRev: '21.4R3-S5.4',
          supplies: { model: 'JPSU-350-AC-AFO', count: 2, watts: 95 },
          fans: { count: 2, rpm: 9100 },
          temperatures: [{ name: 'FPC 0 CPU Temperature', celsius: 41 }],
          modules: [
            card(
              2000,
              {
                name: 'FPC 0',
                model: 'EX4300-24T',
                manufacturer: 'Juniper Networks',
                serial: serialOf('PG37', own('fpc 0')),
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
            descr: 'FPC: EX4300-24T @ 0/*/*',
            celsius: wave(own('fpc celsius'), { mean: 41, day: 2.5, peakHour: 16, noise: 1, noiseS: 900 }),
          },
          {
            index: '9.1.0.0',
            descr: 'Routing Engine 0',
            celsius: wave(own('re celsius'), { mean: 44, day: 2.5, peakHour: 16, noise: 1, noiseS: 900 }),
            load: wave(own('cpu'), { mean: 22, day: 8, noise: 9, min: 1, max: 100 }),
            memoryOctets: 2 ** 31,
            memoryUsed: wave(own('ram'), { mean: 46, noise: 2, noiseS: 3600 }),
          },
        ],
        frus: ['Power Supply 0', 'Power Supply 1', 'Fan Tray 0', 'Fan Tray 1'],
        optics: uplinks.slice(0, 1).map((port) => ({ ifIndex: port.index, gauges: opticGauges(own, port.name) })),
      }),
    ]
  },
}

/** Processor, packet memory and front-panel LEDs of ArubaOS-Switch. */
function arubaSwitchHealth(own: Seeds): Instance[] {
  const total = 340_107_264
  const used = wave(own('memory'), { mean: total * 0.52, noise: total * 0.01, noiseS: 3600 })
  const lamp = (kind: keyof typeof HPICF_SENSOR, descr: string) => ({
    hpicfSensorObjectId: HPICF_SENSOR[kind],
    hpicfSensorStatus: HPICF_GOOD,
    hpicfSensorDescr: descr,
  })
  return [
    ...scalarValues(hpSwitchCpu, {
      hpSwitchCpuStat: wave(own('cpu'), { mean: 9, day: 3, peakHour: 13, noise: 4, min: 1, max: 100 }),
    }),
    ...tableRows(hpLocalMemTable, [
      [
        1,
        {
          hpLocalMemTotalBytes: total,
          hpLocalMemFreeBytes: (t) => total - Math.round(used(t)),
          hpLocalMemAllocBytes: used,
        },
      ],
    ]),
    ...tableRows(hpicfSensorTable, [
      [1, lamp('fan', 'Fan Sensor')],
      [2, lamp('supply', 'Power Supply Sensor')],
      [3, lamp('temperature', 'Over Temperature Sensor')],
    ]),
  ]
}
