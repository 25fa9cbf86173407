import type { Field, FormOs, FormPool, FormWalk } from '../../librenms/form.ts'
import type { MempoolRow, StorageRow } from '../observation.ts'
import { Cells, type Values } from './cells.ts'
import { evaluate, filledByIndex, type RowFields } from './fields.ts'
import { isNumberLike } from './numbers.ts'
import { type DeviceFields, isSkipped, rowAt } from './rows.ts'
import { type Amounts, filledUp } from './usage.ts'

const MAX_POOLS = 10_000

/** A pool or disk before it becomes a row. */
interface Pool {
  readonly item: FormPool
  readonly index: string
  readonly unit: number
  readonly amounts: Amounts
  readonly oids: Readonly<Record<'used' | 'free' | 'percent', string | null>>
  text(field: Field | null, other: string): string
}

/** The memory pools that a definition finds; if several have the same type and index, the last one wins. */
export function loadedMempools(form: FormOs, values: Values, device: DeviceFields): readonly MempoolRow[] {
  const found = new Map<string, MempoolRow>()
  for (const pool of poolsOf(form, 'mempools', values, device)) {
    const { item, index, amounts, oids } = pool
    const row: MempoolRow = {
      mempool_type: (item.type ?? form.os).slice(0, 32),
      mempool_index: pool.text(item.index, index),
      mempool_class: typeof item.kind === 'string' ? item.kind : 'system',
      mempool_descr: capitals(pool.text(item.descr, 'Memory')),
      mempool_precision: pool.unit,
      mempool_used_oid: oids.used,
      mempool_free_oid: oids.free,
      mempool_total_oid: null,
      mempool_perc_oid: oids.percent,
      entPhysicalIndex: null,
      mempool_used: amounts.used,
      mempool_free: amounts.free,
      mempool_total: amounts.total,
      mempool_perc_warn: item.warn === null ? 90 : Number(pool.text(item.warn, '90')) || 90,
    }
    found.set(`${row.mempool_type} ${row.mempool_index}`, row)
  }
  return withoutCaches([...found.values()])
}

/** The disks that a definition finds; if several have the same type and index, the last one wins. */
export function loadedStorage(form: FormOs, values: Values, device: DeviceFields): readonly StorageRow[] {
  const found = new Map<string, StorageRow>()
  for (const pool of poolsOf(form, 'storage', values, device)) {
    const { item, index, amounts, oids } = pool
    const row: StorageRow = {
      type: item.type ?? form.os,
      storage_index: pool.text(item.index, index),
      storage_type: pool.text(item.kind, 'Storage'),
      storage_descr: pool.text(item.descr, `Disk ${index}`),
      storage_units: pool.unit,
      storage_used_oid: oids.used,
      storage_free_oid: oids.free,
      storage_size_oid: null,
      storage_perc_oid: oids.percent,
      storage_size: amounts.total,
      storage_used: amounts.used,
      storage_free: amounts.free,
    }
    found.set(`${row.type} ${row.storage_index}`, row)
  }
  return [...found.values()]
}

function* poolsOf(
  form: FormOs,
  kind: 'mempools' | 'storage',
  values: Values,
  device: DeviceFields,
): Generator<Pool, void, void> {
  const items = form[kind]
  const walks = items.flatMap((item) => walksOf(form, item))
  for (const text of form.poolWalks) walks.push(...walkOf(form, text))
  const cells = new Cells(form, values, 'named', walks)
  let found = 0
  for (const item of items) {
    const indexes = new Set(walksOf(form, item).flatMap((walk) => cells.rows(walk)))
    let count = 0
    for (const index of indexes) {
      const row = rowAt(cells, index, () => true, {}, count + 1)
      if (isSkipped(item.skip, null, row, cells, device)) continue
      count++
      const pool = poolOf(form, kind, item, row)
      if (pool === null) continue
      if (++found > MAX_POOLS) return
      yield pool
    }
  }
}

