import { type AdjustedValues, clean, float8, int2, int4, int8, text, type Value, type Values } from './columns.ts'
import type { Event } from './events.ts'
import { LAYER2 } from './layer2.ts'
import { adoptable } from './match-imported.ts'
import { counting, type SetOutcome } from './outcome.ts'
import { qos } from './qos.ts'
import { ROUTING } from './routing.ts'
import { replaceWrongLimits } from './sensor-limits.ts'
import { statisticsGraphs } from './statistics.ts'
import { printerSupplies } from './supplies.ts'
import type { DiscoveredTable, Found } from './table.ts'
import { transceivers } from './transceivers.ts'
import { wireless } from './wireless.ts'
import { deleteRows, insertRows, same, statement, type Tx, updateRows } from './write-rows.ts'

const OID = text(255)

/** By kind of observation. */
export const DISCOVERED = {
  inventory: {
    table: 'entPhysical',
    id: 'entPhysical_id',
    key: ['entPhysicalIndex'],
    columns: {
      entPhysicalIndex: int4,
      entPhysicalDescr: text(1000),
      entPhysicalClass: text(64),
      entPhysicalName: text(1000),
      entPhysicalHardwareRev: text(96),
      entPhysicalFirmwareRev: text(96),
      entPhysicalSoftwareRev: text(96),
      entPhysicalAlias: text(32),
      entPhysicalAssetID: text(32),
      entPhysicalIsFRU: text(8),
      entPhysicalModelName: text(1000),
      entPhysicalVendorType: text(1000),
      entPhysicalSerialNum: text(255),
      entPhysicalContainedIn: int4,
      entPhysicalParentRelPos: int4,
      entPhysicalMfgName: text(1000),
      ifIndex: int8,
    },
    first: {},
    defaults: { entPhysicalContainedIn: 0, entPhysicalParentRelPos: -1 },
    flag: null,
    event: 'inventory',
    label: (row) => `Entity ${row['entPhysicalName'] || row['entPhysicalDescr'] || row['entPhysicalIndex']}`,
  },
  processors: {
    table: 'processors',
    id: 'processor_id',
    key: ['processor_type', 'processor_index'],
    columns: {
      processor_type: text(16),
      processor_index: text(32),
      processor_oid: text(128),
      processor_descr: text(64),
      processor_precision: int4,
      hrDeviceIndex: int4,
      entPhysicalIndex: int4,
    },
    first: { processor_usage: int4, processor_perc_warn: int4 },
    defaults: { processor_usage: 0, processor_perc_warn: 75, processor_precision: 1, entPhysicalIndex: 0 },
    flag: null,
    event: 'processor',
    label: (row) => `Processor ${row['processor_descr']}`,
  },
  mempools: {
    table: 'mempools',
    id: 'mempool_id',
    key: ['mempool_type', 'mempool_index'],
    columns: {
      mempool_type: text(32),
      mempool_index: text(16),
      mempool_class: text(32),
      mempool_descr: text(128),
      mempool_precision: int4,
      mempool_used_oid: OID,
      mempool_free_oid: OID,
      mempool_total_oid: OID,
      mempool_perc_oid: OID,
      entPhysicalIndex: int4,
      mempool_total: int8,
    },
    first: { mempool_used: int8, mempool_free: int8, mempool_perc: int4, mempool_perc_warn: int4 },
    defaults: { mempool_used: 0, mempool_free: 0, mempool_total: 0, mempool_perc: 0, mempool_precision: 1 },
    flag: null,
    event: 'mempool',
    label: (row) => `Memory pool ${row['mempool_descr']}`,
  },
  storage: {
    table: 'storage',
    id: 'storage_id',
    key: ['type', 'storage_index'],
    columns: {
      type: text(16),
      storage_index: text(64),
      storage_type: text(32),
      storage_descr: text(1000),
      storage_units: int4,
      storage_used_oid: OID,
      storage_free_oid: OID,
      storage_size_oid: OID,
      storage_perc_oid: OID,
      storage_size: int8,
    },
    first: { storage_used: int8, storage_free: int8, storage_perc: int4 },
    defaults: { storage_used: 0, storage_free: 0, storage_size: 0, storage_perc: 0, storage_units: 1 },
    flag: null,
    event: 'storage',
    label: (row) => `Storage ${row['storage_descr']}`,
  },
  sensors: {
    table: 'sensors',
    id: 'sensor_id',
    key: ['sensor_class', 'sensor_type', 'sensor_index'],
    columns: {
      sensor_class: text(64),
      sensor_type: text(255),
      sensor_index: text(128),
      sensor_oid: OID,
      sensor_descr: text(255),
      group: text(255),
      sensor_divisor: int8,
      sensor_multiplier: int4,
      entPhysicalIndex: text(16),
      entPhysicalIndex_measured: text(16),
      user_func: text(100),
      rrd_type: text(16),
      sensor_deleted: int2,
    },
    first: {
      sensor_current: float8,
      sensor_limit: float8,
      sensor_limit_warn: float8,
      sensor_limit_low: float8,
      sensor_limit_low_warn: float8,
      limits_guessed: int2,
    },
    defaults: { sensor_divisor: 1, sensor_multiplier: 1, sensor_deleted: 0, limits_guessed: 0, rrd_type: 'GAUGE' },
    after: replaceWrongLimits,
    flag: 'sensor_deleted',
    event: 'sensor',
    label: (row) => `Sensor ${row['sensor_class']} ${row['sensor_descr']}`,
  },
  ...ROUTING,
  ...LAYER2,
  qos,
  transceivers,
  wireless,
  device_graphs: statisticsGraphs,
  printer_supplies: printerSupplies,
} as const satisfies Record<string, DiscoveredTable>

