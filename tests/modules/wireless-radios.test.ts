import { expect, test } from 'bun:test'
import { type Product, wirelessOf } from './wireless-products.ts'

/** Access points, controllers, sectors and modems whose MIBs say more than the radio's level. */
const PRODUCTS: readonly Product[] = [
  {
    name: 'FORTINET-FORTIAP-MIB: clients of an SSID on all radios; a monitoring radio has no frequency',
    os: 'fortiap',
    cells: {
      '12356.120.4.1.1.14.0': 11,
      '12356.120.4.1.1.14.1': 0,
      '12356.120.4.1.1.10.0': 14,
      '12356.120.7.1.1.45.0.0': 3,
      '12356.120.7.1.1.45.1.0': 5,
      '12356.120.7.1.1.45.1.1': 1,
      '12356.120.7.1.1.4.0.0': 'staff',
      '12356.120.7.1.1.4.1.0': 'staff',
      '12356.120.7.1.1.4.1.1': 'guests',
    },
    sensors: [
      'clients SSID: staff: 8',
      'clients SSID: guests: 1',
      'frequency Radio 0: 2462',
      'frequency Radio 1: null',
      'power Radio 0 Tx Power: 14',
    ],
  },
  {
    name: 'XIRRUS-MIB: what each radio measures',
    os: 'xirrus_aos',
    cells: {
      '21013.1.2.24.7.1.2.3': 'iap3',
      '21013.1.2.24.7.1.3.3': 149,
      '21013.1.2.24.7.1.7.3': 117,
      '21013.1.2.24.7.1.8.3': -74,
      '21013.1.2.24.7.1.9.3': 19,
      '21013.1.2.24.7.1.10.3': -93,
      '21013.1.2.24.7.1.11.3': 12,
      '21013.1.2.24.7.1.10.4': -95,
    },
    sensors: [
      'frequency iap3 Frequency: 5745',
      'rate iap3 Average Data Rate: 117000000',
      'rssi iap3 RSSI: -74',
      'snr iap3 SNR: 19',
      'noise-floor iap3 Noise Floor: -93',
      'utilization iap3 Busy: 12',
      'noise-floor Radio 4 Noise Floor: -95',
    ],
  },
  {
    name: 'AH-INTERFACE-MIB: the noise floor is sent with 256 added',
    os: 'hiveos-wireless',
    cells: {
      '26928.1.1.1.2.1.1.1.1.14': 'wifi0',
      '26928.1.1.1.2.1.5.1.1.14': 6,
      '26928.1.1.1.2.1.5.1.2.14': 12,
      '26928.1.1.1.2.1.5.1.3.14': 164,
      '26928.1.2.9.0': 21,
    },
    sensors: [
      'clients Clients: Total: 21',
      'frequency wifi0 Frequency: 2437',
      'power wifi0 Tx Power: 12',
      'noise-floor wifi0 Noise Floor: -92',
    ],
  },
  {
    name: 'TACHYON-MIB: peers of all interfaces',
    os: 'tachyon',
    cells: { '57344.1.2.5.0': 3, '57344.1.2.6.1.6.4': -57, '57344.1.2.6.1.1.4': '02:00:5E:10:00:04' },
    sensors: ['clients Peers: 3', 'rssi 02:00:5E:10:00:04 RSSI: -57'],
  },
  {
    name: 'LCOS-MIB: radios by interface',
    sysObjectID: '1.3.6.1.4.1.2356.11.8.1',
    cells: {
      '2356.11.1.3.57.1.1.6.87.76.65.78.45.49': 'WLAN-1',
      '2356.11.1.3.57.1.3.6.87.76.65.78.45.49': 36,
      '2356.11.1.3.57.1.5.6.87.76.65.78.45.49': -96,
      '2356.11.1.3.57.1.6.6.87.76.65.78.45.49': 8,
      '2356.11.1.3.57.1.7.6.87.76.65.78.45.49': 17,
    },
    sensors: [
      'frequency WLAN-1 Frequency: 5180',
      'noise-floor WLAN-1 Noise Level: -96',
      'utilization WLAN-1 Modem Load: 8',
      'power WLAN-1 Tx Power: 17',
    ],
  },
  {
    name: 'RUCKUS-RADIO-MIB: channel, noise floor and stations of each radio',
    os: 'ruckuswireless-hotzone',
    cells: {
      '25053.1.1.12.1.1.1.2.1.4.6': 149,
      '25053.1.1.12.1.1.1.2.1.8.6': -101,
      '25053.1.1.12.1.1.1.3.1.2.6': 7,
    },
    sensors: [
      'frequency Radio 6 Frequency: 5745',
      'noise-floor Radio 6 Noise Floor: -101',
      'clients Radio 6 Clients: 7',
    ],
  },
  {
    name: 'RUCKUS-ZD-SYSTEM-MIB: registered and connected access points',
    os: 'ruckuswireless',
    sysObjectID: '1.3.6.1.4.1.25053.3.1.5.3',
    cells: {
      '25053.1.2.1.1.1.15.1.0': 8,
      '25053.1.2.1.1.1.15.2.0': 54,
      '25053.1.2.1.1.1.15.15.0': 9,
      '25053.1.2.2.1.1.2.1.1.15.2.0.94.16.0.9': 11,
      '25053.1.2.2.1.1.2.1.1.2.2.0.94.16.0.9': 'hall',
    },
    sensors: [
      'ap-count Connected APs: 8',
      'ap-count Registered APs: 9',
      'clients Clients: Total: 54',
      'clients hall Clients: 11',
    ],
  },
  {
    name: 'HIPATH-WIRELESS-HWC-MIB: the controller counts its clients',
    os: 'ewc',
    cells: { '4329.15.3.6.1.0': 14, '4329.15.3.5.2.2.1.14.1': 9, '4329.15.3.5.2.2.1.14.2': 4 },
    sensors: ['clients Clients: Total: 14', 'clients AP 1: 9', 'clients AP 2: 4'],
  },
  {
    name: 'WLC of Peplink: clients of each network',
    os: 'pepwave',
    cells: { '23695.4.2.3.1.5.4': 6, '23695.4.2.3.1.2.4': 'yard' },
    sensors: ['clients SSID: yard: 6'],
  },
  {
    name: 'CISCO-LWAPP-AP-MIB: controllers without CISCO-LWAPP-SYS-MIB',
    os: 'ciscowlc',
    cells: { '9.9.513.1.3.35.0': 6 },
    sensors: ['ap-count Connected APs: 6'],
  },
  {
    name: 'CISCO-LWAPP-AP-MIB: Catalyst 9800',
    os: 'iosxe',
    cells: { '9.9.513.1.3.35.0': 4 },
    sensors: ['ap-count Connected APs: 4'],
  },
  {
    name: 'CISCO-LWAPP-AP-MIB and CISCO-LWAPP-SYS-MIB count the same access points',
    os: 'iosxe',
    cells: { '9.9.513.1.3.35.0': 4, '9.9.618.1.8.4.0': 4 },
    sensors: ['ap-count Connected APs: 4'],
  },
  {
    name: 'CISCO-WAN-CELL-EXT-MIB: tenths of dB',
    os: 'ios',
    cells: { '9.9.817.1.1.1.1.1.1.13': -97, '9.9.817.1.1.1.1.1.4.13': 84 },
    sensors: ['rsrp RSRP: Modem 13: -97', 'sinr SINR: Modem 13: 8.4'],
  },
  {
    name: 'ZYXEL-ES-WIRELESS: channel of each radio',
    os: 'zyxelnwa',
    cells: { '890.1.15.3.5.1.1.1.2': 40, '890.1.15.3.5.1.1.2.2': 5 },
    sensors: ['frequency Radio 2 Frequency: 5200', 'clients Radio 2 Clients: 5'],
  },
  {
    name: 'ALBENTIA-AS-MIB: users of all sectors',
    os: 'albentiaaos',
    cells: { '28087.12.10.2.1.0': 19 },
    sensors: ['clients Users: Total: 19'],
  },
  {
    name: 'HH3C-DOT11-ACMT-MIB',
    os: 'comware',
    cells: { '25506.2.75.1.1.2.1.0': 12, '25506.2.75.1.1.2.2.0': 77 },
    sensors: ['ap-count Connected APs: 12', 'clients Clients: Total: 77'],
  },
  {
    name: 'TELDAT-MON-INTERF-WLAN-MIB',
    sysObjectID: '1.3.6.1.4.1.2007.1',
    cells: {
      '2007.4.1.2.2.2.24.1.1.10.7': 11,
      '2007.4.1.2.2.2.24.1.1.6.7': 15,
      '2007.4.1.2.2.2.24.2.1.23.3': 4,
      '2007.4.1.2.2.2.24.2.1.2.3': 'office',
    },
    sensors: ['frequency WLAN 7 Frequency: 2462', 'power WLAN 7 Tx Power: 15', 'clients SSID: office: 4'],
  },
  {
    name: 'VIPTELA-WLAN',
    sysObjectID: '1.3.6.1.4.1.41916.2.1',
    cells: {
      '41916.18.1.1.1.8.1': 5220,
      '41916.18.1.1.1.1.1': 'wifi0',
      '41916.18.1.2.1.14.1': 3,
      '41916.18.1.2.1.10.1': 14,
      '41916.18.1.2.1.1.1': 'vap0',
    },
    sensors: ['frequency wifi0 Frequency: 5220', 'power vap0 Tx Power: 14', 'clients Clients 1: 3'],
  },
  {
    name: 'MDS-IF-LW-MIB and MDS-IF-IEEE80211-MIB',
    sysObjectID: '1.3.6.1.4.1.4130.10.1',
    cells: {
      '4130.10.2.6.1.2.1.1.26.5': -78,
      '4130.10.2.2.1.2.1.1.4.6': 6,
      '4130.10.2.2.1.2.1.1.3.6': 15,
      '4130.10.2.2.1.2.1.1.7.6': -61,
    },
    sensors: [
      'rssi Radio 5 RSSI: -78',
      'frequency Wi-Fi 6 Frequency: 2437',
      'power Wi-Fi 6 Tx Power: 15',
      'rssi Wi-Fi 6 RSSI: -61',
    ],
  },
  {
    name: 'PBI-4000P-5000P-MIB',
    os: 'ird',
    cells: {
      '1070.3.1.1.104.1.1.5.0': 91,
      '1070.3.1.1.104.1.1.6.0': 66,
      '1070.3.1.1.104.1.1.8.0': 14,
      '1070.3.1.1.104.14.2.0': 1286,
    },
    sensors: [
      'quality Tuner Quality: 91',
      'quality Tuner Strength: 66',
      'snr Tuner C/N: 14',
      'frequency Tuner Frequency: 1286',
    ],
  },
]

test.each(PRODUCTS)('$name', async (product) => {
  expect(await wirelessOf(product)).toEqual(product.sensors.toSorted())
})
