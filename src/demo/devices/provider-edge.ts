import { vRtrConfTable } from '../../mibs/l3vpn-mibs.ts'
import { tmnxChassisTable, tmnxChassisTypeTable, tmnxHwTable } from '../../mibs/timetra-chassis-mib.ts'
import { sapBaseInfoTable, svcBaseInfoTable, svcTlsInfoTable, tmnxPortTable } from '../../mibs/timetra-serv-mib.ts'
import type { DeviceModel } from '../device.ts'
import { mibRows } from '../mib/of-mibs.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { type Port, portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'
import { flow } from '../traffic.ts'

/** Service types and states of TIMETRA-SERV-MIB. */
const TLS = 3
const VPRN = 4
const UP = 1
const ACTIVE = 1

/** Port ids of SR OS: chassis, slot and port in one number. */
const portId = (n: number): number => 35_684_352 + n * 32_768
/** tmnxHwIndex of the chassis. */
const CHASSIS = 50_331_649

const SERVICES = [
  {
    id: 100,
    type: TLS,
    description: 'Campus ring',
    saps: [
      { port: 2, vlan: 100 },
      { port: 3, vlan: 100 },
    ],
  },
  { id: 200, type: VPRN, description: 'Branch offices', saps: [{ port: 2, vlan: 200 }] },
] as const

/** A provider's edge router: a VPLS and a VPRN with their access points. */
export const providerEdge: DeviceModel = {
  name: 'pe-1',
  kind: 'router',
  sysDescr:
    'TiMOS-C-20.10.R12 cpm/hops64 Nokia 7750 SR Copyright (c) 2000-2022 Nokia.\r\nAll rights reserved. All use subject to applicable license agreements.',
  sysObjectID: '1.3.6.1.4.1.6527.1.3.17',
  sysServices: 6,
  location: SITES.dataCentre,
  instances({ own }) {
    const mac = macsOf('00:d0:f6', own('mac'))
    const ports = range(1, 4).map((n): Port => {
      const common = { index: portId(n), name: `1/1/${n}`, mbps: 10_000, mtu: 9212, mac: mac(n) }
      if (n === 4) return { ...common, link: 'down' }
      return {
        ...common,
        alias: n === 1 ? 'edge-1 xe-0/0/3' : `Customer ring ${n}`,
        in: flow(own(`in ${n}`), { meanBps: 2.2e8 / n, shape: 'evening', packetOctets: 820 }),
        out: flow(own(`out ${n}`), { meanBps: 6.1e8 / n, shape: 'evening', packetOctets: 910 }),
      }
    })
    return [
      ...portTables([...ports, { index: 1, name: 'system', type: 'softwareLoopback', mtu: 1500, mbps: 0 }]),
      ...addressTables([
        { ifIndex: 1, cidr: '192.0.2.9/32' },
        { ifIndex: portId(1), cidr: '192.0.2.34/30' },
      ]),
      ...mibRows(tmnxChassisTable, [[1, { tmnxChassisType: 7 }]]),
      ...mibRows(tmnxChassisTypeTable, [
        [7, { tmnxChassisTypeName: '7750 SR-7', tmnxChassisTypeDescription: '7750 SR 7-slot chassis' }],
      ]),
      ...mibRows(tmnxHwTable, [
        [
          `1.${CHASSIS}`,
          {
            tmnxHwClass: 3,
            tmnxHwName: 'Chassis 1',
            tmnxHwMfgString: 'Nokia',
            tmnxHwMfgBoardNumber: '3HE00186AA',
            tmnxHwSerialNumber: serialOf('NS', own('serial')),
            tmnxHwIsFRU: 2,
            tmnxHwContainedIn: 0,
            tmnxHwParentRelPos: 0,
            tmnxHwSoftwareCodeVersion: 'TiMOS-C-20.10.R12 cpm/hops64 Nokia 7750 SR',
          },
        ],
      ]),
      ...mibRows(vRtrConfTable, [
        [1, { vRtrName: 'Base', vRtrRouteDistinguisher: new Uint8Array(8), vRtrDescription: '', vRtrAS4Byte: 64_512 }],
        [
          2,
          {
            vRtrName: '200',
            vRtrRouteDistinguisher: Uint8Array.of(0, 0, 0xfc, 0, 0, 0, 0, 200),
            vRtrDescription: 'Branch offices',
            vRtrAS4Byte: 64_512,
          },
        ],
      ]),
      ...mibRows(
        tmnxPortTable,
        ports.map(({ index, name }) => [`1.${index}`, { tmnxPortName: name }]),
      ),
      ...mibRows(
        svcBaseInfoTable,
        SERVICES.map(({ id, type, description, saps }) => [
          id,
          {
            svcRowStatus: ACTIVE,
            svcType: type,
            svcCustId: 1,
            svcDescription: description,
            svcMtu: 1514,
            svcAdminStatus: UP,
            svcOperStatus: UP,
            svcNumSaps: saps.length,
            svcNumSdps: 0,
            svcLastMgmtChange: 6000,
            svcLastStatusChange: 6400,
            svcVRouterId: type === VPRN ? 2 : 0,
          },
        ]),
      ),
      ...mibRows(svcTlsInfoTable, [
        [
          100,
          {
            svcTlsMacLearning: 1,
            svcTlsFdbTableSize: 250,
            svcTlsFdbNumEntries: 42,
            svcTlsStpAdminStatus: 2,
            svcTlsStpOperStatus: 2,
          },
        ],
      ]),
      ...mibRows(
        sapBaseInfoTable,
        SERVICES.flatMap(({ id, type, description, saps }) =>
          saps.map(
            ({ port, vlan }) =>
              [
                `${id}.${portId(port)}.${vlan}`,
                {
                  sapRowStatus: ACTIVE,
                  sapType: type,
                  sapDescription: `${description}, 1/1/${port}`,
                  sapAdminStatus: UP,
                  sapOperStatus: UP,
                  sapLastMgmtChange: 6000,
                  sapLastStatusChange: 6400,
                },
              ] as const,
          ),
        ),
      ),
    ]
  },
}
