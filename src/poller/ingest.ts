import { PORT_COUNTER_COUNT } from '../lib/port-counters.ts'
import type { PortStatus } from '../modules/observation.ts'
import { portDeltas, type RefusalCounts } from '../modules/ports/deltas.ts'
import { MAX_HIGH_SPEED } from '../modules/ports/poll.ts'
import type { PortChange } from '../store/discovery/write.ts'
import type { PlannedPort } from '../store/polling/plan.ts'
import type { BatchBuilder } from './batch.ts'
import type { DeviceEntry } from './device.ts'
import { moduleTimes } from './module-times.ts'
import { ingestObserved } from './observed.ts'
import { alignState } from './port-state.ts'
import type { PollOutcome, PortColumns } from './protocol.ts'
import { ingestStats } from './stats.ts'

type Answered = Extract<PollOutcome, { kind: 'answered' }>

/** Results of an answered poll besides its samples. */
export interface Ingested {
  readonly portChanges: readonly PortChange[]
  /** Seconds the agent had been up before it restarted; null: no restart. */
  readonly rebootAfterS: number | null
  /** The interfaces differ from the plan: discover again. */
  readonly stale: boolean
  /** Rejected counter pairs by reason. */
  readonly refused: RefusalCounts
}

/** IF-MIB ifAdminStatus, ifOperStatus (RFC 2863); index is the enumeration. */
const STATUSES: readonly (PortStatus | null)[] = [
  null,
  'up',
  'down',
  'testing',
  'unknown',
  'dormant',
  'notPresent',
  'lowerLayerDown',
]

/**
 * Turns an answered poll into samples in the batch and inventory changes, and stores it as the entry's last poll. Changes
 * only the entry and the batch.
 */
export function ingest(entry: DeviceEntry, outcome: Answered, batch: BatchBuilder, intervalMs: number): Ingested {
  const time = outcome.at
  const rebootAfterS = rebooted(entry, outcome)
  const changes: PortChange[] = []
  let refused: RefusalCounts = {}
  let stale = rebootAfterS !== null
  if (outcome.ports !== null && outcome.ports.rows === entry.ports.length && entry.ports.length > 0) {
    refused = ingestPorts(entry, outcome.ports, time, batch, intervalMs)
    portChanges(entry.ports, outcome.ports, changes)
    stale ||= outcome.ports.missing > 0 || outcome.ports.unknown > 0
  }
  if (outcome.gauges !== null) {
    for (const slot of entry.gauges)
      slot.add(batch, time, outcome.gauges.subarray(slot.offset, slot.offset + slot.count))
  }
  ingestStats(entry, outcome, batch, rebootAfterS !== null)
  const times = moduleTimes(entry, outcome.took)
  ingestObserved(entry, { ...outcome, times }, batch, rebootAfterS !== null)
  const uptimeS = outcome.uptimeTicks === null ? null : Math.floor(outcome.uptimeTicks / 100)
  batch.addDevice({
    deviceId: entry.id,
    time,
    tookMs: outcome.cost.tookMs,
    answered: true,
    uptimeS,
    requests: outcome.cost.requests,
    timeouts: outcome.cost.timeouts,
  })
  entry.uptimeTicks = outcome.uptimeTicks
  entry.uptimeAt = time
  return { portChanges: changes, rebootAfterS, stale, refused }
}

function ingestPorts(
  entry: DeviceEntry,
  now: PortColumns,
  time: number,
  batch: BatchBuilder,
  intervalMs: number,
): RefusalCounts {
  const { rows, ticks, counters, present, narrow } = now
  const state = { deviceId: entry.id, time, portId: entry.portIds, ticks, counters, present }
  const before = entry.state === null ? null : alignState(entry.state, entry.portIds)
  entry.state = state
  batch.addState(state)
  if (before === null) return {}
  const speeds = new Float64Array(rows)
  for (let row = 0; row < rows; row++) speeds[row] = entry.ports[row]?.ifSpeed ?? Number.NaN
  const { deltas, periodMs, refused, octetsRefused } = portDeltas({
    rows,
    counters: PORT_COUNTER_COUNT,
    before,
    now: { ticks, counters, present },
    narrow,
    ifSpeed: speeds,
    elapsedMs: time - before.time,
    intervalMs,
  })
  batch.addPorts(time, entry.portIds, periodMs, deltas, rows)
  for (const [row, reason] of octetsRefused) {
    batch.addRefused({ portId: entry.portIds[row] as number, since: before.time, time, reason })
  }
  return refused
}

/**
 * Detects a restart: sysUpTime is lower than before, and not because the 32 bits of TimeTicks wrapped (every 497 days),
 * after which it continues where our clock expects it. Seconds the agent had been up, or null without a restart.
 */
function rebooted(entry: DeviceEntry, outcome: Answered): number | null {
  const before = entry.uptimeTicks
  const now = outcome.uptimeTicks
  if (before === null || now === null || now >= before) return null
  const expected = (before + (outcome.at - entry.uptimeAt) / 10) % 2 ** 32
  const offTicks = Math.abs(now - expected)
  return Math.min(offTicks, 2 ** 32 - offTicks) < 6000 ? null : Math.floor(before / 100)
}

function portChanges(ports: readonly PlannedPort[], columns: PortColumns, changes: PortChange[]): void {
  const byRow = new Map<number, Record<string, unknown>>()
  const change = (row: number, values: Record<string, unknown>): void => {
    byRow.set(row, { ...byRow.get(row), ...values })
  }
  for (let row = 0; row < columns.rows; row++) {
    const port = ports[row] as PlannedPort
    const admin = STATUSES[columns.admin[row] as number] ?? null
    if (admin !== null && admin !== port.ifAdminStatus) {
      port.ifAdminStatus = admin
      change(row, { ifAdminStatus: admin })
    }
    const oper = STATUSES[columns.oper[row] as number] ?? null
    if (oper !== null && oper !== port.ifOperStatus) {
      port.ifOperStatus = oper
      change(row, { ifOperStatus: oper })
    }
    const speed = columns.highSpeed[row] as number
    // Above the maximum: the column was not read. 0: below half a megabit or unknown; discovery then reads the exact ifSpeed
    if (speed !== 0 && speed <= MAX_HIGH_SPEED && speed !== port.ifHighSpeed) {
      port.ifHighSpeed = speed
      port.ifSpeed = speed * 1_000_000
      change(row, { ifHighSpeed: speed, ifSpeed: speed * 1_000_000 })
    }
  }
  for (const { row, field, text } of columns.texts) {
    const port = ports[row]
    if (port === undefined || port[field] === text || (port[field] === null && text === '')) continue
    port[field] = text
    change(row, { [field]: text })
  }
  for (const [row, values] of byRow)
    changes.push({ port_id: (ports[row] as PlannedPort).port_id, ...values } as PortChange)
}
