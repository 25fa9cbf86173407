import type { DevicePlan } from '../../core/polling/read-plan.ts'
import { createShared } from '../../lib/intern.ts'
import type { Observation } from '../../modules/observation.ts'
import type { Observed } from '../../series/kind.ts'
import { KIND_LIST, type NarrowName } from '../../series/kinds.ts'
import type { BatchBuilder } from '../samples/batch.ts'
import { isTooClose } from './shortest-period.ts'

/** Last reading of a kind; `values` by the id of the stored row. */
interface Reading {
  readonly time: number
  readonly uptimeTicks: number | null
  readonly values: ReadonlyMap<number, readonly number[]>
}
/** The last readings of a device's observed kinds. */
export type TableSamples = Map<NarrowName, Reading>

interface ObservedKind {
  readonly name: NarrowName
  readonly observed: Observed
  /** Its subjects are ports. */
  readonly ofPorts: boolean
  /** By column: whether it is a counter. */
  readonly counters: readonly boolean[]
}

const OBSERVED: readonly ObservedKind[] = KIND_LIST.flatMap(({ name, observed, subject, columns }) =>
  observed === undefined || name === 'port'
    ? []
    : [
        {
          name,
          observed,
          ofPorts: subject.table === 'ports',
          counters: columns.map(({ role }) => role === 'counter'),
        },
      ],
)

/** A 32-bit counter that decreases has wrapped if it was at least this high; otherwise it was reset. */
const HIGH = 2 ** 31

/** The stored rows of a device that modules observe, by kind: ids and natural keys. */
export type ObservedRows = ReadonlyMap<NarrowName, { readonly ids: Int32Array; readonly keys: readonly string[] }>

export const NOTHING_OBSERVED: ObservedRows = new Map()

const sharedKeys = createShared<readonly string[]>()

export function observedRows({ polled }: Pick<DevicePlan, 'polled'>): ObservedRows {
  const found = OBSERVED.flatMap(({ name, observed }) => {
    const rows = polled[name]
    if (rows === undefined) return []
    const keys = rows.map((row) => observed.keyOf(row))
    return [
      [name, { ids: Int32Array.from(rows, ({ id }) => id), keys: sharedKeys(JSON.stringify(keys), keys) }] as const,
    ]
  })
  return found.length === 0 ? NOTHING_OBSERVED : new Map(found)
}

interface Entry {
  readonly observed: ObservedRows
  readonly readings: TableSamples
}

interface Poll {
  readonly at: number
  readonly uptimeTicks: number | null
  readonly observations: readonly Observation[]
  /** Milliseconds of the poll by module. */
  readonly times: ReadonlyMap<string, number>
  /**
   * Ports by id: `moved`, the last reading may be that of another interface; `doubtful`, this one may be too. Absent:
   * none.
   */
  readonly uncertain?: ReadonlyMap<number, 'moved' | 'doubtful'>
}

/**
 * Adds the samples in a poll's observations to the batch and keeps the values as the device's last reading. The first
 * reading of counters, also after a restart of the agent, gives no samples, because a delta needs two readings; nor does
 * one within `shortestMs` of the last.
 */
export function ingestObserved(
  device: Entry,
  poll: Poll,
  batch: BatchBuilder,
  restarted: boolean,
  shortestMs: number,
): void {
  for (const { name, observed, ofPorts, counters } of OBSERVED) {
    const rows = device.observed.get(name)
    if (rows === undefined) continue
    const read = observed.read(poll.observations, poll.times)
    const uncertain = ofPorts ? poll.uncertain : undefined
    const values = new Map<number, readonly number[]>()
    for (const [row, key] of rows.keys.entries()) {
      const found = read.get(key)
      const id = rows.ids[row] as number
      if (found !== undefined && uncertain?.get(id) !== 'doubtful') values.set(id, found)
    }
    if (!counters.includes(true)) {
      for (const [id, sample] of values) batch.add(name, id, poll.at, sample)
      continue
    }
    const before = restarted ? undefined : device.readings.get(name)
    const periodMs = before === undefined ? 0 : spanned(before, poll)
    if (before !== undefined && isTooClose(poll.at - before.time, periodMs, shortestMs)) continue
    if (values.size > 0) device.readings.set(name, { time: poll.at, uptimeTicks: poll.uptimeTicks, values })
    if (before === undefined || periodMs <= 0) continue
    if (observed.gaps && read.size > 0)
      for (const id of rows.ids) if (!values.has(id)) batch.add(name, id, poll.at, unknown(counters.length), periodMs)
    for (const [id, now] of values) {
      const last = before.values.get(id)
      if (last === undefined || uncertain?.has(id) === true) continue
      const sample = now.map((value, c) =>
        counters[c] === true ? counted(last[c] ?? Number.NaN, value, observed.bits ?? 32, periodMs) : value,
      )
      if (observed.gaps || !sample.every(Number.isNaN)) batch.add(name, id, poll.at, sample, periodMs)
    }
  }
}

const unknown = (columns: number): readonly number[] => Array.from({ length: columns }, () => Number.NaN)

/** Milliseconds between two readings, by the agent's clock if available. */
function spanned(before: Reading, { at, uptimeTicks }: Poll): number {
  const ticks = uptimeTicks === null || before.uptimeTicks === null ? -1 : uptimeTicks - before.uptimeTicks
  return ticks > 0 ? ticks * 10 : at - before.time
}

/** A 64-bit counter that gains more than this in a millisecond has jumped: 16 Tbit/s in octets. */
const MAX_PER_MS = 2e9

/** Delta of a counter; NaN where it was reset, jumped, or is unknown. */
function counted(before: number, now: number, bits: 32 | 64, periodMs: number): number {
  if (now >= before) return bits === 32 || now - before <= MAX_PER_MS * periodMs ? now - before : Number.NaN
  if (bits === 64) return Number.NaN
  return before >= HIGH ? now + 2 ** 32 - before : Number.NaN
}
