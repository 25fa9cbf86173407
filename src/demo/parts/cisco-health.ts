import { type Gauge, wave } from '../gauge.ts'
import {
  cempMemPoolTable,
  ceqfpUtilizationTable,
  ciscoEnvMonFanStatusTable,
  ciscoEnvMonSupplyStatusTable,
  ciscoFlashDeviceTable,
  ciscoFlashPartitionTable,
  cpmCPUTotalTable,
  pethMainPseTable,
} from '../mib/cisco.ts'
import type { Seeds } from '../seeds.ts'
import { type Instance, tableRows } from '../table.ts'
import { range } from './edge-ports.ts'

/** Processor, memory, power, cooling and flash of a Cisco device, as reported by IOS XE. */
export interface CiscoHealth {
  readonly seeds: Seeds
  /** entPhysicalIndex of the part with the processor. */
  readonly entity: number
  /** Percent. */
  readonly load: Gauge
  readonly memoryOctets: number
  /** Mean share of memory in use, 0 to 1. */
  readonly memoryUsed: number
  readonly supplies: number
  readonly fans: number
  /** ciscoFlashDeviceName and its size in bytes. */
  readonly flash: { readonly name: string; readonly octets: number }
  /** Load of the forwarding processor in percent, if there is one. */
  readonly forwarding?: Gauge
  /** Power over Ethernet: available watts and watts drawn. */
  readonly poe?: { readonly watts: number; readonly drawn: Gauge }
}

const NORMAL = 1
const AC = 2
const ON = 1
/** ceqfpUtilTimeInterval: five minutes. */
const FIVE_MINUTES = 3

export function ciscoHealth(device: CiscoHealth): Instance[] {
  const { seeds, entity, load, flash, forwarding, poe } = device
  const memoryOctets = Math.round(device.memoryOctets)
  const used = wave(seeds('memory'), {
    mean: memoryOctets * device.memoryUsed,
    noise: memoryOctets * 0.015,
    noiseS: 3600,
  })
  const reserved = 102_400
  const flashFree = wave(seeds('flash'), { mean: flash.octets * 0.61, noise: flash.octets * 0.01, noiseS: 43_200 })
  const states = (count: number, name: string) => range(1, count).map((n) => [n, `${name} ${n}`] as const)
  return [
    ...tableRows(cpmCPUTotalTable, [
      [
        1,
        {
          cpmCPUTotalPhysicalIndex: entity,
          cpmCPUTotal5secRev: load,
          cpmCPUTotal1minRev: load,
          cpmCPUTotal5minRev: load,
        },
      ],
    ]),
    ...tableRows(cempMemPoolTable, [
      [
        `${entity}.1`,
        {
          cempMemPoolName: 'Processor',
          cempMemPoolHCUsed: (t) => BigInt(Math.round(used(t))),
          cempMemPoolHCFree: (t) => BigInt(memoryOctets - Math.round(used(t))),
        },
      ],
      [
        `${entity}.2`,
        {
          cempMemPoolName: 'reserve Processor',
          cempMemPoolHCUsed: 92n,
          cempMemPoolHCFree: BigInt(reserved - 92),
        },
      ],
    ]),
    ...tableRows(
      ciscoEnvMonFanStatusTable,
      states(device.fans, 'Fan').map(([n, name]) => [
        n,
        { ciscoEnvMonFanStatusDescr: name, ciscoEnvMonFanState: NORMAL },
      ]),
    ),
    ...tableRows(
      ciscoEnvMonSupplyStatusTable,
      states(device.supplies, 'Power Supply').map(([n, name]) => [
        n,
        { ciscoEnvMonSupplyStatusDescr: name, ciscoEnvMonSupplyState: NORMAL, ciscoEnvMonSupplySource: AC },
      ]),
    ),
    ...tableRows(ciscoFlashDeviceTable, [[1, { ciscoFlashDeviceName: flash.name }]]),
    ...tableRows(ciscoFlashPartitionTable, [
      [
        '1.1',
        {
          ciscoFlashPartitionSize: flash.octets,
          ciscoFlashPartitionFreeSpace: flashFree,
          ciscoFlashPartitionName: flash.name,
        },
      ],
    ]),
    ...(forwarding === undefined
      ? []
      : tableRows(ceqfpUtilizationTable, [[`${entity}.${FIVE_MINUTES}`, { ceqfpUtilProcessingLoad: forwarding }]])),
    ...(poe === undefined
      ? []
      : tableRows(pethMainPseTable, [
          [1, { pethMainPsePower: poe.watts, pethMainPseOperStatus: ON, pethMainPseConsumptionPower: poe.drawn }],
        ])),
  ]
}
