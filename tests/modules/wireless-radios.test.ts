import { expect, test } from 'bun:test'
import { type Product, wirelessOf } from './wireless-products.ts'

/** Access points, controllers and radios whose MIBs say more than the radio's level. */
const PRODUCTS: readonly Product[] = [
  {
    name: 'UI-AF60-MIB: both ends of the link; some agents number the only radio 1',
    os: 'airos-af60',
    cells: {
      '41112.1.11.1.1.2.1': 66_960,
      '41112.1.11.1.3.1.3.2.3.4.5.6.7.1': -51,
      '41112.1.11.1.3.1.4.2.3.4.5.6.7.1': 22,
      '41112.1.11.1.3.1.7.2.3.4.5.6.7.1': 1_900_000,
      '41112.1.11.1.3.1.14.2.3.4.5.6.7.1': 'mast-2',
      '41112.1.11.1.3.1.15.2.3.4.5.6.7.1': 820,
      '41112.1.11.1.3.1.18.2.3.4.5.6.7.1': -53,
      '41112.1.11.1.3.1.19.2.3.4.5.6.7.1': 21,
    },
    sensors: [
      'frequency Radio Frequency: 66960',
      'rssi Local RSSI mast-2: -51',
      'rssi Remote RSSI mast-2: -53',
      'snr Local SNR mast-2: 22',
      'snr Remote SNR mast-2: 21',
      'rate Tx Capacity mast-2: 1900000000',
      'distance Distance mast-2: 0.82',
    ],
  },
  {
    name: 'UI-AF60-MIB: other agents number it 0',
    os: 'airos-af60',
    cells: { '41112.1.11.1.1.2.0': 60_480 },
    sensors: ['frequency Radio Frequency: 60480'],
  },
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
    },
    sensors: [
      'frequency iap3 Frequency: 5745',
      'rate iap3 Average Data Rate: 117000000',
      'rssi iap3 RSSI: -74',
      'snr iap3 SNR: 19',
      'noise-floor iap3 Noise Floor: -93',
      'utilization iap3 Busy: 12',
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
    name: 'XF-RADIOLINK: base frequencies in kHz, SNIR and XPI in tenths; XPI counts while XPIC is locked',
    os: 'ericsson-ml',
    cells: {
      '193.81.3.4.3.1.2.1.1.9': 7_142_000,
      '193.81.3.4.3.1.2.1.2.9': 7_303_000,
      '193.81.3.4.5.1.3.1.1.4': 'CT 1/3/1',
      '193.81.3.4.5.1.3.1.15.4': 2,
      '193.81.3.4.5.1.3.1.17.4': 341,
      '193.81.3.4.5.1.3.1.18.4': 287,
      '193.81.3.4.5.1.3.1.15.5': 5,
      '193.81.3.4.5.1.3.1.18.5': 0,
    },
    sensors: [
      'frequency Base Tx Frequency 9: 7142',
      'frequency Base Rx Frequency 9: 7303',
      'snr CT 1/3/1 SNIR: 34.1',
      'xpi CT 1/3/1 XPI: 28.7',
    ],
  },
  {
    name: 'RADWIN-MIB-WINLINK1000: a sector and its units; frequencies in kHz',
    os: 'radwin',
    cells: {
      '4458.1000.1.5.16.0': 5_802_500,
      '4458.1000.3.1.15.0': 431,
      '4458.1000.3.1.39.0': 2,
      '4458.1000.3.1.7.2.1.3.1': 4,
      '4458.1000.3.1.7.2.1.9.1': -58,
      '4458.1000.3.1.7.2.1.11.1': -60,
      '4458.1000.3.1.7.2.1.3.2': 1,
      '4458.1000.3.1.7.2.1.9.2': -150,
    },
    sensors: [
      'frequency Frequency: 5802.5',
      'utilization Sector Downlink Utilization: 43.1',
      'clients Active Subscriber Units: 2',
      'rssi Unit 1 RSS at Base Station: -58',
      'rssi Unit 1 RSS at Unit: -60',
    ],
  },
  {
    name: 'TACHYON-MIB: peers of all interfaces',
    os: 'tachyon',
    cells: { '57344.1.2.5.0': 3, '57344.1.2.6.1.6.4': -57, '57344.1.2.6.1.1.4': '02:00:5E:10:00:04' },
    sensors: ['clients Peers: 3', 'rssi 02:00:5E:10:00:04 RSSI: -57'],
  },
]

test.each(PRODUCTS)('$name', async (product) => {
  expect(await wirelessOf(product)).toEqual(product.sensors.toSorted())
})
