import type { PortChange } from '../../core/discovery/write.ts'
import { PORT_COUNTER_COUNT } from '../../lib/port-counters.ts'
import { PORT_STATUSES } from '../../modules/observation.ts'
import { portDeltas, type RefusalCounts } from '../../modules/ports/deltas.ts'
import { MAX_HIGH_SPEED } from '../../modules/ports/poll.ts'
import { upSince } from '../../modules/system/uptime.ts'
import type { PortCounters } from '../../series/samples.ts'
import type { PolledDevice } from '../devices/polled-device.ts'
import type { PortRows } from '../memory/port-rows.ts'
import { alignState } from '../memory/port-state.ts'
import { PackedCounters } from '../memory/previous-counters.ts'
import { isTooClose, shortestOf, shortestPeriodMs } from '../memory/shortest-period.ts'
import { ingestStats } from '../memory/stats.ts'
import { ingestObserved } from '../memory/table-samples.ts'
import { moduleTimes } from '../module-times.ts'
import type { PollOutcome, PortColumns } from '../protocol.ts'
import type { BatchBuilder } from '../samples/batch.ts'

type Answered = Extract<PollOutcome, { kind: 'answered' }>

/** Clocks that are further apart are not skewed but wrong, ms. */
const MAX_SKEW_MS = 60_000

/** Results of an answered poll besides its samples. */
export interface Ingested {
  readonly portChanges: readonly PortChange[]
  /** Seconds the device had been up before it restarted; null: no restart. */
  readonly rebootAfterS: number | null
  /** The interfaces differ from the plan, so a discovery is needed. */
  readonly stale: boolean
  /** Rejected counter pairs by reason. */
  readonly refused: RefusalCounts
}

/**
 * Turns an answered poll into samples and inventory changes, and makes it the entry's last poll. Modifies only the
 * entry and the batch.
 */
export function ingest(device: PolledDevice, outcome: Answered, batch: BatchBuilder, intervalMs: number): Ingested {
  const time = outcome.at
  const { uptimeTicks } = outcome
  const since = uptimeTicks === null ? null : upSince(device.since, uptimeTicks, time, outcome.clocks)
  const restarted = since?.restarted ?? false
  const changes: PortChange[] = []
  let refused: RefusalCounts = {}
  let stale = restarted
  const uncertain = new Map<number, 'moved' | 'doubtful'>([...device.moved].map((id) => [id, 'moved']))
  if (outcome.ports !== null && outcome.ports.rows === device.ports.length && device.ports.length > 0) {
    // first, because what is an interface's must not be stored as another's
    const seen = portChanges(device.ports, outcome.ports, changes)
    for (const row of seen.renamed) uncertain.set(device.ports.ids[row] as number, 'moved')
    refused = ingestPorts(device, outcome.ports, seen, time, batch, intervalMs)
    stale ||= outcome.ports.missing > 0 || outcome.ports.unknown > 0 || device.ports.identities.isInDoubt
  }
  if (outcome.gauges !== null) device.gauges.add(batch, time, outcome.gauges)
  ingestStats(device, outcome, batch, restarted)
  const times = moduleTimes(device, outcome.took)
  const { ids, identities } = device.ports
  if (identities.isInDoubt)
    for (const [row, id] of ids.entries()) if (identities.isDoubtful(row)) uncertain.set(id, 'doubtful')
  ingestObserved(device, { ...outcome, times, uncertain }, batch, restarted, shortestPeriodMs(intervalMs))
  const uptimeS = since === null ? null : Math.floor(since.up.ticks / 100 + (since.up.aheadS ?? 0))
  batch.addDevice({
    deviceId: device.id,
    time,
    tookMs: outcome.cost.tookMs,
    answered: true,
    uptimeS,
    requests: outcome.cost.requests,
    timeouts: outcome.cost.timeouts,
  })
  device.since = since?.up ?? null
  return { portChanges: changes, rebootAfterS: since?.rebootAfterS ?? null, stale, refused }
}

