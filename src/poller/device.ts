import type { SnmpTarget } from '../domain/gateway.ts'
import { parseOid } from '../lib/oid.ts'
import { packOids } from '../lib/oid-list.ts'
import type { Packed } from '../lib/packed.ts'
import type { Memory } from '../modules/debounce.ts'
import type { DeviceFacts } from '../modules/module.ts'
import { portPollColumns } from '../modules/ports/poll.ts'
import type { Poll, StoredRow } from '../series/kind.ts'
import { KINDS, NARROW_NAMES, type NarrowName } from '../series/kinds.ts'
import type { SnmpFailure } from '../snmp/failure.ts'
import type { DevicePlan, PlannedPort } from '../store/polling/plan.ts'
import type { PortState } from '../store/series/samples.ts'
import type { BatchBuilder } from './batch.ts'
import type { Check } from './liveness.ts'
import type { Readings } from './observed.ts'
import type { PollPlan } from './protocol.ts'
import type { Resolver } from './resolve.ts'
import { NO_STATS, type StatBaseline, type StatSlot, statSlot } from './stats.ts'
import { type IsOn, polledModules } from './switches.ts'

/** A device in the poller: its record from the store and the state of its last polls. */
export interface DeviceEntry {
  readonly id: number
  stored: DevicePlan
  /** Address from the last look-up of its name; null: none. */
  address: string | null
  /** Incremented whenever `plan` changes: a worker caches the plan by version. */
  version: number
  /** null: not polled by SNMP (disabled, snmp_disable), or without an address. */
  plan: PollPlan | null
  /** Ports in the order of the plan's rows, as last stored or seen. */
  ports: readonly PlannedPort[]
  portIds: Int32Array
  /** How to interpret the values of `plan.gauges`. */
  gauges: readonly GaugeSlot[]
  /** Position of the statistics among the values of `plan.gauges`, and their last readings. */
  stats: StatSlot
  lastStats: StatBaseline | null
  /** Last readings of the kinds observed by modules. */
  readonly readings: Readings
  /** Raw counters of the last poll, for the next one to subtract from. */
  state: PortState | null
  /** sysUpTime of the last poll, 1/100 s, and when that was, epoch ms. */
  uptimeTicks: number | null
  uptimeAt: number
  readonly checks: { snmp: Check; icmp: Check }
  /** Latest results of each check that were alike: how many passed, or failed (negative). */
  readonly streaks: { snmp: number; icmp: number }
  up: boolean
  reason: string
  /** The reason the last polls were not complete; null: they were. */
  failure: SnmpFailure | null
  /** Complete polls in a row while `failure` is still set. */
  cleanPolls: number
  /** Polls in a row without an answer. */
  failures: number
  /** Rows seen by the last discoveries and polls: a row is deleted when three in a row lack it. */
  readonly seen: { discover: Packed<Memory> | null; poll: Memory }
  /** A poll or a discovery is under way. */
  busy: boolean
  /** Work waiting for it to end. */
  readonly waiting: (() => void)[]
}

/** Turns `count` values from `offset` into samples in the batch. */
export interface GaugeSlot {
  readonly offset: number
  readonly count: number
  /** The module that reads the row. */
  readonly module: string
  add(batch: BatchBuilder, time: number, values: Float64Array): void
}

/** A class, because a device has hundreds of slots: closures would take more memory than their rows. */
class StoredSlot implements GaugeSlot {
  constructor(
    readonly offset: number,
    readonly count: number,
    private readonly name: NarrowName,
    private readonly poll: Poll,
    private readonly row: StoredRow,
  ) {}

  get module(): string {
    return this.poll.module(this.row)
  }

  add(batch: BatchBuilder, time: number, values: Float64Array): void {
    const sample = this.poll.sample(this.row, values)
    if (sample !== null) batch.add(this.name, this.row.id, time, sample)
  }
}

export function newEntry(stored: DevicePlan): DeviceEntry {
  return {
    id: stored.device_id,
    stored,
    address: null,
    version: 0,
    plan: null,
    ports: [],
    portIds: new Int32Array(),
    gauges: [],
    stats: NO_STATS,
    lastStats: null,
    readings: new Map(),
    state: null,
    uptimeTicks: null,
    uptimeAt: 0,
    checks: { snmp: 'unknown', icmp: 'unknown' },
    streaks: { snmp: 0, icmp: 0 },
    up: stored.status === 1,
    reason: stored.status_reason,
    failure: stored.failure,
    cleanPolls: 0,
    failures: 0,
    seen: { discover: null, poll: new Map() },
    busy: false,
    waiting: [],
  }
}

/** Whether this device is polled by SNMP at all. */
export function usesSnmp(stored: DevicePlan): boolean {
  return stored.disabled === 0 && stored.snmp_disable === 0
}

/** The name to look up for the device: `overwrite_ip` if set, else its hostname. */
export function nameOf(stored: DevicePlan): string {
  return stored.overwrite_ip || stored.hostname
}

/** SNMP target of the device; null: its name has no address that its transport can use. */
export function addressOf(resolver: Resolver, stored: DevicePlan): Promise<string | null> {
  return resolver.resolve(nameOf(stored), stored.transport.endsWith('6') ? 6 : 'any')
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

/** Rebuilds the plan from the stored device; `address` null: unknown. The version stays the same if nothing changed. */
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
          gauges: packOids(oids),
          modules: polledModules(stored, options.isOn),
          facts: factsOf(stored, options.settings),
        }
  const portIds = Int32Array.from(polled, (p) => p.port_id)
  // a new version makes the worker send names and aliases again, as needed when the stored ones changed
  const same =
    Bun.deepEquals(plan, entry.plan) && Bun.deepEquals(portIds, entry.portIds) && Bun.deepEquals(polled, entry.ports)
  if (!same) entry.version++
  entry.ports = polled
  entry.portIds = portIds
  entry.gauges = gauges
  entry.stats = stats
  entry.plan = plan
}

export function factsOf(stored: DevicePlan, settings: DeviceFacts['settings']): DeviceFacts {
  const { device_id, hostname, os, sysObjectID, sysDescr } = stored
  return { deviceId: device_id, hostname, os, sysObjectID, sysDescr, settings }
}

/** The OIDs of all stored numeric objects of the device, with their interpretation in `slots`. */
function gaugesOf(stored: DevicePlan, slots: GaugeSlot[], isOn: IsOn): Uint8Array[] {
  const oids: Uint8Array[] = []
  for (const name of NARROW_NAMES) {
    const poll = KINDS[name].poll as Poll | null
    if (poll === null) continue
    for (const row of stored.polled[name] ?? []) {
      if (!isOn(poll.module(row), 'poll')) continue
      const own = poll.oids(row).map(parseOid)
      if (own.length === 0 || !own.every((oid) => oid !== null)) continue
      slots.push(new StoredSlot(oids.length, own.length, name, poll, row))
      oids.push(...own)
    }
  }
  return oids
}
