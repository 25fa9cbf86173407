import { DaemonError, openDaemon } from '@portlight/rrd/daemon.ts'
import type { Sql } from '../database/client.ts'
import { Undone } from '../database/errors.ts'
import { compile } from '../rules/compile.ts'
import { BuilderError } from '../rules/errors.ts'
import { brokenPatterns } from '../rules/read-pattern-reader.ts'
import { importBulk } from './bulk.ts'
import { checkImport } from './checks.ts'
import { Clock, utcOf } from './clock.ts'
import { conditionsOf } from './conditions.ts'
import type { Installation } from './context.ts'
import { importHistory } from './history/run.ts'
import { Inventory } from './inventory.ts'
import { notTaken } from './not-taken.ts'
import { readOperations, withoutReceivers } from './operations.ts'
import type { ImportReport, TableReport } from './report.ts'
import { readRoles } from './roles.ts'
import { readSettings } from './settings.ts'
import { findTable, type Source, SourceError, textOf } from './source.ts'
import { ACCESS } from './tables/access.ts'
import { alertTables } from './tables/alerts.ts'
import { BILLS, billDataTable } from './tables/bills.ts'
import { type LogDays, logTables } from './tables/logs.ts'
import { OBSERVED } from './tables/observed.ts'
import { DEVICES, groupTables, OWNERS } from './tables/owners.ts'
import { addRoles, addSettings } from './write-access.ts'
import { rollUpToNow } from './write-history.ts'
import { lockSource, readJournal } from './write-journal.ts'
import { type ImportTx, makeLogPartitions, moveSequences, type TargetTable, targetTables } from './write-tables.ts'

export interface ImportOptions {
  readonly sql: Sql
  readonly source: Source
  /** Name of the installation in the journal; absent: that of the source. */
  readonly name?: string
  /** Folder of RRD files; null: history is not imported. */
  readonly rrd: string | null
  /** Address of the rrdcached that writes these files, in the form that `openDaemon` takes; absent: there is none. */
  readonly rrdcached?: string | null
  /** IANA time zone of the installation's host; null: the one that the server reports. */
  readonly zone: string | null
  readonly dryRun: boolean
  /** Whether all rules arrive disabled; absent: as they are in the installation. */
  readonly rulesDisabled?: boolean
  /** History before this time is left out, epoch seconds. */
  readonly sinceS: number
  readonly logs: LogDays
  /** Called from time to time with the current step and how many items of it are done, of how many (0: unknown). */
  progress(step: string, done: number, of: number): void
}

/** Logs that are partitioned by time. */
const PARTITIONED: ReadonlySet<string> = new Set(['alert_log', 'eventlog', 'authlog', 'syslog'])

/** The first migration after which a device without any answer has both reasons. */
const BOTH_REASONS = '2026_06'

/** Tables that are read only to import others. */
const READ: ReadonlySet<string> = new Set([
  'migrations',
  'roles',
  'model_has_roles',
  'assigned_roles',
  'permissions',
  'role_has_permissions',
  'config',
  'pollers',
  'alert_operations',
  'alert_operation_segments',
  'alert_operation_transport_map',
])

/**
 * Imports an installation: inventory, users and settings in one transaction, then logs and the traffic of bills, then
 * history file by file, each with a mark of its progress. After an interruption a new run continues where the last one
 * ended; running it again changes nothing. Throws SourceError (the source cannot be used; nothing was written) and
 * StoreError.
 */
export async function importLibrenms(options: ImportOptions): Promise<ImportReport> {
  const { sql, source } = options
  const name = options.name ?? source.name
  const newestMigration = await checkAge(source)
  const zone = await zoneOf(options)
  const release = await lockSource(sql, name)
  if (release === null) throw new SourceError(`another import from ${name} is running`)
  try {
    return await importAll(options, name, newestMigration, zone)
  } finally {
    await release()
  }
}

