import type { Gauge } from '../gauge.ts'
import { jnxDomCurrentTable, jnxFruTable, jnxOperatingTable, jnxRedAlarms, jnxYellowAlarms } from '../mib/juniper.ts'
import { type Instance, scalarValues, tableRows } from '../table.ts'
import type { OpticGauges } from './optics.ts'

/** An operating component of a Junos device. A Routing Engine has a processor and memory; a card may have neither. */
export interface JunosPart {
  /** jnxOperatingContentsIndex and its three levels. */
  readonly index: string
  readonly descr: string
  readonly celsius: Gauge
  /** Percent. */
  readonly load?: Gauge
  readonly memoryOctets?: number
  /** Percent. */
  readonly memoryUsed?: Gauge
}

export interface JunosHealth {
  readonly parts: readonly JunosPart[]
  /** Names of field-replaceable units, all online. */
  readonly frus: readonly string[]
  readonly optics: readonly { readonly ifIndex: number; readonly gauges: OpticGauges }[]
}

const RUNNING = 2
const ONLINE = 6
const OFF = 2

/** JUNIPER-MIB, JUNIPER-ALARM-MIB and JUNIPER-DOM-MIB of a device. */
export function junosHealth({ parts, frus, optics }: JunosHealth): Instance[] {
  return [
    ...tableRows(
      jnxOperatingTable,
      parts.map((part) => [
        part.index,
        {
          jnxOperatingDescr: part.descr,
          jnxOperatingState: RUNNING,
          jnxOperatingTemp: part.celsius,
          jnxOperatingCPU: part.load ?? 0,
          jnxOperatingBuffer: part.memoryUsed ?? 0,
          jnxOperatingMemory: (part.memoryOctets ?? 0) / 2 ** 20,
        },
      ]),
    ),
    ...tableRows(
      jnxFruTable,
      frus.map((name, i) => [`2.${i + 1}.0.0`, { jnxFruName: name, jnxFruState: ONLINE }]),
    ),
    ...scalarValues(jnxYellowAlarms, { jnxYellowAlarmState: OFF }),
    ...scalarValues(jnxRedAlarms, { jnxRedAlarmState: OFF }),
    ...tableRows(
      jnxDomCurrentTable,
      optics.map(({ ifIndex, gauges }) => [
        ifIndex,
        {
          jnxDomCurrentRxLaserPower: (t) => 100 * gauges.rxDbm(t),
          jnxDomCurrentTxLaserBiasCurrent: (t) => 1000 * gauges.milliamperes(t),
          jnxDomCurrentTxLaserOutputPower: (t) => 100 * gauges.txDbm(t),
          jnxDomCurrentModuleTemperature: gauges.celsius,
          jnxDomCurrentRxLaserPowerHighAlarmThreshold: 200,
          jnxDomCurrentRxLaserPowerLowAlarmThreshold: -1390,
          jnxDomCurrentTxLaserBiasCurrentHighAlarmThreshold: 13_200,
          jnxDomCurrentTxLaserBiasCurrentLowAlarmThreshold: 4000,
          jnxDomCurrentTxLaserOutputPowerHighAlarmThreshold: 170,
          jnxDomCurrentTxLaserOutputPowerLowAlarmThreshold: -1130,
          jnxDomCurrentModuleTemperatureHighAlarmThreshold: 78,
          jnxDomCurrentModuleTemperatureLowAlarmThreshold: -13,
        },
      ]),
    ),
  ]
}
