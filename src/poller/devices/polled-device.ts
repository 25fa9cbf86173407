import type { SnmpFailure } from '@portlight/snmp/failure.ts'
import { packOids } from '@portlight/snmp/oid-list.ts'
import type { Settings } from '../../config/schema.ts'
import type { SnmpTarget } from '../../core/base/gateway.ts'
import { associationMode } from '../../core/discovery/match-ports.ts'
import type { DevicePlan, PlannedPort } from '../../core/polling/read-plan.ts'
import { CompressedValue } from '../../lib/compressed-value.ts'
import { createShared } from '../../lib/intern.ts'
import { createSharedNumbers } from '../../lib/intern-numbers.ts'
import type { Memory } from '../../modules/debounce.ts'
import type { DeviceFacts } from '../../modules/module.ts'
import { createLinkEvidence, type LinkEvidence } from '../../modules/ports/link-evidence.ts'
import { portPollColumns } from '../../modules/ports/poll.ts'
import type { Up } from '../../modules/system/uptime.ts'
import type { DeviceClaim, PortCounters } from '../../series/samples.ts'
import { type GaugeRows, gaugeRows, NO_GAUGES } from '../memory/gauge-rows.ts'
import { type Decisions, decided, needsDescr } from '../memory/port-identities.ts'
import { PortRows } from '../memory/port-rows.ts'
import { PackedCounters } from '../memory/previous-counters.ts'
import { NO_STATS, type StatBaseline, type StatSlot, statSlot } from '../memory/stats.ts'
import { NOTHING_OBSERVED, type ObservedRows, observedRows, type TableSamples } from '../memory/table-samples.ts'
import { type IsEnabled, polledModules } from '../module-toggles.ts'
import type { PollPlan } from '../protocol.ts'
import type { Resolver } from '../resolve.ts'
import { DeviceLock } from './device-lock.ts'
import type { Check } from './liveness.ts'

/** A device in the poller: its record from the store and the state of its last polls. */
export interface PolledDevice {
  readonly id: number
  /** The claim under which its last counters were read. */
  readonly claim: DeviceClaim
  stored: DevicePlanRow
  /** Number of the reload that read `stored`; reloads are numbered in order. */
  readBy: number
  /** Digest of the rows that `stored` was read from; null: unknown, or this poller has written some of them since. */
  digest: string | null
  /** Address from the last look-up of its name; null: none. */
  address: string | null
  /**
   * Changes with `plan`: a worker caches the plan by version. No other entry has the same one, since a run of an entry that
   * was replaced may reach the worker after the new entry's plan.
   */
  version: number
  /** Version of the plan that its worker has; null: none, or unknown since a poll was lost. */
  sentVersion: number | null
  /** See `planOf`; null: not polled by SNMP (disabled, snmp_disable). */
  plan: CompressedValue<PlanTables> | null
  /** Settings that modules read; one copy shared by all devices. */
  settings: DeviceFacts['settings']
  /** Ports in the order of the plan's rows. */
  ports: PortRows
  /** How to interpret the values of the plan's gauges. */
  gauges: GaugeRows
  /** Position of the statistics among the values of the plan's gauges. */
  stats: StatSlot
  /** Their last readings. */
  lastStats: StatBaseline | null
  /** Stored rows of the kinds observed by modules, and their last readings. */
  observed: ObservedRows
  readonly readings: TableSamples
  /** How often discovery has kept a port although its text differs: see PortIdentities. */
  readonly decisions: Decisions
  /** What the traffic of its ports says about their speed. */
  readonly links: LinkEvidence
  /** Ids of ports whose last counters may be those of another interface. */
  readonly moved: Set<number>
  /** Raw counters of the last poll, from which the next one computes its deltas. */
  state: PackedCounters | null
  /** How long the device has been up by the last poll with a sysUpTime; null: unknown. */
  since: Up | null
  readonly checks: { snmp: Check; icmp: Check }
  /** Number of equal results in a row of each check: positive if they passed, negative if they failed. */
  readonly streaks: { snmp: number; icmp: number }
  up: boolean
  reason: string
  /** The reason the last polls were incomplete; null: they were complete. */
  failure: SnmpFailure | null
  /** Complete polls in a row while `failure` is still set. */
  cleanPolls: number
  /** Polls in a row without a response. */
  failures: number
  /** Rows seen by the last discoveries and polls; a row missing from three in a row is deleted. */
  readonly seen: { discover: CompressedValue<Memory> | null; poll: Memory }
  /** When its changed interfaces last led to a discovery, by `Clock.steady`; 0: never. */
  staleAt: number
  /** Held by the poll or discovery that is under way. */
  readonly lock: DeviceLock
  /** The results of a discovery are being stored. */
  storing: boolean
}

