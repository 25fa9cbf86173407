import type { DeviceModel } from '../device.ts'
import { type Gauge, wave } from '../gauge.ts'
import { type LinkName, linkEnd } from '../links.ts'
import { fgHwSensorTable, fgProcessorTable, fgSystemInfo, fgVpnInfo, fnSystem } from '../mib/vendor.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { entityTables } from '../parts/entity.ts'
import { type Port, portTables } from '../parts/ports.ts'
import type { Seeds } from '../seeds.ts'
import { SITES } from '../sites.ts'
import { type Instance, scalarValues, tableRows } from '../table.ts'
import { flow, trouble } from '../traffic.ts'

const UPLINKS: Readonly<Record<string, readonly [LinkName, 'upper' | 'lower', string]>> = {
  x1: ['fw-1 core-1', 'upper', 'core-1 Te5/0/1'],
  x2: ['edge-1 fw-1', 'lower', 'edge-1 xe-0/0/2'],
}

/** A firewall between edge router and core, with a tunnel interface and session counts that follow a daily cycle. */
export const firewall: DeviceModel = {
  name: 'fw-1',
  kind: 'firewall',
  sysDescr: 'FortiGate-100F, headquarters perimeter',
  sysObjectID: '1.3.6.1.4.1.12356.101.1.1000',
  sysServices: 78,
  location: SITES.dataCentre,
  instances({ own, links }) {
    const mac = macsOf('e0:23:ff', own('mac'))
    const ports = ['x1', 'x2', 'mgmt', 'ha1', ...range(1, 20).map((n) => `port${n}`)].map((name, i): Port => {
      const common = { index: i + 1, name, mbps: name.startsWith('x') ? 10_000 : 1000, mac: mac(i) }
      const to = UPLINKS[name]
      if (to !== undefined)
        return {
          ...common,
          alias: to[2],
          ...linkEnd(links, to[0], to[1]),
          ...(name === 'x2' && { inDiscards: trouble(own('x2'), 9) }),
        }
      if (name === 'mgmt')
        return {
          ...common,
          alias: 'Out of band',
          in: flow(own('mgmt in'), { meanBps: 11_000, shape: 'flat', packetOctets: 110 }),
          out: flow(own('mgmt out'), { meanBps: 44_000, shape: 'flat', packetOctets: 240 }),
        }
      if (name === 'port1')
        return {
          ...common,
          alias: 'Public services',
          in: flow(own('dmz in'), { meanBps: 4.1e7, shape: 'evening', packetOctets: 940 }),
          out: flow(own('dmz out'), { meanBps: 7.6e6, shape: 'evening', packetOctets: 310 }),
        }
      return { ...common, link: 'down' }
    })
    return [
      ...portTables(
        [
          ...ports,
          {
            index: 40,
            name: 'ssl.root',
            alias: 'Remote users',
            type: 'tunnel',
            mbps: 0,
            in: flow(own('vpn in'), { meanBps: 5.5e6, shape: 'office', packetOctets: 380 }),
            out: flow(own('vpn out'), { meanBps: 2.2e7, shape: 'office', packetOctets: 870 }),
          },
        ],
        { etherLike: false },
      ),
      ...addressTables([
        { ifIndex: 1, cidr: '10.10.1.9/30' },
        { ifIndex: 2, cidr: '192.0.2.18/29' },
        { ifIndex: 2, cidr: '2001:db8:0:10:0:0:0:2/64' },
        { ifIndex: 3, cidr: '10.10.0.5/22' },
        { ifIndex: 5, cidr: '192.0.2.65/27' },
      ]),
      ...entityTables([
        {
          index: 1,
          name: 'FortiGate-100F',
          class: 'chassis',
          descr: 'Fortinet FGT_100F, HW Serial#: demo',
          model: 'FGT_100F',
          manufacturer: 'Fortinet',
          serial: serialOf('FG100F', own('serial')),
          softwareRev: 'FortiGate-100F v7.2.7,build1577',
          fru: true,
        },
      ]),
      ...scalarValues(fgSystemInfo, {
        fgSysVersion: 'v7.2.7,build1577,240131 (GA.M)',
        fgSysCpuUsage: wave(own('cpu'), { mean: 24, day: 13, noise: 9, min: 1, max: 100 }),
        fgSysMemUsage: wave(own('memory'), { mean: 58, day: 4, noise: 2, max: 100 }),
        fgSysMemCapacity: 7_923_152,
        fgSysSesCount: wave(own('sessions'), { mean: 21_000, day: 12_500, noise: 3200, min: 500 }),
        fgSysSesRate1: wave(own('session rate'), { mean: 310, day: 190, noise: 60, min: 5 }),
      }),
      ...scalarValues(fnSystem, { fnSysSerial: serialOf('FG100F', own('serial')) }),
      ...hardware(own),
    ]
  },
}

/** Temperatures, fans, voltages, processor cores, and active tunnels. */
function hardware(own: Seeds): Instance[] {
  const sensor = (name: string, digits: number, value: Gauge) => ({
    fgHwSensorEntName: name,
    fgHwSensorEntValue: (t: Parameters<Gauge>[0]) => value(t).toFixed(digits),
    fgHwSensorEntAlarmStatus: 0,
  })
  const celsius = (name: string, mean: number) =>
    sensor(name, 1, wave(own(name), { mean, day: 2.5, peakHour: 16, noise: 1.2, noiseS: 900 }))
  const volts = (name: string, mean: number) =>
    sensor(name, 4, wave(own(name), { mean, noise: mean * 0.004, noiseS: 1800 }))
  const sensors = [
    volts('+3.3V', 3.31),
    volts('+5V', 5.04),
    volts('+12V', 12.1),
    celsius('CPU ON-DIE Temperature', 61),
    celsius('ADT7490 LM75 Temperature', 38),
    ...range(1, 3).map((n) =>
      sensor(`FAN${n}`, 0, wave(own(`fan ${n}`), { mean: 5600, day: 220, peakHour: 16, noise: 150, noiseS: 1800 })),
    ),
  ]
  return [
    ...tableRows(
      fgHwSensorTable,
      sensors.map((row, i) => [i + 1, row]),
    ),
    ...tableRows(
      fgProcessorTable,
      range(1, 8).map((n) => [
        n,
        { fgProcessorUsage: wave(own(`core ${n}`), { mean: 24, day: 13, noise: 12, min: 0, max: 100 }) },
      ]),
    ),
    ...scalarValues(fgVpnInfo, { fgVpnTunnelUpCount: 3 }),
  ]
}
