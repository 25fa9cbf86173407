import type { DeviceModel } from '../device.ts'
import { wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { mtxrHealth, mtxrLicense, mtxrSystem } from '../mib/vendor.ts'
import { addressTables } from '../parts/addresses.ts'
import { edgePort, macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { type Port, portTables } from '../parts/ports.ts'
import { routerOsHost } from '../parts/router-os.ts'
import { SITES } from '../sites.ts'
import { scalarValues } from '../table.ts'
import { flow } from '../traffic.ts'

/** A small branch router with RouterOS, a tunnel to headquarters and a few ports. */
export const branchRouter: DeviceModel = {
  name: 'branch-1',
  kind: 'router',
  sysDescr: 'RouterOS RB5009UG+S+',
  sysObjectID: '1.3.6.1.4.1.14988.1',
  sysServices: 78,
  location: SITES.branch,
  instances({ own, links }) {
    const mac = macsOf('48:a9:8a', own('mac'))
    const ethernet = range(1, 8).map((n): Port => {
      const common = { index: n, name: `ether${n}`, mac: mac(n) }
      return n === 1
        ? {
            ...common,
            alias: 'Provider',
            mbps: 1000,
            in: flow(own('wan in'), { meanBps: 6.4e7, shape: 'office', packetOctets: 960 }),
            out: flow(own('wan out'), { meanBps: 1.3e7, shape: 'office', packetOctets: 380 }),
          }
        : edgePort(own, common)
    })
    const memory = 2 ** 30
    return [
      ...portTables(
        [
          ...ethernet,
          { index: 9, name: 'sfp-sfpplus1', mbps: 10_000, mac: mac(9), link: 'down' },
          {
            index: 10,
            name: 'bridge',
            type: 'bridge',
            mbps: 0,
            mac: mac(2),
            in: flow(own('bridge in'), { meanBps: 1.2e7, shape: 'office', packetOctets: 360 }),
            out: flow(own('bridge out'), { meanBps: 6.1e7, shape: 'office', packetOctets: 950 }),
          },
          {
            index: 11,
            name: 'gre-headquarters',
            alias: 'wan-1 Tu10',
            type: 'tunnel',
            mtu: 1400,
            mbps: 0,
            ...linkEnd(links, 'wan-1 branch-1', 'lower'),
          },
        ],
        { etherLike: false },
      ),
      ...addressTables(
        [
          { ifIndex: 1, cidr: '203.0.113.130/30' },
          { ifIndex: 10, cidr: '10.60.0.1/24' },
          { ifIndex: 11, cidr: '10.254.10.2/30' },
        ],
        { modern: false },
      ),
      ...routerOsHost(own, memory, 4),
      ...scalarValues(mtxrHealth, {
        mtxrHlVoltage: wave(own('volts'), { mean: 240, noise: 2 }),
        mtxrHlTemperature: wave(own('celsius'), { mean: 440, day: 30, noise: 12 }),
        mtxrHlProcessorTemperature: wave(own('cpu celsius'), { mean: 520, day: 30, noise: 18 }),
      }),
      ...scalarValues(mtxrLicense, { mtxrLicVersion: '7.13.2' }),
      ...scalarValues(mtxrSystem, { mtxrSerialNumber: serialOf('HE9', own('serial')), mtxrFirmwareVersion: '7.13.2' }),
    ]
  },
}
