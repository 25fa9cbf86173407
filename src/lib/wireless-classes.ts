/** Classes of wireless sensors as named in the API, with the unit of their values. */
export const WIRELESS_UNITS = {
  'ap-count': '',
  clients: '',
  quality: '%',
  capacity: '%',
  utilization: '%',
  rate: 'bit/s',
  mcs: '',
  ccq: '%',
  snr: 'dB',
  sinr: 'dB',
  rsrp: 'dBm',
  rsrq: 'dB',
  ssr: 'dB',
  mse: 'dB',
  xpi: 'dB',
  rssi: 'dBm',
  power: 'dBm',
  'noise-floor': 'dBm',
  errors: '',
  'error-ratio': '%',
  'error-rate': 'bit/s',
  frequency: 'MHz',
  distance: 'km',
  cell: '',
  channel: '',
} as const

export type WirelessClass = keyof typeof WIRELESS_UNITS

export function isWirelessClass(name: string): name is WirelessClass {
  return Object.hasOwn(WIRELESS_UNITS, name)
}