async function importAll(
  options: ImportOptions,
  name: string,
  newestMigration: string,
  zone: string,
): Promise<ImportReport> {
  const began = performance.now()
  const { sql, dryRun } = options
  const operations = await readOperations(options.source)
  const source = withoutReceivers(options.source, operations)
  const notes: string[] = []
  const now = Date.now()
  const inventoryIds = new Map<string, Map<number, number>>()
  const of: Installation = {
    source,
    clock: new Clock(zone),
    now,
    note: (text) => notes.push(text),
    idOf: (table, id) => (id === null ? null : (inventoryIds.get(table)?.get(id) ?? null)),
  }
  const tables = await targetTables(sql)
  const broken = await brokenPatterns(sql, await patternsOf(source))
  const conditions = conditionsOf({
    beforeBothReasons: newestMigration < BOTH_REASONS,
    note: of.note,
    check: (builder) => ruleProblem(builder, broken),
  })
  const bulkTables = [billDataTable(), ...logTables(options.logs)]
  options.progress('reading', 0, 0)
  await source.verify?.(bulkTables.flatMap(({ table }) => findTable(source, table) ?? []))
  const reports: TableReport[] = []
  const changed: ImportReport['idsChanged'][number][] = []
  let adjusted = { count: 0 }
  const specs = [
    ...DEVICES,
    ...ACCESS,
    ...OWNERS,
    ...groupTables(conditions),
    ...alertTables(operations, conditions, options.rulesDisabled === true),
    ...BILLS,
    ...OBSERVED,
  ]
  const notesBefore = notes.length
  const work = async (tx: ImportTx): Promise<void> => {
    // it runs again after a deadlock
    notes.length = notesBefore
    reports.length = 0
    changed.length = 0
    inventoryIds.clear()
    await tx`set local statement_timeout = 0`
    await tx`set local idle_in_transaction_session_timeout = 0`
    const inventory = new Inventory(tx, name, of, tables, inventoryIds)
    for (const spec of specs) {
      options.progress(spec.table, 0, 0)
      const report = await inventory.import(spec)
      if (report !== null) reports.push(report)
    }
    await addRoles(tx, await readRoles(of))
    const { settings, ignored } = await readSettings(source)
    await addSettings(tx, settings)
    if (ignored.length > 0) notes.push(`settings that are unknown or invalid here: ${ignored.join(', ')}`)
    changed.push(...inventory.changed)
    adjusted = inventory.adjusted
    if (dryRun) throw new Undone()
    await moveSequences(tx, importedTables(tables, reports))
  }
  await sql.begin(work).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  const journal = await readJournal(sql, name)
  const bulk = { sql, name, of, references: { ids: inventoryIds, adjusted }, journal, dryRun }
  for (const spec of bulkTables) {
    const target = tables.get(spec.table)
    if (target === undefined) continue
    options.progress(spec.table, 0, 0)
    const days = { alert_log: options.logs.alerts, syslog: options.logs.syslog }[spec.table] ?? options.logs.events
    if (!dryRun && PARTITIONED.has(spec.table)) await makeLogPartitions(sql, spec.table, days)
    const report = await importBulk(bulk, spec, target)
    if (report !== null) reports.push(report)
  }
  if (!dryRun) await sql.begin((tx) => moveSequences(tx, importedTables(tables, reports)))
  const found = await history(options, name, inventoryIds, journal, now)
  options.progress('checks', 0, 0)
  const checks = dryRun
    ? []
    : await checkImport({
        sql,
        name,
        of,
        references: bulk.references,
        tables,
        specs,
        probes: found?.probes ?? [],
      })
  const done = new Set(reports.map(({ table }) => table.toLowerCase()))
  if (adjusted.count > 0) notes.push(`${adjusted.count} values contained bytes that cannot be stored, or did not fit`)
  return {
    source: name,
    dryRun,
    newestMigration,
    zone,
    tables: reports,
    idsChanged: changed,
    notes,
    notTaken: notTaken(
      [...source.tables.keys()].filter((table) => !READ.has(table.toLowerCase()) && !done.has(table.toLowerCase())),
    ),
    checks,
    files: found?.files ?? null,
    tookS: (performance.now() - began) / 1000,
  }
}

