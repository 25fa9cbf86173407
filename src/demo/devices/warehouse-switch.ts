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

/** Interval and duration of power failures in the warehouse. */
export const OUTAGE_LIFE = { cycleS: 6 * 3600, darkS: 720 } as const

/** A switch with unreliable power: down for twelve minutes every six hours, then it reboots. */
export const warehouseSwitch: DeviceModel = {
  name: 'warehouse-1',
  kind: 'access switch',
  sysDescr: 'RouterOS CRS326-24G-2S+',
  sysObjectID: '1.3.6.1.4.1.14988.1',
  sysServices: 78,
  location: SITES.warehouse,
  life: OUTAGE_LIFE,
  instances({ own, links }) {
    const mac = macsOf('dc:2c:6e', own('mac'))
    const copper = range(1, 24).map((n) =>
      edgePort(own, { index: n, name: `ether${n}`, alias: n < 9 ? `Gate ${n}` : '', mac: mac(n) }),
    )
    const uplinks = [1, 2].map((n): Port => {
      const common = { index: 24 + n, name: `sfp-sfpplus${n}`, mbps: n === 1 ? 1000 : 10_000, mac: mac(24 + n) }
      return n === 1
        ? { ...common, alias: 'core-1 Gi2/0/48', ...linkEnd(links, 'core-1 warehouse-1', 'lower') }
        : { ...common, link: 'down' }
    })
    return [
      ...portTables([...copper, ...uplinks, { index: 27, name: 'bridge', type: 'bridge', mbps: 0, mac: mac(0) }], {
        etherLike: false,
      }),
      ...addressTables([{ ifIndex: 27, cidr: '10.10.0.41/22' }], { modern: false }),
      ...routerOsHost(own, 512 * 2 ** 20, 1),
      ...scalarValues(mtxrHealth, {
        mtxrHlVoltage: wave(own('volts'), { mean: 239, noise: 4 }),
        mtxrHlTemperature: wave(own('celsius'), { mean: 310, day: 60, noise: 15 }),
        mtxrHlProcessorTemperature: wave(own('cpu celsius'), { mean: 520, day: 30, noise: 18 }),
      }),
      ...scalarValues(mtxrLicense, { mtxrLicVersion: '7.12.1' }),
      ...scalarValues(mtxrSystem, { mtxrSerialNumber: serialOf('HCN', own('serial')), mtxrFirmwareVersion: '7.12.1' }),
    ]
  },
}
