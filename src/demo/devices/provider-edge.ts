import { vRtrConfTable } from '../../mibs/l3vpn-mibs.ts'
import { tmnxChassisTable, tmnxChassisTypeTable, tmnxHwTable } from '../../mibs/timetra-chassis-mib.ts'
import { sapBaseInfoTable, svcBaseInfoTable, svcTlsInfoTable, tmnxPortTable } from '../../mibs/timetra-serv-mib.ts'
import type { DeviceModel } from '../device.ts'
import { wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { sgiStats, tmnxChassisState, tmnxDigitalDiagMonitorTable, tmnxHwState } from '../mib/nokia.ts'
import { mibRows } from '../mib/of-mibs.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, range, serialOf } from '../parts/edge-ports.ts'
import { opticGauges } from '../parts/optics.ts'
import { type Port, portTables } from '../parts/ports.ts'
import type { Seeds } from '../seeds.ts'
import { SITES } from '../sites.ts'
import { type Instance, scalarValues, tableRows } from '../table.ts'
import { flow } from '../traffic.ts'

/** Service types and states of TIMETRA-SERV-MIB. */
const TLS = 3
const VPRN = 4
const UP = 1
const ACTIVE = 1

/** SR OS port ids, which encode chassis, slot and port in one number. */
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

/** Cards and fan trays: tmnxHwIndex, TmnxHwClass, part number, and degrees Celsius if it has a temperature sensor. */
const PARTS = [
  { index: 134_217_729, name: 'Slot 1', kind: 8, board: '3HE03619AA', celsius: 43 },
  { index: 150_994_977, name: 'Slot A', kind: 9, board: '3HE05949AA', celsius: 39 },
  { index: 184_549_633, name: 'MDA 1/1', kind: 11, board: '3HE06432AA', celsius: 46 },
  { index: 100_663_297, name: 'Fan tray 1', kind: 6, board: '3HE00187AA', celsius: null },
  { index: 83_886_081, name: 'Power supply 1', kind: 5, board: '3HE02134AA', celsius: null },
  { index: 83_886_082, name: 'Power supply 2', kind: 5, board: '3HE02134AA', celsius: null },
] as const

const ALARM_CLEARED = 2
const NO_OVERTEMPERATURE = 1
const LED_OFF = 1
const TRUE = 1
const FALSE = 2

/** A provider edge router with a VPLS, a VPRN and their SAPs. */
export const providerEdge: DeviceModel = {
  name: 'pe-1',
  kind: 'router',
  sysDescr:
    'TiMOS-C-20.10.R12 cpm/hops64 Nokia 7750 SR Copyright (c) 2000-2022 Nokia.\r\nAll rights reserved. All use subject to applicable license agreements.',
  sysObjectID: '1.3.6.1.4.1.6527.1.3.17',
  sysServices: 6,
  location: SITES.dataCentre,
  instances({ own, links }) {
    const mac = macsOf('00:d0:f6', own('mac'))
    const ports = range(1, 4).map((n): Port => {
      const common = { index: portId(n), name: `1/1/${n}`, mbps: 10_000, mtu: 9212, mac: mac(n) }
      if (n === 4) return { ...common, link: 'down' }
      if (n === 1) return { ...common, alias: 'edge-1 xe-0/0/3', ...linkEnd(links, 'edge-1 pe-1', 'lower') }
      return {
        ...common,
        alias: `Customer ring ${n}`,
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
        ...PARTS.map(
          ({ index, name, kind, board }, i) =>
            [
              `1.${index}`,
              {
                tmnxHwClass: kind,
                tmnxHwName: name,
                tmnxHwMfgString: 'Nokia',
                tmnxHwMfgBoardNumber: board,
                tmnxHwSerialNumber: serialOf('NS', own(name)),
                tmnxHwIsFRU: 1,
                tmnxHwContainedIn: CHASSIS,
                tmnxHwParentRelPos: i + 1,
              },
            ] as const,
        ),
      ]),
      ...health(
        own,
        ports.filter(({ link }) => link !== 'down'),
      ),
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

/** Processor, memory, temperatures, LEDs, and optical power of the ports. */
function health(own: Seeds, ports: readonly Port[]): Instance[] {
  const memoryKb = 8 * 2 ** 20
  const used = wave(own('memory'), { mean: memoryKb * 0.38, noise: memoryKb * 0.01, noiseS: 3600 })
  return [
    ...scalarValues(sgiStats, {
      sgiCpuUsage: wave(own('cpu'), { mean: 14, day: 4, peakHour: 19, noise: 5, min: 1, max: 100 }),
      sgiKbMemoryAvailable: (t) => BigInt(memoryKb - Math.round(used(t))),
      sgiKbMemoryUsed: (t) => BigInt(Math.round(used(t))),
    }),
    ...tableRows(tmnxChassisState, [
      [
        1,
        {
          tmnxChassisCriticalLEDState: LED_OFF,
          tmnxChassisMajorLEDState: LED_OFF,
          tmnxChassisMinorLEDState: LED_OFF,
          tmnxChassisOverTempState: NO_OVERTEMPERATURE,
        },
      ],
    ]),
    ...tableRows(
      tmnxHwState,
      PARTS.map(({ index, name, celsius }) => [
        `1.${index}`,
        {
          tmnxHwTempSensor: celsius === null ? FALSE : TRUE,
          tmnxHwTemperature:
            celsius === null
              ? -1
              : wave(own(`${name} celsius`), { mean: celsius, day: 2.5, peakHour: 16, noise: 1.2, noiseS: 900 }),
          tmnxHwTempThreshold: celsius === null ? -1 : 75,
          tmnxHwAlarmState: ALARM_CLEARED,
        },
      ]),
    ),
    ...tableRows(
      tmnxDigitalDiagMonitorTable,
      ports.map((port) => {
        const gauges = opticGauges(own, port.name)
        // dBm to tenths of a microwatt
        const light = (dbm: number): number => 10_000 * 10 ** (dbm / 10)
        return [
          `1.${port.index}`,
          {
            tmnxDDMTemperature: (t) => 256 * gauges.celsius(t),
            tmnxDDMSupplyVoltage: (t) => 10_000 * gauges.volts(t),
            tmnxDDMTxBiasCurrent: (t) => 500 * gauges.milliamperes(t),
            tmnxDDMTxOutputPower: (t) => light(gauges.txDbm(t)),
            tmnxDDMRxOpticalPower: (t) => light(gauges.rxDbm(t)),
          },
        ]
      }),
    ),
  ]
}