/** The devices of this poller by id; the registry (`devices.ts`) alone changes them. */
export type DeviceMap = ReadonlyMap<number, PolledDevice>

/** False for a device that was deleted, or given up and taken over again, while a run waited or was under way. */
export function isCurrent(devices: DeviceMap, device: PolledDevice): boolean {
  return devices.get(device.id) === device
}

/** Time between two polls of the device, ms. */
export function pollIntervalMs(settings: Settings, { stored }: PolledDevice): number {
  return (stored.poll_interval ?? settings.get('poller.interval')) * 1000
}

/**
 * The part of a device's record that the poller keeps; its rows are in the plan, in `ports`, `gauges` and `observed`.
 */
export type DevicePlanRow = Omit<DevicePlan, 'ports' | 'polled'>

/** The part of a poll plan that depends on the rows of a device. */
type PlanTables = Omit<PollPlan, 'target' | 'facts'>

const NO_PORTS = new PortRows([])
const NOTHING_SEEN: Memory = new Map()

/** `state`: the device's last counters, read after the claim was made; null: none. */
export function newEntry(stored: DevicePlan, claim = 0, state: PortCounters | null = null): PolledDevice {
  return {
    id: stored.device_id,
    claim: { deviceId: stored.device_id, claim },
    stored: withoutRows(stored),
    readBy: 0,
    digest: null,
    address: null,
    version: 0,
    sentVersion: null,
    plan: null,
    settings: {},
    ports: NO_PORTS,
    gauges: NO_GAUGES,
    stats: NO_STATS,
    lastStats: null,
    observed: NOTHING_OBSERVED,
    readings: new Map(),
    decisions: new Map(),
    links: createLinkEvidence(),
    moved: new Set(),
    state: state === null ? null : new PackedCounters(state),
    since: null,
    checks: { snmp: 'unknown', icmp: 'unknown' },
    streaks: { snmp: 0, icmp: 0 },
    up: stored.status === 1,
    reason: stored.status_reason,
    failure: stored.failure,
    cleanPolls: 0,
    failures: 0,
    seen: { discover: null, poll: NOTHING_SEEN },
    staleAt: 0,
    lock: new DeviceLock(),
    storing: false,
  }
}

/** Whether this device is polled by SNMP at all. */
export function usesSnmp(stored: Pick<DevicePlanRow, 'disabled' | 'snmp_disable'>): boolean {
  return stored.disabled === 0 && stored.snmp_disable === 0
}

/** The name to look up for the device: `overwrite_ip` if set, else its hostname. */
export function nameOf(stored: Pick<DevicePlanRow, 'overwrite_ip' | 'hostname'>): string {
  return stored.overwrite_ip || stored.hostname
}

/** Address of the device; null: its name has no address in the family of its transport. */
export function addressOf(resolver: Resolver, stored: DevicePlanRow): Promise<string | null> {
  return resolver.resolve(nameOf(stored), stored.transport.endsWith('6') ? 6 : 'any')
}

export function targetOf(stored: DevicePlanRow, address: string): SnmpTarget {
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
    ...(stored.unreadable && { unreadable: true }),
    ...(stored.snmp_any_source === 1 && { anySource: true }),
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
  readonly isOn: IsEnabled
  readonly nonunicast: boolean
  readonly settings: DeviceFacts['settings']
}

/**
 * A port without any counter or state is in no table that polls read (router interfaces of Nokia SR OS); polled, it
 * would always be missing, and the device be discovered again.
 */
