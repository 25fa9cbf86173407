import { encodeOid } from '@portlight/snmp/oid.ts'
import type { DevicePlan } from '../../core/polling/read-plan.ts'
import { SYSTEM_STATS, statPosition } from '../../lib/system-stats.ts'
import { type StatBaseline, statRow } from '../../modules/system-stats/rates.ts'
import type { PollOutcome } from '../protocol.ts'
import type { BatchBuilder } from '../samples/batch.ts'

export type { StatBaseline } from '../../modules/system-stats/rates.ts'

/** `positions[i]` is the index in SYSTEM_STATS of a poll's value at `offset + i`. */
export interface StatSlot {
  readonly offset: number
  readonly positions: readonly number[]
}

export const NO_STATS: StatSlot = { offset: 0, positions: [] }

/** Appends the objects of a device's statistics to `oids`. */
export function statSlot(stored: Pick<DevicePlan, 'stats'>, oids: Uint8Array[]): StatSlot {
  const offset = oids.length
  const positions = stored.stats.map(statPosition).filter((at) => at >= 0 && SYSTEM_STATS[at]?.oid !== '')
  oids.push(...positions.map((at) => encodeOid(SYSTEM_STATS[at]?.oid ?? '')))
  return { offset, positions }
}

interface Statistical {
  readonly id: number
  readonly stored: Pick<DevicePlan, 'fdb_count'>
  readonly stats: StatSlot
  lastStats: StatBaseline | null
}

/**
 * Adds a poll's statistics to the batch and keeps them as the device's last ones. `restarted`: the counters started
 * again from zero, so there are no deltas.
 */
export function ingestStats(
  device: Statistical,
  outcome: Extract<PollOutcome, { kind: 'answered' }>,
  batch: BatchBuilder,
  restarted: boolean,
): void {
  if (device.stats.positions.length === 0 && device.stored.fdb_count === 0) {
    device.lastStats = null
    return
  }
  const values = new Float64Array(SYSTEM_STATS.length).fill(Number.NaN)
  for (const [i, at] of device.stats.positions.entries()) {
    values[at] = outcome.gauges?.[device.stats.offset + i] ?? Number.NaN
  }
  const own = (name: string, value: number | null): void => {
    if (value !== null) values[statPosition(name)] = value
  }
  own('fdb_count', device.stored.fdb_count > 0 ? device.stored.fdb_count : null)
  const now = { time: outcome.at, values }
  const { row, baseline } = statRow(restarted ? null : device.lastStats, now)
  if (!row.every(Number.isNaN)) batch.add('stats', device.id, outcome.at, row)
  device.lastStats = baseline
}
