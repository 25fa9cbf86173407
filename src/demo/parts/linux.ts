import { type Curve, compose, daily, noisy } from '../curve.ts'
import { damped, type Gauge, type Wave, wave } from '../gauge.ts'
import type { Instant } from '../instant.ts'
import {
  diskIOTable,
  dskTable,
  laTable,
  lmFanSensorsTable,
  lmTempSensorsTable,
  lmVoltSensorsTable,
  memory,
  systemStats,
} from '../mib/ucd.ts'
import type { Seeds } from '../seeds.ts'
import { type Instance, scalarValues, tableRows } from '../table.ts'
import { flow, reading } from '../traffic.ts'
import { hostTables, type Processor, type Storage } from './host.ts'
import type { Port } from './ports.ts'

/** sysObjectID of net-snmp's agent on Linux. */
export const NET_SNMP_LINUX = '1.3.6.1.4.1.8072.3.2.10'

/** The loopback interface, with equal traffic in both directions. */
export function loopback(own: Seeds): Port {
  const both = flow(own('lo'), { meanBps: 2e6, shape: 'server', packetOctets: 300, chatterPps: 0 })
  return { index: 1, name: 'lo', type: 'softwareLoopback', mtu: 65_536, mbps: 10, in: both, out: both }
}

export interface Disk {
  readonly path: string
  readonly device: string
  readonly sizeOctets: number
  readonly usedOctets: Gauge
}

/** A Linux machine running net-snmp's agent. */
export interface LinuxHost {
  readonly seeds: Seeds
  readonly cores: number
  readonly cpu: string
  /** Load of all cores in percent. */
  readonly load: Wave
  readonly memoryOctets: number
  /** Share of memory used by programs, 0 to 1. */
  readonly memoryUsed: Gauge
  readonly swapOctets: number
  readonly disks: readonly Disk[]
  readonly users?: Gauge
  readonly processes: Gauge
  /** Mean bytes per second read and written. */
  readonly diskRates: readonly { readonly device: string; readonly readBps: number; readonly writeBps: number }[]
  readonly temperatures?: readonly { readonly name: string; readonly celsius: Gauge }[]
  readonly fans?: readonly { readonly name: string; readonly rpm: Gauge }[]
  readonly volts?: readonly { readonly name: string; readonly volts: Gauge }[]
}

/** Index of the first processor in net-snmp's hrDeviceTable. */
const FIRST_PROCESSOR = 196_608
const FIRST_DISK = 31

/** HOST-RESOURCES, UCD-SNMP, UCD-DISKIO and LM-SENSORS tables of the machine. */
export function linuxTables(host: LinuxHost): Instance[] {
  return [
    ...hostTables({
      memoryOctets: host.memoryOctets,
      users: host.users ?? (() => 1),
      processes: host.processes,
      storage: storageOf(host),
      processors: processorsOf(host),
    }),
    ...ucdTables(host),
    ...sensorTables(host),
  ]
}

const BUFFER_SHARE = 0.03
const CACHE_SHARE = 0.45

function storageOf(host: LinuxHost): Storage[] {
  const total = host.memoryOctets
  const programs = (t: Instant) => total * host.memoryUsed(t)
  const cached = (t: Instant) => Math.min(total * CACHE_SHARE, (total - programs(t)) * 0.8)
  return [
    {
      index: 1,
      type: 'ram',
      descr: 'Physical memory',
      unit: 1024,
      sizeOctets: total,
      usedOctets: (t) => programs(t) + cached(t) + total * BUFFER_SHARE,
    },
    {
      index: 3,
      type: 'virtualMemory',
      descr: 'Virtual memory',
      unit: 1024,
      sizeOctets: total + host.swapOctets,
      usedOctets: (t) => programs(t) + cached(t) + total * BUFFER_SHARE,
    },
    {
      index: 6,
      type: 'other',
      descr: 'Memory buffers',
      unit: 1024,
      sizeOctets: total,
      usedOctets: () => total * BUFFER_SHARE,
    },
    { index: 7, type: 'other', descr: 'Cached memory', unit: 1024, sizeOctets: total, usedOctets: cached },
    {
      index: 10,
      type: 'virtualMemory',
      descr: 'Swap space',
      unit: 1024,
      sizeOctets: host.swapOctets,
      usedOctets: () => host.swapOctets * 0.02,
    },
    ...host.disks.map(
      (disk, i): Storage => ({
        index: FIRST_DISK + i,
        type: 'fixedDisk',
        descr: disk.path,
        // hrStorageSize is an Integer32, so large disks need large allocation units
        unit: disk.sizeOctets > 2 ** 42 ? 65_536 : 4096,
        sizeOctets: disk.sizeOctets,
        usedOctets: disk.usedOctets,
      }),
    ),
  ]
}

