import type { Installation, TableSpec } from './context.ts'
import { convertRow } from './convert.ts'
import { TableCount, type TableReport } from './report.ts'
import { findTable, intOf, type Row } from './source.ts'
import type { AdjustedValues } from './values.ts'
import { readIds, writeIds } from './write-journal.ts'
import {
  type ImportTx,
  idsOf,
  insertImported,
  type JsonRow,
  keysOf,
  presentIds,
  type TargetTable,
} from './write-tables.ts'

const AT_ONCE = 2000

/** Ids that changed because they were already in use here. */
export interface ChangedId {
  readonly table: string
  readonly from: number
  readonly to: number
}

/** Imports tables one by one, in an order in which each refers only to earlier ones. */
export class Inventory {
  readonly changed: ChangedId[] = []
  readonly adjusted: AdjustedValues = { count: 0 }

  constructor(
    private readonly tx: ImportTx,
    private readonly name: string,
    private readonly of: Installation,
    private readonly tables: ReadonlyMap<string, TargetTable>,
    /** For each table, ids here by ids in the installation. */
    readonly ids: Map<string, Map<number, number>>,
  ) {}

  /** Imports one table; null: the installation does not have it. */
  async import(spec: TableSpec): Promise<TableReport | null> {
    const from = findTable(this.of.source, spec.table)
    const target = this.tables.get(spec.table)
    if (from === null || target === undefined) return null
    const run = await TableRun.begin(this, this.tx, this.name, this.of, spec, target)
    const ordered = target.id !== null && (this.of.source.tables.get(from) ?? []).includes(target.id)
    const batches = this.of.source.rows(from, ordered ? { orderBy: target.id ?? '' } : {})
    if (spec.lastCounts === true) {
      const all: Row[] = []
      for await (const rows of batches) all.push(...rows)
      await run.take(all.reverse())
    } else for await (const rows of batches) await run.take(rows)
    return await run.end()
  }
}

/** The import of one table. */
class TableRun {
  private readonly count: TableCount
  private readonly seen = new Map<string, number>()
  private readonly waiting: { readonly from: number | null; readonly row: JsonRow }[] = []
  /** Rows whose ids are already in use here. */
  private readonly renumbered: { readonly from: number; readonly row: JsonRow }[] = []
  private readonly fresh: (readonly [from: number, to: number])[] = []
  private greatest = 0

  private constructor(
    private readonly inventory: Inventory,
    private readonly tx: ImportTx,
    private readonly name: string,
    private readonly of: Installation,
    private readonly spec: TableSpec,
    private readonly target: TargetTable,
    private readonly known: ReadonlyMap<number, number>,
    private readonly existing: ReadonlySet<number>,
    private readonly keys: ReadonlyMap<string, number>,
    /** Keys of the rows here, including the columns that make two rows the same thing. */
    private readonly things: ReadonlyMap<string, number>,
    private readonly map: Map<number, number>,
  ) {
    this.count = new TableCount(spec.table)
    for (const id of existing) this.greatest = Math.max(this.greatest, id)
  }

  static async begin(
    inventory: Inventory,
    tx: ImportTx,
    name: string,
    of: Installation,
    spec: TableSpec,
    target: TargetTable,
  ): Promise<TableRun> {
    const known = target.id === null ? new Map<number, number>() : await readIds(tx, name, spec.table)
    const existing = target.id === null ? new Set<number>() : await idsOf(tx, target)
    const keys =
      target.id === null || spec.key === undefined || existing.size === 0
        ? new Map<string, number>()
        : await keysOf(tx, target, spec.key, spec.caseless === true)
    const things =
      keys.size === 0 || spec.rename === undefined
        ? new Map<string, number>()
        : await keysOf(tx, target, [...(spec.key ?? []), ...spec.rename.same], spec.caseless === true)
    const map = new Map<number, number>()
    inventory.ids.set(spec.table, map)
    return new TableRun(inventory, tx, name, of, spec, target, known, existing, keys, things, map)
  }