function isPolled({ hc_mask, lc_mask, ifAdminStatus, ifOperStatus }: PlannedPort): boolean {
  return hc_mask !== 0 || lc_mask !== 0 || ifAdminStatus !== null || ifOperStatus !== null
}

/** Rebuilds the poll plan of a device from its record; the version stays the same if nothing changed. */
export function replan(device: PolledDevice, stored: DevicePlan, address: string | null, options: PlanOptions): void {
  const mode = associationMode(stored.port_association_mode)
  if (stored.last_discovered?.getTime() !== device.stored.last_discovered?.getTime())
    device.ports.identities.discovered(device.decisions)
  const withPorts = options.isOn('ports', 'poll')
  const polled = stored.ports
    .filter((p) => withPorts && p.deleted === 0 && p.disabled === 0 && isPolled(p))
    .sort((a, b) => a.ifIndex - b.ifIndex)
  const oids: Uint8Array[] = []
  const texts: [position: number, reading: string][] = []
  const gauges = gaugeRows(stored, options.isOn, oids, texts)
  const stats = options.isOn('system-stats', 'poll') ? statSlot(stored, oids) : NO_STATS
  const plan = !usesSnmp(stored)
    ? null
    : new CompressedValue<PlanTables>(
        {
          ifIndex: Int32Array.from(polled, (p) => p.ifIndex),
          wide: Uint32Array.from(polled, (p) => (stored.snmpver === 'v1' ? 0 : p.hc_mask)),
          columns: portPollColumns(
            polled.map((p) => ({ hcMask: p.hc_mask, lcMask: p.lc_mask })),
            { snmpver: stored.snmpver, nonunicast: options.nonunicast, described: needsDescr(polled, mode) },
          ),
          gauges: packOids(oids),
          ...(texts.length > 0 && { texts }),
          modules: polledModules(stored, options.isOn),
        },
        { shared: sharedPlans },
      )
  const ports = new PortRows(polled, mode, decided(device.decisions))
  const before = headOf(device)
  const { plan: planBefore, ports: portsBefore } = device
  device.stored = withoutRows(stored)
  device.address = address
  device.settings = sharedSettings(JSON.stringify(options.settings), options.settings)
  if (device.state !== null) for (const id of ports.movedSince(portsBefore)) device.moved.add(id)
  device.ports = ports
  device.gauges = gauges
  device.observed = observedRows(stored)
  device.stats = stats
  device.plan = plan
  // a new version makes the worker send all names and aliases again, which is needed when the stored ones have changed
  const same =
    (plan === null ? planBefore === null : planBefore !== null && plan.equals(planBefore)) &&
    ports.equals(portsBefore) &&
    Bun.deepEquals(before, headOf(device))
  if (!same) device.version = nextVersion()
}

let versions = 0

function nextVersion(): number {
  versions++
  return versions
}

/** Sets a new address for the device; null: none. */
export function readdress(device: PolledDevice, address: string | null): void {
  device.address = address
  device.version = nextVersion()
}

/** What a worker needs to poll the device; null: the device is not polled by SNMP or has no address. */
export function planOf(device: PolledDevice): PollPlan | null {
  const head = headOf(device)
  return device.plan === null || head === null ? null : { ...device.plan.value(), ...head }
}

function headOf({ stored, address, settings }: PolledDevice): Pick<PollPlan, 'target' | 'facts'> | null {
  return address === null ? null : { target: targetOf(stored, address), facts: factsOf(stored, settings) }
}

/** One copy of equal plans, because devices of one model have the same. */
const sharedPlans = createSharedNumbers<Uint8Array>()
const sharedSettings = createShared<DeviceFacts['settings']>()

function withoutRows({ ports: _, polled: __, ...stored }: DevicePlan): DevicePlanRow {
  return stored
}

export function factsOf(stored: DevicePlanRow, settings: DeviceFacts['settings']): DeviceFacts {
  const { device_id, hostname, os, sysObjectID, sysDescr } = stored
  return { deviceId: device_id, hostname, os, sysObjectID, sysDescr, settings }
}