/** The walks that supply an item's rows: its table, else each of its objects. */
export function walksOf(form: FormOs, item: FormPool): FormWalk[] {
  const texts = item.oid === null ? [item.total, item.used, item.free, item.percent] : [item.oid]
  return texts.flatMap((text) => (typeof text === 'string' ? walkOf(form, text) : []))
}

/** `MIB::object` without its instance. */
function nameIn(text: string): string {
  const dot = text.indexOf('.', Math.max(0, text.indexOf('::')))
  return text.includes('::') && dot >= 0 ? text.slice(0, dot) : text
}

export function walkOf(form: FormOs, text: string): FormWalk[] {
  const name = nameIn(text)
  const object = form.objects[name]
  if (object !== undefined) {
    if (name === text) return [{ text, oid: object.oid, instance: null }]
    const whole = form.instances[text]
    return whole === undefined ? [] : [{ text, oid: object.oid, instance: whole.slice(object.oid.length + 1) }]
  }
  // an object given as a numeric OID is a row of its own, with the index ''
  const oid = form.instances[text]
  return oid === undefined ? [] : [{ text, oid, instance: '' }]
}

function poolOf(form: FormOs, kind: 'mempools' | 'storage', item: FormPool, row: RowFields): Pool | null {
  const text = (field: Field | null, other: string): string =>
    (field === null ? other : evaluate(field, row).trim()) || other
  const given = {
    total: amountOf(form, item.total, row),
    used: amountOf(form, item.used, row),
    free: amountOf(form, item.free, row),
    percent: amountOf(form, item.percent, row),
  }
  const oids = {
    used: given.used === null ? null : oidOf(form, item, 'used', row.index),
    free:
      given.free === null || (given.used !== null && given.total !== null)
        ? null
        : oidOf(form, item, 'free', row.index),
    percent: given.percent === null ? null : oidOf(form, item, 'percent', row.index),
  }
  if (oids.used === null && oids.free === null && oids.percent === null) return null
  const unit = item.unit === null ? 1 : Number(text(item.unit, '1')) || 1
  const amounts = filledUp(given, unit, kind === 'mempools')
  return amounts === null ? null : { item, index: row.index === '' ? '0' : row.index, unit, amounts, oids, text }
}

/** The number itself, or the number that an object's text begins with; null: none. */
function amountOf(form: FormOs, field: Field | null, row: RowFields): number | null {
  if (field === null) return null
  if (typeof field === 'number' || isNumberLike(field)) return Number(field)
  const text = evaluate(field, row)
  // a name or an OID without a value evaluates to itself
  if (text === field && (form.objects[nameIn(field)] !== undefined || form.instances[field] !== undefined)) return null
  const number = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)/.exec(text)?.[0]
  return number === undefined ? null : Number(number)
}

function oidOf(form: FormOs, item: FormPool, key: 'used' | 'free' | 'percent', index: string): string | null {
  const polled = item.polled[key]
  if (polled !== undefined) return filledByIndex(polled, index)
  const field = item[key]
  if (typeof field !== 'string') return null
  const [walk] = walkOf(form, field)
  if (walk === undefined) return null
  if (walk.instance === '') return walk.oid
  const instance = walk.instance ?? index
  return instance === '' ? walk.oid : `${walk.oid}.${instance}`
}

/** Capitalises every word. */
function capitals(text: string): string {
  return text.replace(/(^|\s)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}

/** Subtracts buffers and caches from used memory if they are pools of their own and there is a single system pool. */
function withoutCaches(rows: readonly MempoolRow[]): readonly MempoolRow[] {
  const of = (name: string) => rows.filter((row) => row.mempool_class === name)
  const [system, buffers, cached] = [of('system'), of('buffers'), of('cached')]
  if (rows.length <= 2 || system.length !== 1 || buffers.length > 1 || cached.length > 1) return rows
  const rest = [...buffers, ...cached].reduce((sum, row) => sum + (row.mempool_used ?? 0), 0)
  return rows.map((row) => {
    const { mempool_used: used, mempool_total: total } = row
    if (row !== system[0] || used === null || total === null || used < rest) return row
    return { ...row, mempool_used: used - rest, mempool_free: total - used + rest }
  })
}