  async take(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.count.read++
      this.one(row)
      if (this.waiting.length >= AT_ONCE) await this.flush()
    }
  }

  private one(row: Row): void {
    const { spec, target, count } = this
    const from = target.id === null ? null : intOf(row, target.id)
    if (from !== null) {
      this.greatest = Math.max(this.greatest, from)
      const to = this.known.get(from)
      if (to !== undefined) {
        count.present++
        // A row that has been deleted here stays deleted.
        if (this.existing.has(to)) this.map.set(from, to)
        return
      }
    }
    const converted = convertRow(row, spec, target, this.of, this.inventory)
    if (converted === 'left out') {
      count.leftOut++
      return
    }
    if (converted === null) {
      count.orphans++
      return
    }
    const values = this.named(converted)
    const key = keyOf(spec.key, spec, values)
    if (key !== undefined && from !== null) {
      const twin = this.seen.get(key)
      const here = this.keys.get(key)
      if (twin !== undefined || here !== undefined) {
        if (twin === undefined) count.present++
        else {
          count.duplicates++
          if (spec.known === true)
            this.of.note(
              `${spec.table} ${from} is a duplicate of ${twin}: rows that refer to it refer to ${here ?? twin} here`,
            )
        }
        this.keep(from, (here ?? twin) as number)
        return
      }
      this.seen.set(key, from)
    }
    if (from === null) this.waiting.push({ from, row: values })
    else if (this.existing.has(from) || from > 2 ** 31 - 1) this.renumbered.push({ from, row: values })
    else {
      this.map.set(from, from)
      this.waiting.push({ from, row: { ...values, [target.id as string]: from } })
    }
  }

  /** The row, renamed if its name belongs to something else here. */
  private named(values: JsonRow): JsonRow {
    const { spec, keys, things } = this
    const { rename, key = [] } = spec
    const taken = (row: JsonRow) => keys.has(keyOf(key, spec, row) ?? '') || this.seen.has(keyOf(key, spec, row) ?? '')
    if (rename === undefined || !keys.has(keyOf(key, spec, values) ?? '')) return values
    if (things.has(keyOf([...key, ...rename.same], spec, values) ?? '')) return values
    const name = String(values[rename.column] ?? '')
    let other = values
    for (let n = 1; n === 1 || taken(other); n++)
      other = { ...values, [rename.column]: `${name} (LibreNMS${n === 1 ? '' : ` ${n}`})` }
    this.of.note(
      `${spec.table}: ${name} is already in use here for something else, so it is imported as ${other[rename.column]}`,
    )
    return other
  }

  private keep(from: number, to: number): void {
    this.map.set(from, to)
    this.fresh.push([from, to])
  }

  private async flush(): Promise<void> {
    const some = this.waiting.splice(0)
    if (some.length === 0) return
    const { rows, refused } = await insertImported(
      this.tx,
      this.target,
      some.map(({ row }) => row),
    )
    this.count.imported += rows
    for (const reason of refused) this.count.refuse(reason)
    this.count.duplicates += some.length - rows - refused.length
    const ids = some.flatMap(({ from }) => (from === null ? [] : [from]))
    const stored = rows === some.length ? new Set(ids) : await presentIds(this.tx, this.target, ids)
    for (const from of ids) {
      if (stored.has(from)) this.fresh.push([from, from])
      else this.map.delete(from)
    }
  }

  async end(): Promise<TableReport> {
    await this.flush()
    for (const { from, row } of this.renumbered) {
      this.greatest++
      const to = this.greatest
      const { rows, refused } = await insertImported(this.tx, this.target, [{ ...row, [this.target.id as string]: to }])
      for (const reason of refused) this.count.refuse(reason)
      this.count.imported += rows
      if (rows === 0) {
        this.count.duplicates += 1 - refused.length
        continue
      }
      this.keep(from, to)
      if (this.spec.known === true) this.inventory.changed.push({ table: this.spec.table, from, to })
    }
    await writeIds(this.tx, this.name, this.spec.table, this.fresh)
    return this.count.report()
  }
}

/** The key that identifies a row with another; undefined: only its id does. */
function keyOf(key: readonly string[] | undefined, { caseless }: TableSpec, values: JsonRow): string | undefined {
  const text = key?.map((name) => String(values[name] ?? '')).join('\n')
  return caseless === true ? text?.toLowerCase() : text
}
