/** What an import found, took and left out. No secret and no value of a setting is ever put here. */
export interface TableReport {
  readonly table: string
  readonly read: number
  readonly imported: number
  /** Imported before, or the same row was here. */
  readonly present: number
  readonly duplicates: number
  /** Rows of devices, ports, users ... that do not exist. */
  readonly orphans: number
  readonly refused: number
  /** Rows that are not wanted: too old, deleted, or secrets of other programs. */
  readonly leftOut: number
  /** Why, the first of each reason. */
  readonly reasons: readonly string[]
}

export interface FilesReport {
  readonly subjects: number
  readonly read: number
  readonly samples: number
  readonly hours: number
  readonly days: number
  /** Files imported before and not changed since. */
  readonly unchanged: number
  readonly missing: number
  readonly refused: readonly { readonly file: string; readonly reason: string }[]
  readonly refusedCount: number
  /** Files of which rrdcached says that it has none of that name. */
  readonly unknownToDaemon: number
  /** Files that belong to no row. */
  readonly unused: Readonly<Record<string, number>>
  /** Long rows that lie beside unknown ones: how much of them is known is not stored in the file. */
  readonly uncertainRows: number
  readonly tookS: number
}

/** One thing that holds if the import is whole. */
export interface Check {
  readonly name: string
  readonly expected: string
  readonly found: string
  readonly holds: boolean
}

/** A table there that is not taken. */
export interface NotTaken {
  readonly table: string
  readonly why: string
}

export interface ImportReport {
  readonly source: string
  readonly dryRun: boolean
  readonly newestMigration: string
  readonly zone: string
  readonly tables: readonly TableReport[]
  /** Ids that were taken here: the rows that other programs know by another number now. */
  readonly idsChanged: readonly { readonly table: string; readonly from: number; readonly to: number }[]
  readonly notes: readonly string[]
  /** Tables there that are not taken, by name. */
  readonly notTaken: readonly NotTaken[]
  /** Empty after a dry run. */
  readonly checks: readonly Check[]
  readonly files: FilesReport | null
  readonly tookS: number
}

/** Counts of one table while it is imported. */
export class TableCount {
  read = 0
  imported = 0
  present = 0
  duplicates = 0
  orphans = 0
  refused = 0
  leftOut = 0
  private readonly reasons = new Map<string, number>()

  constructor(readonly table: string) {}

  refuse(reason: string): void {
    this.refused++
    if (this.reasons.size < 20 || this.reasons.has(reason))
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1)
  }

  report(): TableReport {
    const { table, read, imported, present, duplicates, orphans, refused, leftOut } = this
    const reasons = [...this.reasons].map(([reason, count]) => `${count} x ${reason}`)
    return { table, read, imported, present, duplicates, orphans, refused, leftOut, reasons }
  }
}
