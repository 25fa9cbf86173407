import { testProducts } from './health-products.ts'

/** Rows written by hand from each MIB, with the units and scale given in its descriptions. */
const IF_NAME = (index: number) => `1.3.6.1.2.1.31.1.1.1.1.${index}`
const AT = '207.8.4.4.3.28.1'
const ELTEX = '35265.52.1.1.3.2.1'

testProducts([
  {
    name: 'AT-PLUGGABLE-DIAGNOSTICS-MIB: by lane; thresholds in the unit of the value, 0 means none',
    product: '207.1.14.150',
    cells: {
      [IF_NAME(5028)]: 'port1.0.28',
      // thousandths of a degree, tenths of a millivolt, microamperes, tenths of a microwatt
      [`${AT}.1.1.3.5028.1`]: 41_500,
      [`${AT}.1.1.5.5028.1`]: 75_000,
      [`${AT}.1.1.6.5028.1`]: -5000,
      [`${AT}.1.1.8.5028.1`]: 70_000,
      [`${AT}.1.1.9.5028.1`]: 0,
      [`${AT}.2.1.3.5028.1`]: 33_120,
      [`${AT}.3.1.3.5028.1`]: 6100,
      [`${AT}.3.1.5.5028.1`]: 11_000,
      [`${AT}.4.1.3.5028.1`]: 5000,
      [`${AT}.4.1.5.5028.1`]: 10_000,
      [`${AT}.4.1.6.5028.1`]: 1000,
      [`${AT}.5.1.3.5028.1`]: 1000,
      [`${AT}.5.1.3.5028.2`]: 100,
    },
    sensors: [
      'temperature port1.0.28 Temperature Lane 1: 41.5',
      'voltage port1.0.28 Voltage Lane 1: 3.312',
      'current port1.0.28 Tx Bias Lane 1: 0.0061',
      'dbm port1.0.28 Tx Power Lane 1: -3.01',
      'dbm port1.0.28 Rx Power Lane 1: -10',
      'dbm port1.0.28 Rx Power Lane 2: -20',
    ],
    limits: {
      'port1.0.28 Temperature Lane 1': { low: -5, high: 75, warn: 70 },
      'port1.0.28 Tx Bias Lane 1': { high: 0.011 },
      'port1.0.28 Tx Power Lane 1': { low: -10, high: 0 },
    },
  },
  {
    name: 'ELTEX-PHY-MIB: the kind of measurement is in the index; a cage without a module has no units',
    product: '35265.1.139',
    cells: {
      [IF_NAME(28)]: 'te 0/4',
      ...Object.fromEntries(
        (
          [
            [1, 'Degrees', 41, 85, -10],
            [2, 'Volts', 3, 3700, 2900],
            [3, 'milliAmperes', 22, 85_000, 10_000],
            [4, 'milliDecibel-milliWatts', -2500, 20_000, 1000],
            [5, 'milliDecibel-milliWatts', -12_250, 10_000, 100],
            [6, 'Boolean', 0, 0, 0],
          ] as const
        ).flatMap(([kind, units, value, high, low]) => [
          [`${ELTEX}.3.28.${kind}.1`, units],
          [`${ELTEX}.8.28.${kind}.1`, value],
          [`${ELTEX}.4.28.${kind}.1`, high],
          [`${ELTEX}.7.28.${kind}.1`, low],
          [`${ELTEX}.3.27.${kind}.1`, ''],
          [`${ELTEX}.8.27.${kind}.1`, 0],
        ]),
      ),
    },
    sensors: [
      'temperature te 0/4 Temperature Lane 1: 41',
      'voltage te 0/4 Voltage Lane 1: 3',
      'current te 0/4 Bias Current Lane 1: 0.022',
      'dbm te 0/4 Tx Power Lane 1: -2.5',
      'dbm te 0/4 Rx Power Lane 1: -12.25',
      'state te 0/4 Loss of Signal Lane 1: 0',
    ],
    limits: {
      'te 0/4 Temperature Lane 1': { low: -10, high: 85 },
      'te 0/4 Voltage Lane 1': { low: 2.9, high: 3.7 },
      'te 0/4 Bias Current Lane 1': { low: 0.01, high: 0.085 },
      'te 0/4 Tx Power Lane 1': { low: -10, high: 3.01 },
      'te 0/4 Rx Power Lane 1': { low: -20, high: 0 },
    },
  },
])