function processorsOf(host: LinuxHost): Processor[] {
  const load = loadOf(host)
  return Array.from({ length: host.cores }, (_, core): Processor => {
    // cores alternate around the mean
    const lean = (t: Instant) => 1 + 0.35 * Math.sin(t.s / (310 + 40 * core) + 2.4 * core)
    return { index: FIRST_PROCESSOR + core, descr: host.cpu, load: (t) => Math.min(100, load(t) * lean(t)) }
  })
}

function ucdTables(host: LinuxHost): Instance[] {
  const kB = (octets: number) => octets / 1024
  const used = (t: Instant) => host.memoryOctets * host.memoryUsed(t)
  const cached = (t: Instant) => Math.min(host.memoryOctets * CACHE_SHARE, (host.memoryOctets - used(t)) * 0.8)
  const free = (t: Instant) => Math.max(0, host.memoryOctets * (1 - BUFFER_SHARE) - used(t) - cached(t))
  const percent = loadOf(host)
  const runnable: Gauge = (t) => (host.cores * percent(t)) / 100
  return [
    ...scalarValues(memory, {
      memIndex: 0,
      memErrorName: 'swap',
      memTotalSwap: kB(host.swapOctets),
      memAvailSwap: kB(host.swapOctets * 0.98),
      memTotalReal: kB(host.memoryOctets),
      memAvailReal: (t) => kB(free(t)),
      memTotalFree: (t) => kB(free(t) + host.swapOctets * 0.98),
      memMinimumSwap: 16_000,
      memShared: kB(host.memoryOctets * 0.01),
      memBuffer: kB(host.memoryOctets * BUFFER_SHARE),
      memCached: (t) => kB(cached(t)),
      memSwapError: 0,
      memSwapErrorMsg: '',
    }),
    ...tableRows(
      laTable,
      [1, 5, 15].map((minutes, i) => {
        const load = damped(runnable, 60 * minutes)
        return [
          i + 1,
          {
            laIndex: i + 1,
            laNames: `Load-${minutes}`,
            laLoad: (t: Instant) => load(t).toFixed(2),
            laConfig: '12.00',
            laLoadInt: (t: Instant) => load(t) * 100,
            laErrorFlag: 0,
            laErrMessage: '',
          },
        ] as const
      }),
    ),
    ...processorTime(host),
    ...tableRows(
      dskTable,
      host.disks.map((disk, i) => [i + 1, diskRow(disk, i + 1)] as const),
    ),
    ...tableRows(
      diskIOTable,
      host.diskRates.map((disk, i) => [i + 1, diskIORow(host, disk, i + 1)] as const),
    ),
  ]
}

const loadOf = ({ load, seeds }: LinuxHost): Gauge => wave(seeds('load'), load)

/**
 * Processor time follows the daily cycle of the load; `busy` is the integral of the load relative to its mean, in
 * seconds.
 */