async function history(
  options: ImportOptions,
  name: string,
  ids: ReadonlyMap<string, ReadonlyMap<number, number>>,
  journal: Awaited<ReturnType<typeof readJournal>>,
  now: number,
): Promise<Awaited<ReturnType<typeof importHistory>> | null> {
  const { rrd, sql, source, sinceS, dryRun } = options
  if (rrd === null) return null
  if (!dryRun) await rollUpToNow(sql)
  const owners = [
    'ports',
    'sensors',
    'wireless_sensors',
    'processors',
    'mempools',
    'storage',
    'printer_supplies',
    'services',
  ]
  const total = owners.reduce((sum, table) => sum + (ids.get(table)?.size ?? 0), 3 * (ids.get('devices')?.size ?? 0))
  // A dry run does not change the files.
  const { rrdcached = null } = options
  try {
    const daemon = rrdcached === null || dryRun ? null : await openDaemon(rrdcached)
    try {
      return await importHistory({
        sql,
        source,
        name,
        folder: rrd,
        daemon,
        ids,
        journal,
        sinceS,
        dryRun,
        nowS: now / 1000,
        progress: (done) => options.progress('history', done, total),
      })
    } finally {
      daemon?.close()
    }
  } catch (error) {
    throw error instanceof DaemonError ? new SourceError(error.message) : error
  }
}

function importedTables(
  tables: ReadonlyMap<string, TargetTable>,
  reports: readonly TableReport[],
): readonly TargetTable[] {
  return reports.flatMap(({ table }) => tables.get(table) ?? [])
}

/** Regular expressions of the installation's rules and groups. */
async function patternsOf(source: Source): Promise<ReadonlySet<string>> {
  const patterns = new Set<string>()
  for (const [table, column] of [
    ['alert_rules', 'builder'],
    ['device_groups', 'rules'],
  ] as const) {
    const from = findTable(source, table)
    if (from === null) continue
    for await (const rows of source.rows(from))
      for (const row of rows) for (const pattern of compiledPatterns(textOf(row, column))) patterns.add(pattern)
  }
  return patterns
}

function compiledPatterns(builder: string): readonly string[] {
  try {
    return compile(builder).patterns
  } catch (error) {
    if (error instanceof BuilderError) return []
    throw error
  }
}

/** Why a rule cannot be evaluated here; null: it can. `broken`: regular expressions that PostgreSQL refuses. */
function ruleProblem(builder: unknown, broken: ReadonlyMap<string, string>): string | null {
  try {
    for (const pattern of compile(builder).patterns) {
      const reason = broken.get(pattern)
      if (reason !== undefined) return `the regular expression ${pattern} cannot be used: ${reason}`
    }
    return null
  } catch (error) {
    if (error instanceof BuilderError) return error.message
    throw error
  }
}

/** The newest migration of the installation's schema. Throws SourceError if there is none or it is too old. */
async function checkAge(source: Source): Promise<string> {
  const table = findTable(source, 'migrations')
  if (table === null || findTable(source, 'devices') === null)
    throw new SourceError(`${source.name} has no tables migrations and devices: is it a LibreNMS database?`)
  let newest = ''
  for await (const rows of source.rows(table)) {
    for (const row of rows) {
      const name = textOf(row, 'migration')
      if (name > newest) newest = name
    }
  }
  if (newest < '2020') throw new SourceError('the installation is older than 2020: update it first')
  return newest
}

/** How long after the newest poll a poller may have reported, ms. */
const MAX_AHEAD_MS = 15 * 60_000

/** The time zone of the installation's host. Throws SourceError if it is unknown or does not fit the newest times. */
async function zoneOf({ source, zone: given }: ImportOptions): Promise<string> {
  const zone = given ?? source.zone
  if (zone === null)
    throw new SourceError(
      'the server does not report its time zone: add --timezone, for example --timezone Europe/Berlin',
    )
  let clock: Clock
  try {
    clock = new Clock(zone)
  } catch {
    throw new SourceError(`--timezone: ${zone} is unknown`)
  }
  const newest = async (table: string, columns: readonly string[], of: (text: string) => number): Promise<number> => {
    const found = findTable(source, table)
    let latest = Number.NaN
    if (found === null) return latest
    for await (const rows of source.rows(found, { columns })) {
      for (const row of rows) {
        for (const column of columns) {
          const ms = of(textOf(row, column))
          if (!(ms <= latest) && !Number.isNaN(ms)) latest = ms
        }
      }
    }
    return latest
  }
  const polled = await newest('devices', ['last_polled', 'last_ping'], utcOf)
  const reported = await newest('pollers', ['last_polled'], (text) => clock.instant(text))
  if (reported - polled > MAX_AHEAD_MS)
    throw new SourceError(
      `in time zone ${zone} the poller reported ${Math.round((reported - polled) / 60_000)} minutes after the newest poll, so the zone is wrong: set --timezone`,
    )
  return zone
}
