import type { DeviceModel } from '../device.ts'
import { wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { wlsxSystem } from '../mib/vendor.ts'
import { addressTables } from '../parts/addresses.ts'
import { chassis } from '../parts/chassis.ts'
import { macsOf, range } from '../parts/edge-ports.ts'
import { entityTables } from '../parts/entity.ts'
import { hostTables } from '../parts/host.ts'
import { type Port, portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'
import { scalarValues } from '../table.ts'

/** A wireless controller with six ports, one of them to the core. */
export const wirelessController: DeviceModel = {
  name: 'wlc-1',
  kind: 'wireless controller',
  sysDescr: 'ArubaOS (MODEL: Aruba7205), Version 8.10.0.9 (88225)',
  sysObjectID: '1.3.6.1.4.1.14823.1.1.42',
  sysServices: 2,
  location: SITES.headquarters,
  // this product family returns fewer rows than requested
  maxRepetitions: 20,
  instances({ own, links }) {
    const mac = macsOf('00:0b:86', own('mac'))
    const ports = range(0, 5).map((n): Port => {
      const common = {
        index: n + 1,
        name: `GE 0/0/${n}`,
        descr: `GE0/0/${n}`,
        mbps: n > 3 ? 10_000 : 1000,
        mac: mac(n),
      }
      return n === 4
        ? { ...common, alias: 'core-1 Te5/0/5', ...linkEnd(links, 'core-1 wlc-1', 'lower') }
        : { ...common, link: 'down' }
    })
    const memory = 8 * 2 ** 30
    return [
      ...scalarValues(wlsxSystem, {
        wlsxSwitchTotalNumAccessPoints: 14,
        wlsxSwitchTotalNumStationsAssociated: wave(own('stations'), { mean: 160, day: 110, noise: 15, min: 3 }),
      }),
      ...portTables([
        ...ports,
        {
          index: 20,
          name: 'vlan 10',
          descr: '802.1Q VLAN',
          alias: 'Management',
          type: 'l2vlan',
          mbps: 1000,
          mac: mac(10),
        },
        { index: 21, name: 'vlan 99', descr: '802.1Q VLAN', alias: 'Guests', type: 'l2vlan', mbps: 1000, mac: mac(10) },
        { index: 30, name: 'loopback', type: 'softwareLoopback', mbps: 0 },
      ]),
      ...addressTables([
        { ifIndex: 20, cidr: '10.10.0.51/22' },
        { ifIndex: 21, cidr: '10.99.0.2/22' },
      ]),
      ...hostTables({
        memoryOctets: memory,
        storage: [
          {
            index: 1,
            type: 'ram',
            descr: 'System memory',
            unit: 4096,
            sizeOctets: memory,
            usedOctets: wave(own('ram'), { mean: memory * 0.47, day: memory * 0.05, noise: memory * 0.01 }),
          },
        ],
        processors: range(1, 2).map((n) => ({
          index: n,
          descr: n === 1 ? 'Control plane' : 'Data plane',
          load: wave(own(`cpu ${n}`), { mean: 19, day: 11, noise: 8, min: 1, max: 100 }),
        })),
      }),
      ...entityTables([
        chassis({
          seeds: own,
          name: 'Aruba 7205',
          descr: 'Aruba 7205 Mobility Controller',
          model: 'Aruba7205-RW',
          manufacturer: 'Aruba Networks',
          serialPrefix: 'CG0',
          softwareRev: '8.10.0.9',
          supplies: { model: 'JW659A', count: 1, watts: 62 },
          fans: { count: 2, rpm: 6100 },
          temperatures: [
            { name: 'Main board', celsius: 37 },
            { name: 'Processor', celsius: 55 },
          ],
        }),
      ]),
    ]
  },
}
