import { parseOid } from '@portlight/snmp/oid.ts'
import type { DevicePlan } from '../../core/polling/read-plan.ts'
import { createShared } from '../../lib/intern.ts'
import type { Poll, RowColumns, StoredRow } from '../../series/kind.ts'
import { KINDS, NARROW_NAMES, type NarrowName } from '../../series/kinds.ts'
import type { IsEnabled } from '../module-toggles.ts'
import type { BatchBuilder } from '../samples/batch.ts'

/** Numbers kept for each row. */
const WIDTH = 3

/**
 * The stored rows of a device whose values a poll reads with GET, in the order of the plan's OIDs. Each row consumes
 * some of the values and makes a sample of them. Only the columns needed for that are kept, in one copy for equal rows.
 */
export class GaugeRows {
  /** For each row: id, number of values, and position of its kind in NARROW_NAMES. */
  private readonly numbers: Int32Array
  private readonly columns: readonly RowColumns[]

  constructor(numbers: readonly number[], columns: readonly RowColumns[]) {
    this.numbers = Int32Array.from(numbers)
    this.columns = columns
  }

  get length(): number {
    return this.columns.length
  }

  /** The module that reads each row, and the number of values of the row. */
  *modules(): Iterable<readonly [module: string, values: number]> {
    for (const [row, columns] of this.columns.entries())
      yield [this.kindOf(row).poll.module(columns), this.numbers[row * WIDTH + 1] ?? 0]
  }

  /** Adds the samples of one poll to the batch; NaN: the value was not read. */
  add(batch: BatchBuilder, time: number, values: Float64Array): void {
    let offset = 0
    for (let row = 0; row < this.columns.length; row++) {
      const count = this.numbers[row * WIDTH + 1] ?? 0
      const { name, poll } = this.kindOf(row)
      const sample = poll.sample(this.columns[row] as RowColumns, values.subarray(offset, offset + count))
      if (sample !== null) batch.add(name, this.numbers[row * WIDTH] ?? 0, time, sample)
      offset += count
    }
  }

  private kindOf(row: number): PolledKind {
    return POLLED[this.numbers[row * WIDTH + 2] ?? 0] as PolledKind
  }
}

export const NO_GAUGES = new GaugeRows([], [])

interface PolledKind {
  readonly name: NarrowName
  readonly poll: Poll
}

const POLLED: readonly PolledKind[] = NARROW_NAMES.flatMap((name) => {
  const poll: Poll | null = KINDS[name].poll
  return poll === null ? [] : [{ name, poll }]
})

/**
 * The rows of a device whose OIDs can be read. Their OIDs are appended to `oids`, and the positions of those read as
 * text to `texts`.
 */
export function gaugeRows(
  stored: Pick<DevicePlan, 'polled'>,
  isOn: IsEnabled,
  oids: Uint8Array[],
  texts: [position: number, reading: string][],
): GaugeRows {
  const numbers: number[] = []
  const columns: RowColumns[] = []
  for (const [kind, { name, poll }] of POLLED.entries()) {
    for (const row of stored.polled[name] ?? []) {
      if (!isOn(poll.module(row), 'poll')) continue
      const own = poll.oids(row).map(parseOid)
      if (own.length === 0 || !own.every((oid) => oid !== null)) continue
      const reading = poll.reading(row)
      if (reading !== null) for (const i of own.keys()) texts.push([oids.length + i, reading])
      numbers.push(row.id, own.length, kind)
      columns.push(kept(row, poll))
      oids.push(...own)
    }
  }
  return numbers.length === 0 ? NO_GAUGES : new GaugeRows(numbers, sharedList(columns))
}

const shared = createShared<RowColumns>()
const sharedLists = createShared<readonly RowColumns[]>()

/** One copy of equal lists, because devices of one model have the same rows. */
function sharedList(columns: readonly RowColumns[]): readonly RowColumns[] {
  const found = sharedLists(String(Bun.hash(JSON.stringify(columns))), columns)
  const same = found.length === columns.length && found.every((own, row) => own === columns[row])
  return same ? found : columns
}

/** The columns of a row that are needed to make its sample; for an OID, only whether it exists. */
function kept(row: StoredRow, { needs }: Poll): RowColumns {
  const columns = Object.fromEntries(
    needs.map(([column, as]) => [column, as === 'oid' && row[column] !== null ? '' : row[column]]),
  )
  return shared(JSON.stringify(columns), columns)
}
