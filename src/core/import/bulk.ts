import type { Sql } from '../database/client.ts'
import type { Installation, TableSpec } from './context.ts'
import { convertRow, type References } from './convert.ts'
import { TableCount, type TableReport } from './report.ts'
import { findTable, intOf, type Row } from './source.ts'
import { type JournalEntry, writeJournal } from './write-journal.ts'
import { hasRowsAfter, insertImported, type JsonRow, type TargetTable } from './write-tables.ts'

export interface BulkOptions {
  readonly sql: Sql
  /** The source's name in the journal. */
  readonly name: string
  readonly of: Installation
  readonly references: References
  readonly journal: ReadonlyMap<string, JournalEntry>
  readonly dryRun: boolean
}

/**
 * Imports a table with many rows, each batch in a transaction together with its mark. Ids are kept unless others have
 * been assigned here since. null: the installation does not have the table.
 */
export async function importBulk(
  options: BulkOptions,
  spec: TableSpec,
  target: TargetTable,
): Promise<TableReport | null> {
  const { sql, name, of, references, journal, dryRun } = options
  const from = findTable(of.source, spec.table)
  if (from === null) return null
  const count = new TableCount(spec.table)
  const { id } = target
  const ordered = id !== null && (of.source.tables.get(from) ?? []).includes(id)
  const object = `table ${spec.table}`
  const upto = journal.get(object)?.uptoId ?? null
  const keepIds = ordered && !(await hasRowsAfter(sql, target, upto ?? 0))
  const rows = of.source.rows(from, ordered ? { orderBy: id, ...(upto !== null && { after: upto }) } : {})
  for await (const some of rows) {
    const values = some.flatMap((row) => one(row, spec, target, of, references, count, keepIds))
    const last = ordered ? intOf(some.at(-1) as Row, id) : null
    if (dryRun) {
      count.imported += values.length
      continue
    }
    const stored = await sql.begin(async (tx) => {
      const { rows, refused } = await insertImported(tx, target, values)
      await writeJournal(tx, name, [{ object, uptoId: last, uptoS: null, octets: null, rows }])
      return { rows, refused }
    })
    count.imported += stored.rows
    for (const reason of stored.refused) count.refuse(reason)
    count.duplicates += values.length - stored.rows - stored.refused.length
  }
  return count.report()
}

function one(
  row: Row,
  spec: TableSpec,
  target: TargetTable,
  of: Installation,
  references: References,
  count: TableCount,
  keepIds: boolean,
): JsonRow[] {
  count.read++
  const values = convertRow(row, spec, target, of, references)
  if (values === 'left out') {
    count.leftOut++
    return []
  }
  if (values === null) {
    count.orphans++
    return []
  }
  const id = target.id === null ? null : intOf(row, target.id)
  return [keepIds && target.id !== null && id !== null ? { ...values, [target.id]: id } : values]
}
