/** What an import found, imported and left out. Never contains secrets or values of settings. */
export interface TableReport {
  readonly table: string
  readonly read: number
  readonly imported: number
  /** Rows that were imported before or already existed here. */
  readonly present: number
  readonly duplicates: number
  /** Rows that belong to devices, ports, users and so on that do not exist. */
  readonly orphans: number
  readonly refused: number
  /** Rows that are not wanted: too old, deleted, or secrets of other programs. */
  readonly leftOut: number
  /** Why rows were refused, one example for each reason. */
  readonly reasons: readonly string[]
}

export interface FilesReport {
  readonly subjects: number
  readonly read: number
  readonly samples: number
  readonly hours: number
  readonly days: number
  /** Files that were imported before and have not changed since. */
  readonly unchanged: number
  readonly missing: number
  readonly refused: readonly { readonly file: string; readonly reason: string }[]
  readonly refusedCount: number
  /** Files that rrdcached does not know. */
  readonly unknownToDaemon: number
  /** Files that belong to no row. */
  readonly unused: Readonly<Record<string, number>>
  /** Long rows next to unknown ones; the file does not store how much of them is known. */
  readonly uncertainRows: number
  readonly tookS: number
}

/** A check that holds if the import is complete. */
export interface Check {
  readonly name: string
  readonly expected: string
  readonly found: string
  readonly holds: boolean
}

/** A table of the installation that is not imported. */
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
  /** Rows whose ids were already in use here, which other programs must now refer to by another number. */
  readonly idsChanged: readonly { readonly table: string; readonly from: number; readonly to: number }[]
  readonly notes: readonly string[]
  /** Tables of the installation that are not imported, by name. */
  readonly notTaken: readonly NotTaken[]
  /** Empty after a dry run. */
  readonly checks: readonly Check[]
  readonly files: FilesReport | null
  readonly tookS: number
}

/** Counts for one table during its import. */
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
