import type { ImportReport } from '../core/import/report.ts'

/** Maximum number of lines of one kind; the JSON report has all. */
const MAX_LINES = 20

/** The report as lines of text. */
export function describeImport(report: ImportReport): readonly string[] {
  const { tables, idsChanged, notes, files, dryRun } = report
  const lines = [
    `${dryRun ? 'dry run of an import' : 'import'} from ${report.source} (${report.newestMigration}), zone ${report.zone}`,
  ]
  for (const t of tables) {
    const parts = [
      `${t.imported} ${dryRun ? 'would be imported' : 'imported'}`,
      ...(t.present > 0 ? [`${t.present} already present`] : []),
      ...(t.duplicates > 0 ? [`${t.duplicates} duplicates`] : []),
      ...(t.orphans > 0 ? [`${t.orphans} orphaned`] : []),
      ...(t.leftOut > 0 ? [`${t.leftOut} left out`] : []),
      ...(t.refused > 0 ? [`${t.refused} refused`] : []),
    ]
    if (t.read > 0) lines.push(`  ${t.table}: ${t.read} read, ${parts.join(', ')}`)
    for (const reason of t.reasons) lines.push(`    ${reason}`)
  }
  lines.push(
    ...some(idsChanged.map(({ table, from, to }) => `  ${table} ${from} is ${to} here, because the id is in use`)),
  )
  lines.push(...some(notes.map((note) => `  ${note}`)))
  const reasons = Map.groupBy(report.notTaken, ({ why }) => why)
  for (const [why, those] of reasons)
    lines.push(`  not imported, ${why}: ${those.map(({ table }) => table).join(', ')}`)
  if (files !== null) {
    lines.push(
      `  history: ${files.subjects} objects, ${files.read} files read, ${files.unchanged} unchanged, ${files.missing} without a file, ${files.refusedCount} refused`,
      `    ${files.samples} samples, ${files.hours} hours, ${files.days} days in ${files.tookS.toFixed(1)} s (${Math.round((files.read / Math.max(files.tookS, 0.001)) * 60)} files per minute)`,
    )
    if (files.uncertainRows > 0)
      lines.push(
        `    ${files.uncertainRows} consolidated rows next to unknown ones: RRD files do not say how much of them is known`,
      )
    if (files.unknownToDaemon > 0)
      lines.push(`    ${files.unknownToDaemon} files that rrdcached does not know: is --rrd its base folder?`)
    lines.push(...some(files.refused.map(({ file, reason }) => `    ${file} ${reason}`)))
    const unused = Object.entries(files.unused).map(([kind, count]) => `${count} ${kind}`)
    if (unused.length > 0) lines.push(`    files that belong to no imported row: ${unused.join(', ')}`)
  }
  const failed = report.checks.filter(({ holds }) => !holds)
  if (report.checks.length > 0)
    lines.push(`  checks: ${report.checks.length - failed.length} of ${report.checks.length} hold`)
  lines.push(...some(failed.map((one) => `    ${one.name}: expected ${one.expected}, found ${one.found}`)))
  lines.push(`took ${report.tookS.toFixed(1)} s`)
  return lines
}

function some(lines: readonly string[]): readonly string[] {
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES), `  and ${lines.length - MAX_LINES} more`]
}
