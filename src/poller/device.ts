import type { SnmpTarget } from '../domain/gateway.ts'
import { mempoolPoll } from '../modules/mempools/poll.ts'
import type { DeviceFacts } from '../modules/module.ts'
import type { PortStatus } from '../modules/observation.ts'
import { portPollColumns } from '../modules/ports/poll.ts'
import { supplyPoll } from '../modules/printer-supplies/poll.ts'
import { processorPoll } from '../modules/processors/poll.ts'
import type { Memory } from '../modules/second-look.ts'
import { sensorPoll } from '../modules/sensors/poll.ts'
import { storagePoll } from '../modules/storage/poll.ts'
import { wirelessPoll } from '../modules/wireless/poll.ts'
import type { DevicePlan, PlannedPort } from '../store/readers/plan.ts'
import type { PortState } from '../store/samples.ts'
import type { BatchBuilder } from './batch.ts'
import type { Check } from './liveness.ts'
import type { PollPlan } from './protocol.ts'
import type { Resolver } from './resolve.ts'
import { NO_STATS, type StatReading, type StatSlot, statSlot } from './stats.ts'
import { type IsOn, polledModules } from './switches.ts'

/** A device as the poller knows it: what the store says of it, and what its last polls said. */
export interface DeviceEntry {
  readonly id: number
  stored: DevicePlan
  /** Goes up whenever `plan` changes: a worker keeps the plan of a version. */
  version: number
  /** null: not polled by SNMP (disabled, snmp_disable), or its name does not resolve. */
  plan: PollPlan | null
  /** Ports in the order of the plan's rows, as last stored or seen. */
  ports: PolledPort[]
  portIds: Int32Array
  /** What to make of the values of `plan.gauges`. */
  gauges: readonly GaugeSlot[]
  /** Where the statistics are among the values of `plan.gauges`, and what the last poll read of them. */
  stats: StatSlot
  lastStats: StatReading | null
  /** Raw counters of the last poll: the next one subtracts from them. */
  state: PortState | null
  /** sysUpTime of the last poll, 1/100 s, and when that was, epoch ms. */
  uptimeTicks: number | null
  uptimeAt: number
  readonly checks: { snmp: Check; icmp: Check }
  up: boolean
  reason: string
  /** Polls without an answer in a row. */
  failures: number
  /** What the last discoveries and the last polls saw: a row has vanished when three in a row lack it. */
  readonly seen: Record<'discover' | 'poll', Memory>
  /** A poll or a discovery is under way. */
  busy: boolean
  /** What waits for it to end. */
  readonly waiting: (() => void)[]
}

export interface PolledPort {
  readonly portId: number
  readonly ifIndex: number
  ifName: string | null
  ifAlias: string | null
  /** bit/s; null: unknown. */
  ifSpeed: number | null
  ifHighSpeed: number | null
  ifAdminStatus: PortStatus | null
  ifOperStatus: PortStatus | null
}

/** Turns the values at `offset` (`count` of them) into samples of the batch. */
export interface GaugeSlot {
  readonly offset: number
  readonly count: number
  add(batch: BatchBuilder, time: number, values: Float64Array): void
}

export function newEntry(stored: DevicePlan): DeviceEntry {
  return {
    id: stored.device_id,
    stored,
    version: 0,
    plan: null,
    ports: [],
    portIds: new Int32Array(),
    gauges: [],
    stats: NO_STATS,
    lastStats: null,
    state: null,
    uptimeTicks: null,
    uptimeAt: 0,
    checks: { snmp: 'unknown', icmp: 'unknown' },
    up: stored.status === 1,
    reason: stored.status_reason,
    failures: 0,
    seen: { discover: new Map(), poll: new Map() },
    busy: false,
    waiting: [],
  }
}

/** Is SNMP spoken with this device at all. */
export function usesSnmp(stored: DevicePlan): boolean {
  return stored.disabled === 0 && stored.snmp_disable === 0
}

/** The family that the device's transport wants its address in. */
function familyOf(stored: { readonly transport: string }): 4 | 6 {
  return stored.transport.endsWith('6') ? 6 : 4
}

/** Where the device is asked: at `overwrite_ip` where there is one, else where its hostname leads; null: nowhere. */
export function addressOf(resolver: Resolver, stored: DevicePlan): Promise<string | null> {
  return resolver.resolve(stored.overwrite_ip || stored.hostname, familyOf(stored))
}

export function targetOf(stored: DevicePlan, address: string): SnmpTarget {
  const {
    port,
    snmpver,
    community,
    authlevel,
    authname,
    authpass,
    authalgo,
    cryptopass,
    cryptoalgo,
    timeout,
    retries,
  } = stored
  const transport = address.includes(':') ? 'udp6' : 'udp'
  return {
    address,
    port,
    transport,
    snmpver,
    community,
    authlevel,
    authname,
    authpass,
    authalgo,
    cryptopass,
    cryptoalgo,
    timeout,
    retries,
  }
}

export interface PlanOptions {
  readonly isOn: IsOn
  readonly nonunicast: boolean
  readonly settings: DeviceFacts['settings']
}