/** Columns with OIDs, which records show with a leading dot. */
const DOTTED = /(?<!^vrf)_oid$|^entPhysicalVendorType$/

/**
 * Synchronises a device's rows of a table with the discovered ones. Rows are removed only after a complete walk, and
 * not if their value was malformed. If discovered rows have equal keys, the first counts.
 */
export async function syncDiscovered(
  tx: Tx,
  table: DiscoveredTable,
  deviceId: number,
  { rows: found, complete, malformed = [] }: Found<object>,
  adjusted: AdjustedValues,
): Promise<SetOutcome> {
  const names = [table.id, ...Object.keys(table.columns)].map((name) => `"${name}"`).join(', ')
  const stored = await statement<Values[]>(tx, `select ${names} from "${table.table}" where device_id = $1`, [deviceId])
  const byKey = new Map(stored.map((row) => [keyOf(table, row), row]))
  const counts = counting()
  const events: Event[] = []
  const added: Values[] = []
  const updates: { id: number; values: Values }[] = []
  const seen = new Set<string>()
  const event = (row: Values, id: number | null, message: string): Event => ({
    deviceId,
    message: `${table.label(row)} ${message}`,
    type: table.event,
    reference: id,
    severity: 3,
  })
  const rows = (await table.resolve?.(tx, deviceId, found)) ?? found
  const adopted = await adopt(tx, table, byKey, rows)
  if (adopted > 0) {
    const message = `${adopted} rows of ${table.table} are found under other keys and keep their ids`
    events.push({ deviceId, message, type: table.event, reference: deviceId, severity: 2 })
  }
  for (const given of rows) {
    const row = prepared(table, given, adjusted)
    const key = keyOf(table, row)
    if (seen.has(key)) continue
    seen.add(key)
    const before = byKey.get(key)
    if (before === undefined) {
      added.push(row)
      continue
    }
    const sent = given as Readonly<Record<string, unknown>>
    const kept = (name: string) =>
      sent[name] === undefined && name !== table.flag && name !== table.lost?.since && name in before
    const values: Values = Object.fromEntries(
      Object.keys(table.columns).map((name) => [name, (kept(name) ? before[name] : row[name]) ?? null]),
    )
    if (Object.keys(values).every((name) => same(values[name], before[name]))) continue
    const id = Number(before[table.id])
    updates.push({ id, values })
    const back = table.flag !== null && before[table.flag] !== 0
    counts[back ? 'added' : 'changed']++
    const change = table.changeEvent?.(before, values) ?? null
    if (back) events.push(event(row, id, 'is back'))
    else if (change !== null) events.push({ ...event(row, id, change.message), severity: change.severity })
    else if (serialChanged(before, row)) {
      events.push(event(row, id, `serial number: ${before['entPhysicalSerialNum']} -> ${row['entPhysicalSerialNum']}`))
    }
  }
  const gone = complete
    ? [...byKey].flatMap(([key, row]) =>
        !seen.has(key) && (table.flag === null || row[table.flag] === 0) && !isThere(row, malformed) ? [row] : [],
      )
    : []
  const { lost, removed } = lostRows(table, gone)
  for (const { id, before, values } of lost) {
    updates.push({ id, values })
    counts.changed++
    const change = table.changeEvent?.(before, values) ?? null
    if (change !== null) events.push({ ...event(before, id, change.message), severity: change.severity })
  }
  for (const row of removed) events.push(event(row, Number(row[table.id]), 'removed'))
  counts.removed = removed.length
  await removeRows(
    tx,
    table,
    removed.map((row) => Number(row[table.id])),
  )
  await updateRows(tx, { table: table.table, id: table.id, columns: table.columns }, updates)
  const ids = await insertRows(tx, { ...table, columns: { ...table.columns, ...table.first } }, deviceId, added)
  counts.added += added.length
  await table.after?.(tx, deviceId, found)
  for (const [i, row] of added.entries()) events.push(event(row, ids[i] ?? null, 'added'))
  return { counts, events }
}

