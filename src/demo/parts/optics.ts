import { type Gauge, wave } from '../gauge.ts'
import type { Seeds } from '../seeds.ts'
import { serialOf } from './edge-ports.ts'
import type { Part } from './entity.ts'

/** Readings of a transceiver such as 10GBASE-SR. */
export interface OpticGauges {
  readonly celsius: Gauge
  readonly volts: Gauge
  /** Laser bias. */
  readonly milliamperes: Gauge
  readonly txDbm: Gauge
  readonly rxDbm: Gauge
}

/** Optical power varies by hundredths of a decibel within hours; receive power differs between cables. */
export function opticGauges(seeds: Seeds, label: string): OpticGauges {
  const seed = (what: string) => seeds(`optic ${label} ${what}`)
  const loss = 0.8 + (seed('loss') % 1000) / 500
  return {
    celsius: wave(seed('celsius'), { mean: 33, day: 1.6, peakHour: 16, noise: 0.7, noiseS: 1800 }),
    volts: wave(seed('volts'), { mean: 3.29, noise: 0.012, noiseS: 1800 }),
    milliamperes: wave(seed('bias'), { mean: 6.4, day: 0.1, noise: 0.09, noiseS: 1800 }),
    txDbm: wave(seed('tx'), { mean: -2.3, noise: 0.06, noiseS: 3600 }),
    rxDbm: wave(seed('rx'), { mean: -2.3 - loss, noise: 0.12, noiseS: 3600 }),
  }
}

/** A pluggable module in ENTITY-MIB with its sensors; occupies the indexes `index` to `index` + 4. */
export function optic(
  seeds: Seeds,
  about: Pick<Part, 'index' | 'model' | 'manufacturer' | 'vendorType' | 'descr'> & {
    readonly port: { readonly index: number; readonly name: string }
    readonly serialPrefix: string
  },
): Part {
  const { port, serialPrefix, index, ...module } = about
  const gauges = opticGauges(seeds, port.name)
  const sensor = (n: number, name: string, kind: NonNullable<Part['sensor']>['kind'], value: Gauge): Part => ({
    index: index + n,
    name: `${port.name} ${name} Sensor`,
    class: 'sensor',
    sensor: { kind, value },
  })
  return {
    ...module,
    index,
    name: `${port.name} Transceiver`,
    class: 'module',
    serial: serialOf(serialPrefix, seeds(`optic ${port.name}`)),
    fru: true,
    ifIndex: port.index,
    parts: [
      sensor(1, 'Module Temperature', 'celsius', gauges.celsius),
      sensor(2, 'Bias Current', 'milliamperes', gauges.milliamperes),
      sensor(3, 'Transmit Power', 'dBm', gauges.txDbm),
      sensor(4, 'Receive Power', 'dBm', gauges.rxDbm),
    ],
  }
}
