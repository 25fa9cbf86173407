import type { DeviceModel } from '../device.ts'
import { wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, range } from '../parts/edge-ports.ts'
import { hostTables } from '../parts/host.ts'
import { portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'
import { flow } from '../traffic.ts'

const GiB = 2 ** 30
const TiB = 2 ** 40

/** A hypervisor with two physical interfaces, a virtual switch and datastores. */
export const hypervisor: DeviceModel = {
  name: 'esx-1',
  kind: 'hypervisor',
  sysDescr: 'VMware ESXi 8.0.2 build-22380479 VMware, Inc. x86_64',
  sysObjectID: '1.3.6.1.4.1.6876.4.1',
  sysServices: 72,
  location: SITES.dataCentre,
  instances({ own, links }) {
    const mac = macsOf('00:50:56', own('mac'))
    const memory = 512 * GiB
    return [
      ...portTables(
        [
          {
            index: 1,
            name: 'vmnic0',
            descr: 'Device vmnic0 at 03:00.0 nmlx5_core',
            alias: 'leaf-1 Ethernet4',
            mbps: 25_000,
            mac: mac(0),
            ...linkEnd(links, 'leaf-1 esx-1 a', 'lower'),
          },
          {
            index: 2,
            name: 'vmnic1',
            descr: 'Device vmnic1 at 03:00.1 nmlx5_core',
            alias: 'leaf-1 Ethernet5',
            mbps: 25_000,
            mac: mac(1),
            ...linkEnd(links, 'leaf-1 esx-1 b', 'lower'),
          },
          { index: 3, name: 'vmnic2', descr: 'Device vmnic2 at 04:00.0 igbn', mbps: 1000, mac: mac(2), link: 'down' },
          {
            index: 10,
            name: 'vmk0',
            descr: 'Virtual interface: vmk0 on vswitch vSwitch0 portgroup: Management Network',
            type: 'propVirtual',
            mbps: 0,
            mac: mac(10),
            in: flow(own('vmk in'), { meanBps: 3.1e5, shape: 'flat', packetOctets: 420 }),
            out: flow(own('vmk out'), { meanBps: 6.2e5, shape: 'flat', packetOctets: 640 }),
          },
        ],
        { etherLike: false },
      ),
      ...addressTables([{ ifIndex: 10, cidr: '10.10.0.71/22' }]),
      ...hostTables({
        memoryOctets: memory,
        users: () => 1,
        processes: wave(own('processes'), { mean: 96, noise: 6 }),
        storage: [
          {
            index: 1,
            type: 'fixedDisk',
            descr: '/vmfs/volumes/datastore-ssd',
            unit: 65_536,
            sizeOctets: 14 * TiB,
            usedOctets: wave(own('ssd'), { mean: 9.4 * TiB, noise: 0.3 * TiB, noiseS: 40_000 }),
          },
          {
            index: 2,
            type: 'fixedDisk',
            descr: '/vmfs/volumes/OSDATA',
            unit: 4096,
            sizeOctets: 120 * GiB,
            usedOctets: () => 38 * GiB,
          },
          {
            index: 3,
            type: 'ram',
            descr: 'Real Memory',
            unit: 4096,
            sizeOctets: memory,
            usedOctets: wave(own('ram'), {
              mean: memory * 0.71,
              day: memory * 0.04,
              noise: memory * 0.02,
              noiseS: 3600,
            }),
          },
        ],
        processors: range(1, 32).map((n) => ({
          index: n,
          descr: `CPU Pkg/ID/Node: ${Math.floor((n - 1) / 16)}/${n - 1}/${Math.floor((n - 1) / 16)} GenuineIntel`,
          load: wave(own(`cpu ${n}`), { mean: 43, day: 14, noise: 21, min: 1, max: 100 }),
        })),
      }),
    ]
  },
}
