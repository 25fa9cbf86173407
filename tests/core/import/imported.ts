import type { ImportReport } from '../../../src/core/import/report.ts'
import { type ImportOptions, importLibrenms } from '../../../src/core/import/run.ts'
import type { Source } from '../../../src/core/import/source.ts'
import type { TestDatabase } from '../../support/database.ts'

const LOGS = { alerts: 365, events: 30, syslog: 0 }

/** Imports everything from the source, and closes it. */
export async function importInto(
  { store: { sql } }: TestDatabase,
  source: Source,
  {
    rrd = null,
    zone = 'Europe/Berlin',
    dryRun = false,
    rulesDisabled = false,
  }: Partial<Pick<ImportOptions, 'rrd' | 'zone' | 'dryRun' | 'rulesDisabled'>> = {},
): Promise<ImportReport> {
  try {
    return await importLibrenms({
      sql,
      source,
      rrd,
      zone,
      dryRun,
      rulesDisabled,
      sinceS: 0,
      logs: LOGS,
      name: 'test',
      progress: () => undefined,
    })
  } finally {
    await source.close()
  }
}

/** The report on one table. */
export const tableOf = (report: ImportReport, name: string) => report.tables.find((one) => one.table === name)
