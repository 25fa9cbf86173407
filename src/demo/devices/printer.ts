import type { DeviceModel } from '../device.ts'
import { sawtooth, wave } from '../gauge.ts'
import { linkEnd } from '../links.ts'
import { hrDeviceTable, hrPrinterTable } from '../mib/host.ts'
import { prtGeneralTable, prtInputTable, prtMarkerSuppliesTable, prtMarkerTable } from '../mib/printer.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, serialOf } from '../parts/edge-ports.ts'
import { hostTables } from '../parts/host.ts'
import { portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'
import { tableRows } from '../table.ts'
import { flow, reading } from '../traffic.ts'

const SUPPLIES = [
  ['Black Cartridge HP W2010X', 4.2],
  ['Cyan Cartridge HP W2011X', 9],
  ['Magenta Cartridge HP W2013X', 11],
  ['Yellow Cartridge HP W2012X', 12],
] as const

const DAY_S = 86_400

/** A colour printer, used during office hours, whose cartridges run empty and are replaced. */
export const printer: DeviceModel = {
  name: 'printer-1',
  kind: 'printer',
  sysDescr: 'HP ETHERNET MULTI-ENVIRONMENT,ROM none,JETDIRECT,JD153,EEPROM JSI24200001,CIDATE 01/05/2022',
  sysObjectID: '1.3.6.1.4.1.11.2.3.9.1',
  sysServices: 64,
  location: SITES.headquarters,
  maxMessageOctets: 1024,
  maxRepetitions: 10,
  instances({ own, links }) {
    const mac = macsOf('3c:2a:f4', own('mac'))
    // 900 pages a day on average; each octet of the curve stands for a page
    const pages = flow(own('pages'), { meanBps: (8 * 900) / DAY_S, shape: 'office', packetOctets: 1 })
    const memory = 3 * 2 ** 30
    return [
      ...portTables(
        [
          {
            index: 1,
            name: 'eth0',
            descr: 'HP ETHERNET MULTI-ENVIRONMENT',
            mbps: 1000,
            mac: mac(0),
            ...linkEnd(links, 'access-1 printer-1', 'lower'),
          },
        ],
        { highCapacity: false },
      ),
      ...addressTables([{ ifIndex: 1, cidr: '10.40.0.15/22' }], { modern: false }),
      ...hostTables({
        memoryOctets: memory,
        storage: [
          {
            index: 1,
            type: 'ram',
            descr: 'RAM',
            unit: 1024,
            sizeOctets: memory,
            usedOctets: wave(own('ram'), { mean: memory * 0.53, noise: memory * 0.06 }),
          },
        ],
        processors: [],
      }),
      ...tableRows(hrDeviceTable, [
        [
          1,
          {
            hrDeviceIndex: 1,
            hrDeviceType: '1.3.6.1.2.1.25.3.1.5',
            hrDeviceDescr: 'HP Color LaserJet Flow E87660',
            hrDeviceID: '0.0',
            hrDeviceStatus: 2,
            hrDeviceErrors: 0n,
          },
        ],
      ]),
      ...tableRows(hrPrinterTable, [[1, { hrPrinterStatus: 3, hrPrinterDetectedErrorState: Uint8Array.of(0) }]]),
      ...tableRows(prtGeneralTable, [
        [
          1,
          {
            prtGeneralConfigChanges: 4n,
            prtGeneralPrinterName: 'printer-1',
            prtGeneralSerialNumber: serialOf('CNB', own('serial')),
          },
        ],
      ]),
      ...tableRows(prtInputTable, [
        [
          '1.1',
          {
            prtInputType: 3,
            prtInputCapacityUnit: 8,
            prtInputMaxCapacity: 100,
            prtInputCurrentLevel: 40,
            prtInputStatus: 0,
            prtInputName: 'Tray 1',
          },
        ],
        [
          '1.2',
          {
            prtInputType: 3,
            prtInputCapacityUnit: 8,
            prtInputMaxCapacity: 520,
            prtInputCurrentLevel: sawtooth(own('tray'), 520, 30, 0.6 * DAY_S),
            prtInputStatus: 0,
            prtInputName: 'Tray 2',
          },
        ],
      ]),
      ...tableRows(prtMarkerTable, [
        [
          '1.1',
          {
            prtMarkerMarkTech: 4,
            prtMarkerCounterUnit: 7,
            // the life count survives reboots, so it starts at the fleet's epoch
            prtMarkerLifeCount: (t) => 118_340n + reading(pages.octets, t.s, 0),
            prtMarkerPowerOnCount: (t) => reading(pages.octets, t.s, t.bootS),
            prtMarkerStatus: 0,
          },
        ],
      ]),
      ...tableRows(
        prtMarkerSuppliesTable,
        SUPPLIES.map(
          ([name, days], i) =>
            [
              `1.${i + 1}`,
              {
                prtMarkerSuppliesMarkerIndex: 1,
                prtMarkerSuppliesColorantIndex: i + 1,
                prtMarkerSuppliesClass: 3,
                prtMarkerSuppliesType: 3,
                prtMarkerSuppliesDescription: name,
                prtMarkerSuppliesSupplyUnit: 19,
                prtMarkerSuppliesMaxCapacity: 100,
                prtMarkerSuppliesLevel: sawtooth(own(name), 100, 3, days * DAY_S),
              },
            ] as const,
        ),
      ),
    ]
  },
}