function processorTime(host: LinuxHost): Instance[] {
  const { cores, seeds } = host
  const { mean, day = 0, peakHour = 14 } = host.load
  const load = loadOf(host)
  const busy = compose(
    noisy(seeds('cpu time'), 0.12),
    daily({ peakHour, depth: Math.min(0.75, day / mean), weekend: 0 }),
  )
  const share = mean / 100
  const ticks = (part: number) => (t: Instant) => reading((s) => 100 * cores * share * part * busy(s), t.s, t.bootS)
  const idle: Curve = (s) => 100 * cores * (s - share * busy(s))
  return scalarValues(systemStats, {
    ssIndex: 1,
    ssErrorName: 'systemStats',
    ssCpuUser: (t) => load(t) * 0.75,
    ssCpuSystem: (t) => load(t) * 0.25,
    ssCpuIdle: (t) => Math.max(0, 100 - load(t)),
    ssCpuRawUser: ticks(0.7),
    ssCpuRawNice: ticks(0.005),
    ssCpuRawSystem: ticks(0.235),
    ssCpuRawIdle: (t) => reading(idle, t.s, t.bootS),
    ssCpuRawWait: ticks(0.04),
    ssCpuRawInterrupt: 0n,
    ssIORawSent: (t) => reading((s) => 1800 * busy(s), t.s, t.bootS),
    ssIORawReceived: (t) => reading((s) => 700 * busy(s), t.s, t.bootS),
    ssRawInterrupts: (t) => reading((s) => 2400 * busy(s), t.s, t.bootS),
    ssRawContexts: (t) => reading((s) => 5200 * busy(s), t.s, t.bootS),
    ssCpuRawSoftIRQ: ticks(0.02),
  })
}

function diskRow(disk: Disk, index: number) {
  const total = disk.sizeOctets / 1024
  const used = (t: Instant) => disk.usedOctets(t) / 1024
  const low = (kB: number) => kB % 2 ** 32
  const high = (kB: number) => Math.floor(kB / 2 ** 32)
  const clamp = (kB: number) => Math.min(2 ** 31 - 1, kB)
  return {
    dskIndex: index,
    dskPath: disk.path,
    dskDevice: disk.device,
    dskMinimum: -1,
    dskMinPercent: 10,
    dskTotal: clamp(total),
    dskAvail: (t: Instant) => clamp(total - used(t)),
    dskUsed: (t: Instant) => clamp(used(t)),
    dskPercent: (t: Instant) => (100 * used(t)) / total,
    dskPercentNode: 12,
    dskTotalLow: low(total),
    dskTotalHigh: high(total),
    dskAvailLow: (t: Instant) => low(Math.round(total - used(t))),
    dskAvailHigh: (t: Instant) => high(total - used(t)),
    dskUsedLow: (t: Instant) => low(Math.round(used(t))),
    dskUsedHigh: (t: Instant) => high(used(t)),
    dskErrorFlag: 0,
    dskErrorMsg: '',
  }
}

function diskIORow(host: LinuxHost, disk: LinuxHost['diskRates'][number], index: number) {
  const read = flow(host.seeds(`${disk.device} read`), {
    meanBps: disk.readBps * 8,
    shape: 'storage',
    packetOctets: 24_000,
  })
  const write = flow(host.seeds(`${disk.device} write`), {
    meanBps: disk.writeBps * 8,
    shape: 'storage',
    packetOctets: 16_000,
  })
  return {
    diskIOIndex: index,
    diskIODevice: disk.device,
    diskIONRead: (t: Instant) => reading(read.octets, t.s, t.bootS),
    diskIONWritten: (t: Instant) => reading(write.octets, t.s, t.bootS),
    diskIOReads: (t: Instant) => reading(read.unicast, t.s, t.bootS),
    diskIOWrites: (t: Instant) => reading(write.unicast, t.s, t.bootS),
    diskIONReadX: (t: Instant) => reading(read.octets, t.s, t.bootS),
    diskIONWrittenX: (t: Instant) => reading(write.octets, t.s, t.bootS),
  }
}

function sensorTables({ temperatures = [], fans = [], volts = [] }: LinuxHost): Instance[] {
  const rows = (sensors: readonly { name: string; value: Gauge }[]) =>
    sensors.map((s, i) => [i + 1, { lmSensorsIndex: i + 1, lmSensorsDevice: s.name, lmSensorsValue: s.value }] as const)
  return [
    ...tableRows(
      lmTempSensorsTable,
      rows(temperatures.map((s) => ({ name: s.name, value: (t) => 1000 * s.celsius(t) }))),
    ),
    ...tableRows(lmFanSensorsTable, rows(fans.map((s) => ({ name: s.name, value: s.rpm })))),
    ...tableRows(lmVoltSensorsTable, rows(volts.map((s) => ({ name: s.name, value: (t) => 1000 * s.volts(t) })))),
  ]
}
