import { expect, test } from 'bun:test'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, discover, gauge, int, moduleOf, text } from './agent.ts'

const ENTERPRISES = '1.3.6.1.4.1'

/**
 * A vendor's device: its values by OID below enterprises, and its expected wireless sensors, taken from the vendor's
 * MIB.
 */
interface Product {
  readonly name: string
  readonly os?: string
  readonly sysObjectID?: string
  readonly cells: Readonly<Record<string, number | string>>
  readonly sensors: readonly string[]
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'TELTONIKA-OTD-MIB: texts',
    os: 'rutos-otd',
    cells: {
      '48690.2.2.1.1.1': 1,
      '48690.2.2.1.12.1': '-62',
      '48690.2.2.1.18.1': '2937346',
      '48690.2.2.1.19.1': '14',
      '48690.2.2.1.20.1': '-91',
      '48690.2.2.1.21.1': '-11',
    },
    sensors: [
      'rssi Modem 1 RSSI: -62',
      'cell Modem 1 CELL ID: 2937346',
      'sinr Modem 1 SINR: 14',
      'rsrp Modem 1 RSRP: -91',
      'rsrq Modem 1 RSRQ: -11',
    ],
  },
  {
    name: 'AIRPORT-BASESTATION-3-MIB',
    os: 'airport',
    cells: { '63.501.3.2.1.0': 4 },
    sensors: ['clients Clients: 4'],
  },
  {
    name: 'CISCO-DMN-DSG-TUNING-MIB: text; no carrier without a lock',
    os: 'ciscosat',
    cells: {
      '1429.2.2.5.5.3.1.1.5.1': '14.2',
      '1429.2.2.5.5.3.1.1.6.1': '5.5',
      '1429.2.2.5.5.3.1.1.7.1': '-41',
      '1429.2.2.5.5.3.1.1.14.1': 2,
      '1429.2.2.5.5.3.1.1.16.1': '1210.500',
      '1429.2.2.5.5.3.1.1.5.2': '0.0',
      '1429.2.2.5.5.3.1.1.6.2': '0.0',
      '1429.2.2.5.5.3.1.1.7.2': '-70',
      '1429.2.2.5.5.3.1.1.14.2': 1,
      '1429.2.2.5.5.3.1.1.16.2': '0.000',
    },
    sensors: [
      'snr Input 1 C/N: 14.2',
      'snr Input 1 C/N Margin: 5.5',
      'power Input 1 Signal Level: -41',
      'frequency Input 1 L-Band Frequency: 1210.5',
      'power Input 2 Signal Level: -70',
    ],
  },
  {
    name: 'DSR4410MD-MIB: tenths of dBm, kHz',
    os: 'arris-dsr4410md',
    cells: { '1166.1.621.11.8.0': 87, '1166.1.621.11.9.0': -455, '1166.1.621.11.13.0': 1_190_500 },
    sensors: ['quality Signal Quality: 87', 'power Signal Power: -45.5', 'frequency L-Band Frequency: 1190.5'],
  },
  {
    name: 'PT3080-MIB: Hz, hundredths of dBm',
    os: 'protelevision-t1',
    cells: { '18086.3080.4.2.0': 506_000_000, '18086.3080.4.18.0': 1450, '18086.3080.4.19.0': 1432 },
    sensors: ['frequency Tx Frequency: 506', 'power Tx Power: 14.5', 'power Detected Tx Power: 14.32'],
  },
  {
    name: 'RADWIN-MIB-WINLINK1000: a distance below 0 means unknown',
    os: 'radwin',
    cells: {
      '4458.1000.1.5.9.1.0': -61,
      '4458.1000.1.5.12.0': 25,
      '4458.1000.1.5.16.0': 5770,
      '4458.1000.1.5.29.0': -1,
      '4458.1000.1.3.1.0': 48_000_000,
    },
    sensors: ['rssi RSSI: -61', 'power Tx Power: 25', 'frequency Frequency: 5770', 'rate Ethernet Rate: 48000000'],
  },
  {
    name: 'SAF-IPRADIO: local and remote unit',
    os: 'saf-cfm',
    cells: {
      '7571.100.1.1.5.1.1.1.10.1.4.1': 17,
      '7571.100.1.1.5.1.1.1.10.1.5.1': -42,
      '7571.100.1.1.5.1.1.1.10.1.5.2': -44,
      '7571.100.1.1.5.1.1.1.12.1.10.1': -351,
      '7571.100.1.1.5.1.1.1.12.1.6.1': 366_000,
    },
    sensors: [
      'power Local Tx Power: 17',
      'power Local Rx Level: -42',
      'power Remote Rx Level: -44',
      'mse Local Radial MSE: -35.1',
      'rate Local Capacity: 366000000',
    ],
  },
  {
    name: 'SAF-INTEGRAX-MIB: two radios',
    os: 'saf-integra-x',
    cells: {
      '7571.100.1.1.7.10.2.1.3.0': -40,
      '7571.100.1.1.7.10.2.2.3.0': -41,
      '7571.100.1.1.7.10.3.2.2.0': -382,
      '7571.100.1.1.7.10.2.1.2.0': 18_000_000,
    },
    sensors: [
      'power Radio A Rx Level: -40',
      'frequency Radio A Tx Frequency: 18000',
      'power Radio B Rx Level: -41',
      'mse Modem B MSE: -38.2',
    ],
  },
  {
    name: 'PT-RADIOLINK-MIB: power is sent as text',
    os: 'ericsson-6600',
    cells: {
      '193.223.2.7.1.1.1.2146697473': '-38.4',
      '193.223.2.7.1.1.2.2146697473': '12.0',
      '193.223.2.7.1.1.5.2146697473': '1/2/1 CT 1',
      '193.223.2.7.1.1.10.2146697473': 17_800_000,
      '193.223.2.7.1.1.43.2146697473': '37.1',
    },
    sensors: [
      'power 1/2/1 CT 1 Tx Power: 12',
      'power 1/2/1 CT 1 Rx Power: -38.4',
      'frequency 1/2/1 CT 1 Tx Frequency: 17800',
      'snr 1/2/1 CT 1 SNIR: 37.1',
    ],
  },
  {
    name: 'XF-RADIOLINK-PTP-RADIO-MIB: output power 255 means unknown',
    os: 'ericsson-tn',
    cells: {
      '193.81.3.4.3.1.3.1.1.2130707713': 255,
      '193.81.3.4.3.1.3.1.10.2130707713': -435,
      '193.81.3.4.5.1.3.1.17.7': 33,
      '193.81.3.4.5.1.3.1.1.7': 'CT 1/2/1',
    },
    sensors: ['power Rx Power 2130707713: -43.5', 'snr CT 1/2/1 SNIR: 33'],
  },
  {
    name: 'AVIAT-RF-MIB, AVIAT-RXPERFORMANCE-MIB: tenths of dBm, kbit/s',
    os: 'aviat-wtm',
    cells: {
      '2509.9.5.2.1.1.1.1': 11_245_000,
      '2509.9.15.2.2.1.4.1': -412,
      '2509.9.33.2.2.1.3.1': 365,
      '2509.9.33.2.2.1.7.1': 205,
      '2509.9.3.2.1.1.11.1': 406_000,
    },
    sensors: [
      'frequency Tx Frequency 1: 11245',
      'power Tx Power 1: 20.5',
      'power RSL 1: -41.2',
      'snr CINR 1: 36.5',
      'rate Tx Capacity 1: 406000000',
    ],
  },
  {
    name: 'RAY-MIB: RSS in tenths',
    os: 'ray',
    cells: { '33555.1.3.2.1.0': -391, '33555.1.3.2.2.0': 305, '33555.1.2.1.4.0': 10_350_000, '33555.1.2.1.14.0': 170 },
    sensors: ['rssi RSS: -39.1', 'snr SNR: 30.5', 'frequency Tx Frequency: 10350', 'rate Max Net Bitrate: 170000000'],
  },
  {
    name: 'TACHYON-MIB: peers by name',
    os: 'tachyon',
    cells: {
      '57344.1.2.4.1.7.1': 2,
      '57344.1.2.4.1.6.1': 'sector-1',
      '57344.1.2.6.1.6.17': -51,
      '57344.1.2.6.1.13.17': 1240,
      '57344.1.2.6.1.20.17': 'roof-7',
    },
    sensors: ['clients SSID: sector-1: 2', 'power roof-7 Rx Power: -51', 'distance roof-7 Distance: 1.24'],
  },
  {
    name: 'HIPATH-WIRELESS-HWC-MIB: clients of all access points together; RSS -100 means unknown',
    os: 'ewc',
    cells: {
      '4329.15.3.5.1.1.0': 12,
      '4329.15.3.5.2.1.0': 11,
      '4329.15.3.5.2.2.1.14.1': 9,
      '4329.15.3.5.2.2.1.14.2': 4,
      '4329.15.3.5.2.5.1.5.1.1': 23,
      '4329.15.3.5.2.5.1.9.1.1': -100,
    },
    sensors: [
      'ap-count Configured APs: 12',
      'ap-count Active APs: 11',
      'clients Clients: Total: 13',
      'clients AP 1: 9',
      'clients AP 2: 4',
      'utilization Radio 1 Channel Utilization: 23',
    ],
  },
  {
    name: 'MERU-GLOBAL-STATISTICS-MIB',
    os: 'fortiwlc',
    cells: { '15983.1.1.3.1.13.9.0': 40, '15983.1.1.3.1.13.11.0': 512, '15983.1.1.3.1.13.13.0': 430 },
    sensors: ['ap-count Online APs: 40', 'clients Clients: Total: 512', 'clients Clients: 5 GHz: 430'],
  },
  {
    name: 'XIRRUS-MIB: a channel becomes its frequency, a monitoring radio has none',
    os: 'xirrus_aos',
    cells: {
      '21013.1.2.12.1.2.22.0': 31,
      '21013.1.2.12.1.1.1.4.1': 31,
      '21013.1.2.12.1.1.1.2.1': 'iap1',
      '21013.1.2.12.1.1.1.9.1': 36,
      '21013.1.2.12.1.1.1.4.2': 0,
      '21013.1.2.12.1.1.1.2.2': 'iap2',
      '21013.1.2.12.1.1.1.9.2': 0,
    },
    sensors: [
      'clients Clients: Total: 31',
      'clients iap1 Clients: 31',
      'clients iap2 Clients: 0',
      'frequency iap1 Frequency: 5180',
    ],
  },
  {
    name: 'OAW-AP1201, by product number',
    sysObjectID: '1.3.6.1.4.1.6486.802.1.1.2.1.2.9',
    cells: {
      '6486.802.1.1.2.1.2.9.1.2.1.1.4.1': 6,
      '6486.802.1.1.2.1.2.9.1.2.1.1.5.1': 18,
      '6486.802.1.1.2.1.2.9.1.2.1.1.6.1': 41,
    },
    sensors: ['frequency Radio 1 Frequency: 2437', 'power Radio 1 Tx Power: 18', 'utilization Radio 1 Utilization: 41'],
  },
  {
    name: 'TELTONIKA-MIB: numbers in text',
    os: 'rutos-2xx',
    cells: { '48690.2.4.0': '-67', '48690.2.22.0': '12.4', '48690.2.23.0': '-98', '48690.2.24.0': '-11' },
    sensors: ['rssi RSSI: -67', 'sinr SINR: 12.4', 'rsrp RSRP: -98', 'rsrq RSRQ: -11'],
  },
  {
    name: 'LIGO-WIRELESS-MIB: link quality as a fraction of the highest possible value',
    os: 'ligoos',
    cells: {
      '32750.3.10.1.2.1.1.4.4': 'hill',
      '32750.3.10.1.2.1.1.6.4': 5640,
      '32750.3.10.1.2.1.1.11.4': 130_000,
      '32750.3.10.1.2.1.1.12.4': 47,
      '32750.3.10.1.2.1.1.13.4': 94,
      '32750.3.10.1.2.1.1.16.4': 3,
    },
    sensors: [
      'clients hill Clients: 3',
      'frequency hill Frequency: 5640',
      'rate hill Bitrate: 130000000',
      'quality hill Link Quality: 50',
    ],
  },
  {
    name: 'CAMBIUM-PTP670-MIB: objects of the link',
    os: 'ptp670',
    cells: { '17713.11.12.4.0': 230, '17713.11.12.2.0': -585, '17713.11.12.3.0': -291, '17713.11.20.3.0': 149_200 },
    sensors: [
      'power Transmit Power: 23',
      'rssi Receive Power: -58.5',
      'mse Vector Error: -29.1',
      'rate Aggregate Rate: 149200000',
    ],
  },
  {
    name: 'WHISP-SM-MIB: a subscriber module; power per polarisation is text',
    os: 'pmp',
    cells: {
      '161.19.3.2.2.21.0': -62,
      '161.19.3.2.2.117.0': '-64.5',
      '161.19.3.2.2.95.0': 31,
      '161.19.3.2.2.108.0': '1.2',
    },
    sensors: [
      'rssi Rx Power: -62',
      'rssi Rx Power Horizontal: -64.5',
      'snr SNR Vertical: 31',
      'ssr Signal Strength Ratio: 1.2',
    ],
  },
  {
    name: 'ALU-MICROWAVE-MIB: tenths of dBm by radio',
    os: 'timos',
    cells: {
      '6527.6.1.2.2.7.1.2.1.8.1.39878656': 'north',
      '6527.6.1.2.2.7.1.3.1.1.1.39878656': 235,
      '6527.6.1.2.2.7.1.3.1.2.1.39878656': -412,
    },
    sensors: ['power Tx (north): 23.5', 'power Rx (north): -41.2'],
  },
  {
    name: 'CAMBIUM-PMP80211-MIB: a subscriber module',
    os: 'epmp',
    cells: { '17713.21.1.2.6.0': 9, '17713.21.1.2.12.0': '3.2', '17713.21.1.2.21.0': 88 },
    sensors: ['mcs Uplink MCS: 9', 'distance Distance: 3.2', 'capacity Tx Capacity: 88'],
  },
  {
    name: 'DRAGONWAVE-HORIZON-QUANTUM-MIB',
    os: 'horizon-quantum',
    cells: { '7262.2.4.5.2.1.1.3.1': -352, '7262.2.4.5.2.1.1.8.1': 311, '7262.2.4.5.4.1.1.19.1': 133 },
    sensors: ['power Modem 1 RSL: -35.2', 'power Radio 1 Tx Power: 13.3', 'snr Modem 1 SNR: 31.1'],
  },
  {
    name: 'ALCOMA-MIB: -128 means offline',
    os: 'alcoma-almp',
    cells: {
      '12140.2.3.1.0': '10332.000',
      '12140.2.3.3.0': -128,
      '12140.2.3.4.0': -47,
      '12140.2.4.2.0': '34.2',
    },
    sensors: ['frequency Tx Frequency: 10332', 'power Rx Level: -47', 'snr SNR: 34.2'],
  },
  {
    name: 'SIAE-RADIO-SYSTEM-MIB',
    os: 'alfo80hd',
    cells: {
      '3373.1103.80.2.1.2.1': 'RADIO A',
      '3373.1103.80.12.1.3.1': -39,
      '3373.1103.80.12.1.4.1': 10,
      '3373.1103.80.12.1.5.1': -325,
      '3373.1103.80.9.1.4.1': 71_500_000,
    },
    sensors: [
      'power RADIO A Tx Power: 10',
      'power RADIO A Rx Power: -39',
      'mse RADIO A Normalized MSE: -32.5',
      'frequency Radio 1 Tx Frequency: 71500',
    ],
  },
  {
    name: 'OPTIX-RTN-ODU-MGR-MIB',
    sysObjectID: '1.3.6.1.4.1.2011.2.25.4',
    cells: { '2011.2.25.4.40.4.10.30.1.8.3.1': 195, '2011.2.25.4.40.4.10.30.1.9.3.1': -402 },
    sensors: ['power ODU 3.1 Tx Power: 19.5', 'power ODU 3.1 Rx Power: -40.2'],
  },
  {
    name: 'AIRESPACE-WIRELESS-MIB of a Catalyst 9800',
    os: 'iosxe',
    cells: {
      '9.9.618.1.8.4.0': 84,
      '14179.2.1.1.1.38.1': 200,
      '14179.2.1.1.1.38.2': 30,
      '14179.2.1.1.1.2.1': 'staff',
      '14179.2.1.1.1.2.2': 'guests',
    },
    sensors: [
      'ap-count Connected APs: 84',
      'clients Clients: Total: 230',
      'clients SSID: staff: 200',
      'clients SSID: guests: 30',
    ],
  },
  {
    name: 'TELDAT-MON-INTERF-CELLULAR-MIB: 0 means not measured',
    sysObjectID: '1.3.6.1.4.1.2007.1.1.200',
    cells: {
      '2007.4.1.2.2.2.18.3.2.1.8.1': 0,
      '2007.4.1.2.2.2.18.3.2.1.22.1': -95,
      '2007.4.1.2.2.2.18.3.2.1.23.1': -11,
      '2007.4.1.2.2.2.18.3.2.1.24.1': 12,
    },
    sensors: ['rsrp Modem 1 RSRP: -95', 'rsrq Modem 1 RSRQ: -11', 'sinr Modem 1 SINR: 12'],
  },
  {
    name: 'VIPTELA-WWAN',
    sysObjectID: '1.3.6.1.4.1.41916.3.1.2.8',
    cells: {
      '41916.16.1.1.1.1.9.99.101.108.108.117.108.97.114.48': 'cellular0',
      '41916.16.1.1.1.6.9.99.101.108.108.117.108.97.114.48': -61,
      '41916.16.1.1.1.7.9.99.101.108.108.117.108.97.114.48': -90,
      '41916.16.1.1.1.9.9.99.101.108.108.117.108.97.114.48': -8,
      '41916.16.1.1.1.11.9.99.101.108.108.117.108.97.114.48': '13.4',
    },
    sensors: [
      'rssi cellular0 RSSI: -61',
      'rsrp cellular0 RSRP: -90',
      'rsrq cellular0 RSRQ: -8',
      'snr cellular0 SNR: 13.4',
    ],
  },
  {
    name: 'JUNIPER-WIRELESS-WAN-MIB: numbers in text',
    sysObjectID: '1.3.6.1.4.1.2636.1.1.1.2.134',
    cells: {
      '2636.3.87.1.1.1.1.32.514': '-99',
      '2636.3.87.1.1.1.1.33.514': '-12',
      '2636.3.87.1.1.1.1.34.514': '9',
      '2636.3.87.1.1.1.1.37.514': '-68',
    },
    sensors: [
      'rssi Modem 514 RSSI: -68',
      'rsrp Modem 514 RSRP: -99',
      'rsrq Modem 514 RSRQ: -12',
      'sinr Modem 514 SINR: 9',
    ],
  },
  {
    name: 'MDS-IF-CELL-MIB and MDS-IF-NX-MIB',
    sysObjectID: '1.3.6.1.4.1.4130.10.1',
    cells: {
      '4130.10.2.1.1.2.1.1.12.3': -70,
      '4130.10.2.1.1.2.1.1.13.3': -97,
      '4130.10.2.1.1.2.1.1.14.3': -9,
      '4130.10.2.1.1.2.1.1.15.3': 8,
      '4130.10.2.3.1.2.1.1.26.4': -66,
    },
    sensors: [
      'rssi Modem 3 RSSI: -70',
      'rsrp Modem 3 RSRP: -97',
      'rsrq Modem 3 RSRQ: -9',
      'snr Modem 3 SNR: 8',
      'rssi Radio 4 RSSI: -66',
    ],
  },
  {
    name: 'ExaltComProducts and ExtendAirG2: power in tenths of dBm',
    os: 'exalt',
    sysObjectID: '1.3.6.1.4.1.25651.1.2.3',
    cells: {
      '25651.1.2.4.3.1.3.0': -41,
      '25651.1.2.4.3.2.3.0': -43,
      '25651.1.2.3.1.57.1.0': 185,
      '25651.1.2.3.1.57.4.0': '17800',
      '25651.1.2.3.1.57.5.0': '19360',
    },
    sensors: [
      'power Local RSL: -41',
      'power Remote RSL: -43',
      'power Tx Power: 18.5',
      'frequency Tx Frequency: 17800',
      'frequency Rx Frequency: 19360',
    ],
  },
]

test.each(PRODUCTS)('$name', async ({ os = null, sysObjectID = null, cells, sensors }) => {
  const values = Object.entries(cells).map(([oid, value]) => [
    `${ENTERPRISES}.${oid}`,
    typeof value === 'string' ? text(value) : value < 0 ? int(value) : gauge(value),
  ])
  const facts = { os, sysObjectID, sysDescr: null }
  const all = await discover([moduleOf(MODULES, 'defined-health')], agentOf(Object.fromEntries(values)), facts)
  const rows = all.flatMap((o) => (o.kind === 'wireless' ? [...o.rows] : []))
  const shown = rows.map((row) => `${row.sensor_class} ${row.sensor_descr}: ${row.sensor_current}`)
  expect(shown.toSorted()).toEqual(sensors.toSorted())
})