/** How long a row that is no longer found is kept, if its table keeps such rows. */
const LOST_S = 86_400

/** Of rows that were not found, those that are kept for now, if they have just been lost, and those to remove. */
function lostRows({ lost: kept, id }: DiscoveredTable, gone: readonly Values[]) {
  if (kept === undefined) return { lost: [], removed: gone }
  const now = Math.floor(Date.now() / 1000)
  return {
    lost: gone
      .filter((row) => row[kept.since] === null)
      .map((before) => ({ id: Number(before[id]), before, values: { ...before, ...kept.values, [kept.since]: now } })),
    removed: gone.filter((row) => row[kept.since] !== null && now - Number(row[kept.since]) >= LOST_S),
  }
}

/** Gives stored rows that discovery finds under other keys these keys. Returns how many. */
async function adopt(
  tx: Tx,
  table: DiscoveredTable,
  byKey: Map<string, Values>,
  found: readonly object[],
): Promise<number> {
  const rows = found.map((given) => prepared(table, given, { count: 0 }))
  const keys = new Set(rows.map((row) => keyOf(table, row)))
  const missing = [...byKey.values()].filter((row) => !keys.has(keyOf(table, row)))
  if (missing.length === 0) return 0
  const added = rows.filter((row) => !byKey.has(keyOf(table, row)))
  const adopted = await adoptable(tx, table.table, table.id, missing, added)
  for (const [at, row] of adopted) {
    byKey.delete(keyOf(table, row))
    byKey.set(keyOf(table, added[at] as Values), row)
  }
  return adopted.size
}

async function removeRows(tx: Tx, table: DiscoveredTable, ids: readonly number[]): Promise<void> {
  if (table.flag === null) await deleteRows(tx, table, ids)
  else {
    const values = { [table.flag]: 1 }
    await updateRows(
      tx,
      { ...table, columns: { [table.flag]: int2 } },
      ids.map((id) => ({ id, values })),
    )
  }
}

/** Whether the value of a stored sensor is among those that the agent has but that were malformed. */
function isThere({ sensor_oid: oid }: Values, malformed: readonly string[]): boolean {
  return typeof oid === 'string' && malformed.includes(oid.replace(/^\./, ''))
}

function keyOf(table: DiscoveredTable, row: Values): string {
  return table.key.map((name) => row[name] ?? '').join('\n')
}

/** The row as the table accepts it: all columns, cleaned, unknown ones with their default. */
function prepared(table: DiscoveredTable, given: object, adjusted: AdjustedValues): Values {
  const sent = given as Readonly<Record<string, unknown>>
  const row: Record<string, Value> = {}
  for (const [name, type] of Object.entries({ ...table.columns, ...table.first })) {
    const value = sent[name]
    const dotted = typeof value === 'string' && DOTTED.test(name) && /^\d/.test(value) ? `.${value}` : value
    row[name] = clean(type, dotted, adjusted) ?? table.defaults[name] ?? null
  }
  fillPercent(row)
  return row
}

/** Percentage from discovery, until the first poll updates it. */
function fillPercent(row: Record<string, Value>): void {
  for (const [name, used, total] of [
    ['mempool_perc', 'mempool_used', 'mempool_total'],
    ['storage_perc', 'storage_used', 'storage_size'],
  ] as const) {
    if (!(name in row)) continue
    const whole = Number(row[total] ?? 0)
    row[name] = whole > 0 ? Math.max(0, Math.min(100, Math.round((Number(row[used] ?? 0) / whole) * 100))) : 0
  }
}

/** A module was replaced: both serial numbers are known and differ. */
function serialChanged(before: Values, row: Values): boolean {
  const [old, now] = [before['entPhysicalSerialNum'], row['entPhysicalSerialNum']]
  return Boolean(old) && Boolean(now) && old !== now
}
