import { join } from 'node:path'
import { createRrd, updateRrd } from '../../../packages/rrd/tests/rrdtool.ts'
import type { Installation } from './installation.ts'

const NAMES = [
  'INOCTETS',
  'OUTOCTETS',
  'INERRORS',
  'OUTERRORS',
  'INUCASTPKTS',
  'OUTUCASTPKTS',
  'INNUCASTPKTS',
  'OUTNUCASTPKTS',
  'INDISCARDS',
  'OUTDISCARDS',
  'INUNKNOWNPROTOS',
  'INBROADCASTPKTS',
  'OUTBROADCASTPKTS',
  'INMULTICASTPKTS',
  'OUTMULTICASTPKTS',
]

const PERIOD = (2 * Math.PI) / 86_400

/** Octets counted up to time `s` by a port whose rate is `base` times (1 + sin / 2) over each day. */
export function octetsAt(s: number, base: number): number {
  return Math.floor(base * (s + (0.5 / PERIOD) * (1 - Math.cos(PERIOD * s))))
}

/** Start of the signal in a port's file that covers `days` up to `endS`; epoch seconds. */
export function portFileStartS(endS: number, days: number): number {
  return Math.floor(endS / 300) * 300 - days * 86_400
}

/**
 * A port's file with that signal, covering `days`, updated every five minutes up to `endS` with some seconds of jitter
 * and a pause of two hours.
 */
export function portFile(path: string, endS: number, days: number, base: number): void {
  const startS = portFileStartS(endS, days)
  createRrd({ path, startS: startS - 1, dataSets: NAMES.map((name) => `DS:${name}:DERIVE:600:0:12500000000`) })
  updatePortFile(path, { fromS: 0, toS: endS, startS, base })
}

/** Times in epoch seconds. */
interface PortSpan {
  readonly fromS: number
  readonly toS: number
  /** When the signal began. */
  readonly startS: number
  readonly base: number
}

/** Updates a port's file, which ends at `fromS`, with the signal up to `toS`. */
export function updatePortFile(path: string, { fromS, toS, startS, base }: PortSpan): void {
  const updates: string[] = []
  for (let i = 0; startS + i * 300 + 20 <= toS; i++) {
    const at = startS + i * 300 + 5 + ((i * 7) % 11)
    if ((i > 288 && i < 312) || startS + i * 300 + 20 <= fromS) continue
    const octets = octetsAt(at - startS, base)
    const values = NAMES.map((name, n) =>
      name.endsWith('ERRORS') ? Math.floor(i / 100) : Math.floor(octets / (n < 2 ? 1 : 500)),
    )
    updates.push(`${at}:${values.join(':')}`)
  }
  updateRrd(path, updates)
}

/** A file with a single gauge. */
export function gaugeFile(
  path: string,
  endS: number,
  days: number,
  name: string,
  valueAt: (i: number) => number | string,
): void {
  const startS = Math.floor(endS / 300) * 300 - days * 86_400
  createRrd({ path, startS: startS - 1, dataSets: name.split(',').map((one) => `DS:${one}:GAUGE:600:U:U`) })
  updateRrd(
    path,
    Array.from({ length: days * 288 }, (_, i) => `${startS + i * 300 + 10}:${valueAt(i)}`),
  )
}

/** The folder of RRD files that goes with the database. */
export function fillFiles(folder: string, { devices, portsPerDevice, endS }: Installation, days: number): void {
  for (let d = 0; d < devices; d++) {
    const own = join(folder, d === 1 ? '2001_db8__20' : `router-${42 + d}.example.net`)
    for (let p = 0; p < portsPerDevice; p++)
      portFile(join(own, `port-id${4711 + d * portsPerDevice + p}.rrd`), endS, days, 1e6 * (1 + p))
    gaugeFile(join(own, 'sensor-temperature-test-a_b.rrd'), endS, 3, 'sensor', (i) => 20 + (i % 5))
    gaugeFile(join(own, 'processor-hr-1.rrd'), endS, 3, 'usage', (i) => i % 100)
    gaugeFile(join(own, 'mempool-hrstorage-1.rrd'), endS, 3, 'used,free', (i) => `${1e9 + i * 1e6}:${2e9 - i * 1e6}`)
    gaugeFile(join(own, 'uptime.rrd'), endS, 3, 'uptime', (i) => 1000 + i * 300)
    gaugeFile(join(own, 'poller-perf.rrd'), endS, 3, 'poller', () => 2.5)
    if (d === 0) {
      gaugeFile(join(own, 'ucd_load.rrd'), endS, 3, '1min,5min,15min', () => '150:75:25')
      // Ticks per second of two processors; kernel time with its parts is less than system time.
      const ticks = { User: 30, Nice: 0, System: 20, Idle: 140, Wait: 10, Kernel: 15, Interrupt: 1, SoftIRQ: 1 }
      for (const [part, perS] of Object.entries(ticks))
        gaugeFile(join(own, `ucd_ssCpuRaw${part}.rrd`), endS, 3, 'value', () => perS)
      gaugeFile(join(own, 'hr_processes.rrd'), endS, 3, 'procs', () => 211)
      gaugeFile(join(own, 'netstats-snmp.rrd'), endS, 3, 'snmpInPkts,snmpInBadCommunityU', () => '7:0.5')
      gaugeFile(join(own, 'ipSystemStats-ipv6.rrd'), endS, 3, 'InReceives', () => 12)
    }
    gaugeFile(join(own, 'icmp-perf.rrd'), endS, 3, 'avg,xmt,rcv,min,max', () => '1.5:3:3:1:2')
  }
  gaugeFile(join(folder, 'router-42.example.net', 'services-21.rrd'), endS, 3, 'time', () => 0.25)
  gaugeFile(join(folder, 'old.example.net', 'port-id1.rrd'), endS, 1, 'sensor', () => 1)
}