/** Makes the plan anew from what is stored; `address` null: none to be had. The version stays where nothing changed. */
export function replan(entry: DeviceEntry, address: string | null, options: PlanOptions): void {
  const { stored } = entry
  const withPorts = options.isOn('ports', 'poll')
  const polled = stored.ports
    .filter((p) => withPorts && p.deleted === 0 && p.disabled === 0)
    .sort((a, b) => a.ifIndex - b.ifIndex)
  const gauges: GaugeSlot[] = []
  const oids = gaugesOf(stored, gauges, options.isOn)
  const stats = options.isOn('system-stats', 'poll') ? statSlot(stored, oids) : NO_STATS
  const plan: PollPlan | null =
    address === null || !usesSnmp(stored)
      ? null
      : {
          target: targetOf(stored, address),
          ifIndex: Int32Array.from(polled, (p) => p.ifIndex),
          wide: Uint32Array.from(polled, (p) => (stored.snmpver === 'v1' ? 0 : p.hc_mask)),
          columns: portPollColumns(
            polled.map((p) => ({ hcMask: p.hc_mask, lcMask: p.lc_mask })),
            { snmpver: stored.snmpver, nonunicast: options.nonunicast },
          ),
          gauges: oids,
          modules: polledModules(stored, options.isOn),
          facts: factsOf(stored, options.settings),
        }
  const ports = polled.map(polledPort)
  const portIds = Int32Array.from(polled, (p) => p.port_id)
  // a new version makes the worker send names and aliases again, which is wanted where those that are stored changed
  const same =
    Bun.deepEquals(plan, entry.plan) && Bun.deepEquals(portIds, entry.portIds) && Bun.deepEquals(ports, entry.ports)
  if (!same) entry.version++
  entry.ports = ports
  entry.portIds = portIds
  entry.gauges = gauges
  entry.stats = stats
  entry.plan = plan
}

export function factsOf(stored: DevicePlan, settings: DeviceFacts['settings']): DeviceFacts {
  const { device_id, hostname, os, sysObjectID, sysDescr } = stored
  return { deviceId: device_id, hostname, os, sysObjectID, sysDescr, settings }
}

function polledPort(p: PlannedPort): PolledPort {
  return {
    portId: p.port_id,
    ifIndex: p.ifIndex,
    ifName: p.ifName,
    ifAlias: p.ifAlias,
    ifSpeed: p.ifSpeed,
    ifHighSpeed: p.ifHighSpeed,
    ifAdminStatus: p.ifAdminStatus,
    ifOperStatus: p.ifOperStatus,
  }
}

/** The OIDs of everything numeric that is stored for the device, and in `slots` what to make of their values. */
function gaugesOf(stored: DevicePlan, slots: GaugeSlot[], isOn: IsOn): string[] {
  const oids: string[] = []
  const slot = (
    own: readonly string[],
    add: (batch: BatchBuilder, time: number, values: Float64Array) => void,
  ): void => {
    if (own.length === 0) return
    slots.push({ offset: oids.length, count: own.length, add })
    oids.push(...own)
  }
  const of = <T>(rows: readonly T[], module: (row: T) => string): readonly T[] =>
    rows.filter((row) => isOn(module(row), 'poll'))
  for (const row of of(stored.processors, () => 'processors')) {
    slot(processorPoll.oids(row), (batch, time, values) => {
      const value = processorPoll.sample(row, values)
      if (value !== null) batch.addGauge('processors', { id: row.processor_id, time, value })
    })
  }
  for (const row of of(stored.sensors, sensorModule)) {
    slot(sensorPoll.oids(row), (batch, time, values) => {
      const value = sensorPoll.sample(row, values)
      if (value !== null) batch.addGauge('sensors', { id: row.sensor_id, time, value })
    })
  }
  for (const row of of(stored.wireless, () => 'defined-health')) {
    slot(wirelessPoll.oids(row), (batch, time, values) => {
      const value = wirelessPoll.sample(row, values)
      if (value !== null) batch.addGauge('wireless', { id: row.sensor_id, time, value })
    })
  }
  for (const row of of(stored.supplies, () => 'printer-supplies')) {
    slot(supplyPoll.oids(row), (batch, time, values) => {
      const value = supplyPoll.sample(row, values)
      if (value !== null) batch.addGauge('supplies', { id: row.supply_id, time, value })
    })
  }
  for (const row of of(stored.mempools, () => 'mempools')) {
    slot(mempoolPoll.oids(row), (batch, time, values) => {
      const usage = mempoolPoll.sample(row, values)
      if (usage !== null) batch.addUsage('mempools', { id: row.mempool_id, time, ...usage })
    })
  }
  for (const row of of(stored.storage, () => 'storage')) {
    slot(storagePoll.oids(row), (batch, time, values) => {
      const usage = storagePoll.sample(row, values)
      if (usage !== null) batch.addUsage('storage', { id: row.storage_id, time, ...usage })
    })
  }
  return oids
}

/** The module that found a sensor. */
function sensorModule({ sensor_type }: { readonly sensor_type: string }): string {
  if (sensor_type === 'entity-sensor') return 'entity-sensors'
  return sensor_type === 'lmsensors' ? 'lm-sensors' : 'defined-health'
}
