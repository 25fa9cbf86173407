import { dateAndTime, type Gauge } from '../gauge.ts'
import { hrDeviceTable, hrProcessorTable, hrStorage, hrStorageTable, hrSystem } from '../mib/host.ts'
import { type AgentRow, type Instance, scalarValues, tableRows } from '../table.ts'

const STORAGE_TYPES = '1.3.6.1.2.1.25.2.1'
const DEVICE_TYPES = '1.3.6.1.2.1.25.3.1'
const STORAGE_TYPE = { other: 1, ram: 2, virtualMemory: 3, fixedDisk: 4, flashMemory: 9 } as const

/** A storage area. */
export interface Storage {
  readonly index: number
  readonly type: keyof typeof STORAGE_TYPE
  readonly descr: string
  /** Bytes per allocation unit. */
  readonly unit: number
  readonly sizeOctets: number
  readonly usedOctets: Gauge
}

/** A processor; `load` in percent. */
export interface Processor {
  readonly index: number
  readonly descr: string
  readonly load: Gauge
}

export interface Host {
  readonly memoryOctets: number
  readonly users?: Gauge
  readonly processes?: Gauge
  readonly storage: readonly Storage[]
  readonly processors: readonly Processor[]
}

/** hrSystem, hrStorageTable, hrDeviceTable and hrProcessorTable. */
export function hostTables(host: Host): Instance[] {
  return [
    ...scalarValues(hrSystem, {
      hrSystemUptime: (t) => t.ticks,
      hrSystemDate: dateAndTime,
      hrSystemNumUsers: host.users ?? 0,
      hrSystemProcesses: host.processes ?? 0,
      hrSystemMaxProcesses: 0,
    }),
    ...scalarValues(hrStorage, { hrMemorySize: host.memoryOctets / 1024 }),
    ...tableRows(
      hrStorageTable,
      host.storage.map((s) => [s.index, storageRow(s)] as const),
    ),
    ...tableRows(
      hrDeviceTable,
      host.processors.map((p) => [p.index, processorDevice(p)] as const),
    ),
    ...tableRows(
      hrProcessorTable,
      host.processors.map((p) => [p.index, { hrProcessorFrwID: '0.0', hrProcessorLoad: p.load }] as const),
    ),
  ]
}

function storageRow(s: Storage): AgentRow<typeof hrStorageTable> {
  return {
    hrStorageIndex: s.index,
    hrStorageType: `${STORAGE_TYPES}.${STORAGE_TYPE[s.type]}`,
    hrStorageDescr: s.descr,
    hrStorageAllocationUnits: s.unit,
    hrStorageSize: s.sizeOctets / s.unit,
    hrStorageUsed: (t) => Math.min(s.sizeOctets, s.usedOctets(t)) / s.unit,
  }
}

function processorDevice(p: Processor): AgentRow<typeof hrDeviceTable> {
  return {
    hrDeviceIndex: p.index,
    hrDeviceType: `${DEVICE_TYPES}.3`,
    hrDeviceDescr: p.descr,
    hrDeviceID: '0.0',
    hrDeviceStatus: 2,
  }
}