function ingestPorts(
  device: PolledDevice,
  now: PortColumns,
  { renamed, speeds }: SeenChanges,
  time: number,
  batch: BatchBuilder,
  intervalMs: number,
): RefusalCounts {
  const { rows, ticks, counters, present, narrow } = now
  const { ids, identities } = device.ports
  if (identities.isInDoubt) for (let row = 0; row < rows; row++) if (identities.isDoubtful(row)) present[row] = 0
  const state = { deviceId: device.id, time, portId: ids, ticks, counters, present }
  const aheadMs = device.state === null ? Number.NEGATIVE_INFINITY : device.state.time - time
  // the last counters were read by a poller whose clock is a little ahead of this one, so no delta can be computed yet
  const isAhead = aheadMs >= 0 && aheadMs <= MAX_SKEW_MS
  const last = device.state === null || isAhead ? null : alignState(device.state.state(), ids)
  if (isAhead || (last !== null && isTooSoon(last, state, intervalMs))) {
    for (const row of renamed) device.moved.add(ids[row] as number)
    return {}
  }
  // or by a clock that was wrong: its time may be years away, so counting begins anew
  const before = aheadMs > 0 ? null : last
  batch.addState(state)
  if (before !== null) forgetOthers(before, device.moved, renamed)
  device.moved.clear()
  if (before === null) {
    device.state = new PackedCounters(state)
    return {}
  }
  const { deltas, periodMs, refused, octetsRefused } = portDeltas({
    rows,
    counters: PORT_COUNTER_COUNT,
    before,
    now: { ticks, counters, present },
    narrow,
    ifSpeed: device.ports.lineSpeeds(),
    links: {
      // the speed may have changed since the last reading
      proven: (row) => Math.max(device.links.proven(ids[row] as number), speeds.get(row) ?? 0),
      above: (row, rate) => device.links.above(ids[row] as number, rate),
      within: (row) => device.links.within(ids[row] as number),
    },
    elapsedMs: time - before.time,
    intervalMs,
    space: spaceFor(rows * PORT_COUNTER_COUNT),
  })
  batch.addPorts(time, ids, periodMs, deltas, rows)
  for (const [row, reason] of octetsRefused) {
    batch.addRefused({ portId: ids[row] as number, since: before.time, time, reason })
  }
  device.state = new PackedCounters(state, device.state)
  return refused
}

/** By the clock of the agent if it tells it; a restart is not too soon. */
const isTooSoon = (before: PortCounters, now: PortCounters, intervalMs: number): boolean =>
  isTooClose(now.time - before.time, shortestOf(before.ticks, now.ticks), shortestPeriodMs(intervalMs))

/** Drops counters that may be those of another interface: of ports with another ifIndex, or another name. */
function forgetOthers(before: PortCounters, moved: ReadonlySet<number>, renamed: ReadonlySet<number>): void {
  for (const row of renamed) before.present[row] = 0
  if (moved.size === 0) return
  for (const [row, id] of before.portId.entries()) if (moved.has(id)) before.present[row] = 0
}

let space = new Float64Array(0)

/** Memory for the deltas of one poll, which the batch copies at once; the next call reuses it. */
function spaceFor(cells: number): Float64Array {
  if (space.length !== cells) space = new Float64Array(cells)
  return space
}

interface SeenChanges {
  /** Rows whose name has changed: each may be another interface with the same ifIndex. */
  readonly renamed: ReadonlySet<number>
  /** The former speeds of rows whose speed has changed, bit/s. */
  readonly speeds: ReadonlyMap<number, number>
}

/** Adds what has changed. */
function portChanges(ports: PortRows, columns: PortColumns, changes: PortChange[]): SeenChanges {
  const speeds = new Map<number, number>()
  const byRow = new Map<number, Record<string, unknown>>()
  const change = (row: number, values: Record<string, unknown>): void => {
    byRow.set(row, { ...byRow.get(row), ...values })
  }
  const renamed = new Set<number>()
  ports.setTexts(columns.texts, (row, field, text) => {
    change(row, { [field]: text })
    if (field === 'ifName' && text !== '' && ports.identities.mode === 'ifIndex') renamed.add(row)
  })
  for (let row = 0; row < columns.rows; row++) {
    if (ports.identities.isDoubtful(row)) continue
    const admin = seen(columns.admin[row], ports.admin(row))
    const oper = seen(columns.oper[row], ports.oper(row))
    if (admin !== ports.admin(row)) change(row, { ifAdminStatus: PORT_STATUSES[admin] })
    if (oper !== ports.oper(row)) change(row, { ifOperStatus: PORT_STATUSES[oper] })
    ports.setStatus(row, admin, oper)
    const speed = columns.highSpeed[row] as number
    // above the maximum: the column was not read; 0: below 500 kbit/s or unknown, for which discovery reads ifSpeed
    if (speed !== 0 && speed <= MAX_HIGH_SPEED && speed !== ports.ifHighSpeed(row)) {
      speeds.set(row, (ports.ifHighSpeed(row) ?? 0) * 1_000_000)
      ports.setHighSpeed(row, speed)
      change(row, { ifHighSpeed: speed, ifSpeed: speed * 1_000_000 })
    }
  }
  for (const [row, values] of byRow) changes.push({ port_id: ports.ids[row] as number, ...values } as PortChange)
  return { renamed, speeds }
}

/** The enumeration value that was read, or the previous one if the agent returned none or an invalid one. */
function seen(read: number | undefined, before: number): number {
  return read !== undefined && read > 0 && read < PORT_STATUSES.length ? read : before
}
