import type { HealthDefinition, MempoolEntry, ProcessorEntry, StorageEntry, Usage } from '../../definitions/health.ts'
import type { Read } from '../module.ts'
import type { MempoolRow, ProcessorRow, StorageRow } from '../observation.ts'
import { type DefinedRow, rowsOf } from './rows.ts'
import { described } from './sensors.ts'

/** Rows of all entries; a fallback entry counts only if the entries before it have no rows. */
function found<E extends Usage, R>(entries: readonly E[], rows: (entry: E) => readonly R[]): readonly R[] {
  const all: R[] = []
  for (const entry of entries) if (!entry.fallback || all.length === 0) all.push(...rows(entry))
  return all
}

/** The processors that a definition finds in what was read. */
export function processorRows(definition: HealthDefinition, read: Read): readonly ProcessorRow[] {
  return found(definition.processors, (entry) =>
    [...rowsOf(definition, entry, entry.value, read)].flatMap((row) => processorRow(definition, entry, row) ?? []),
  )
}

function processorRow(definition: HealthDefinition, entry: ProcessorEntry, row: DefinedRow): ProcessorRow | null {
  const value = row.number(entry.value)
  if (value === null) return null
  const scaled = value / (Math.abs(entry.precision) || 1)
  const percent = entry.precision < 0 ? 100 - scaled : scaled
  return {
    processor_type: entry.type ?? definition.name,
    processor_index: row.text(entry.index) ?? '0',
    processor_oid: row.oid(entry.value),
    processor_descr: described(entry, row) ?? 'Processor',
    processor_precision: entry.precision,
    hrDeviceIndex: whole(row.text(entry.hrDevice)),
    entPhysicalIndex: whole(row.text(entry.entity)) ?? 0,
    // Values outside 0 … 100 are unknown.
    processor_usage: percent >= 0 && percent <= 100 ? percent : null,
  }
}

/** The memory pools that a definition finds in what was read. */
export function mempoolRows(definition: HealthDefinition, read: Read): readonly MempoolRow[] {
  return found(definition.mempools, (entry) =>
    [...rowsOf(definition, entry, firstOf(entry.used, entry.percent, entry.free), read)].flatMap(
      (row) => mempoolRow(definition, entry, row) ?? [],
    ),
  )
}

function mempoolRow(definition: HealthDefinition, entry: MempoolEntry, row: DefinedRow): MempoolRow | null {
  const precision = row.amount(entry.precision) ?? 1
  const amounts = balance(row, entry, entry.total, precision)
  if (amounts === null) return null
  const oid = oidIn(row)
  return {
    mempool_type: entry.type ?? definition.name,
    mempool_index: row.text(entry.index) ?? '0',
    mempool_class: entry.class,
    mempool_descr: described(entry, row) ?? 'Memory',
    mempool_precision: precision,
    mempool_used_oid: oid(entry.used),
    mempool_free_oid: oid(entry.free),
    mempool_total_oid: oid(entry.total),
    mempool_perc_oid: oid(entry.percent),
    entPhysicalIndex: whole(row.text(entry.entity)),
    mempool_used: amounts.used,
    mempool_free: amounts.free,
    mempool_total: amounts.total,
    mempool_perc_warn: row.amount(entry.warn),
  }
}

/** The filesystems and disks that a definition finds in what was read. */
export function storageRows(definition: HealthDefinition, read: Read): readonly StorageRow[] {
  return found(definition.storage, (entry) =>
    [...rowsOf(definition, entry, firstOf(entry.used, entry.percent, entry.free), read)].flatMap(
      (row) => storageRow(definition, entry, row) ?? [],
    ),
  )
}

function storageRow(definition: HealthDefinition, entry: StorageEntry, row: DefinedRow): StorageRow | null {
  const units = row.amount(entry.units) ?? 1
  const amounts = balance(row, entry, entry.size, units)
  if (amounts === null) return null
  const oid = oidIn(row)
  return {
    type: entry.type ?? definition.name,
    storage_index: row.text(entry.index) ?? '0',
    storage_type: row.text(entry.kind) ?? 'Storage',
    storage_descr: described(entry, row) ?? 'Storage',
    storage_units: units,
    storage_used_oid: oid(entry.used),
    storage_free_oid: oid(entry.free),
    storage_size_oid: oid(entry.size),
    storage_perc_oid: oid(entry.percent),
    storage_size: amounts.total,
    storage_used: amounts.used,
    storage_free: amounts.free,
  }
}

type Amounts = Record<'used' | 'free' | 'total', number | null>

/**
 * Used, free and total bytes; a missing one is computed from the other two. With only a percentage, the total is 100.
 * Null if the agent reports too little, the total is 0, or more is used or free than there is.
 */
function balance(
  row: DefinedRow,
  entry: Pick<MempoolEntry, 'used' | 'free' | 'percent'>,
  all: string | null,
  unit: number,
): Amounts | null {
  const octets = (name: string | null): number | null => {
    const value = row.number(name)
    // -1 means unknown; sizes of 2^31 and more are negative in an Integer32
    if (value === null || value === -1) return null
    return (value < 0 ? value + 2 ** 32 : value) * unit
  }
  const percent = row.number(entry.percent)
  let [used, free, total] = [octets(entry.used), octets(entry.free), octets(all)]
  if (total === null && used !== null && free !== null) total = used + free
  if (total === null && percent !== null) total = 100
  if (total === null || total <= 0) return null
  if (used === null && free !== null) used = total - free
  if (used === null && percent !== null && percent >= 0 && percent <= 100) used = (total * percent) / 100
  if (used === null || used > total || used < 0) return null
  free ??= total - used
  return { used, free, total }
}

function oidIn(row: DefinedRow): (name: string | null) => string | null {
  return (name) => (name === null || row.number(name) === null ? null : row.oid(name))
}

function firstOf(...names: readonly (string | null)[]): string | null {
  return names.find((name) => name !== null) ?? null
}

function whole(text: string | null): number | null {
  const number = text === null || text === '' ? Number.NaN : Number(text)
  return Number.isSafeInteger(number) ? number : null
}
