import { addSums, type LineSum, NO_LINES, sameSum, sumLines } from '../../lib/line-sums.ts'
import type { Log } from '../../observe/log.ts'
import { type Exclusive, takeExclusively } from '../cluster/exclusive.ts'
import { client, connect } from '../database/client.ts'
import {
  beginRestore,
  countObjects,
  endRestore,
  type RestorePhase,
  removeAll,
  restoreState,
} from '../database/restore-state.ts'
import { knownMigrations, MIGRATION_COUNT, migrate } from '../schema/migrate.ts'
import { Reader } from './container.ts'
import { BackupError } from './errors.ts'
import { RestoredFiles } from './files.ts'
import { type BackupHeader, parseEnd } from './manifest.ts'
import { Counter, type Watch } from './progress.ts'
import { type ArchivedTable, listTables, setSequence, tableName } from './read-catalogue.ts'
import { copyOut, open, type SnapshotSession, type SnapshotShare, sharesOf } from './read-snapshot.ts'
import { BackupCheck, headerOf } from './verify.ts'
import { loadPacked, type PackedTable, preparePacked, unpackedShares } from './write-packed.ts'
import {
  chunksDone,
  emptyTables,
  enterSeries,
  isSeriesSchemaStale,
  loadChunk,
  makePartitions,
  matchTables,
  putBackKeys,
  takeOffKeys,
} from './write-rows.ts'

/** Bytes of the pieces in which stored rows are read back. */
const COMPARE_OCTETS = 4 * 2 ** 20

export interface RestoreOptions {
  readonly url: string
  /** Data folder to which the backup's files are restored; null: they are skipped. */
  readonly dataDir: string | null
  /** Sessions that load at the same time. Default 2. */
  readonly connections?: number
  /** Whether everything in the database may be removed. Called only if the database is not empty. */
  readonly replace: (holds: { readonly tables: number; readonly devices: number }) => Promise<boolean>
  readonly log: Log
  readonly watch?: Watch
  /** Called once if an unfinished restore is found: whether it is continued or begun anew. */
  readonly found?: (what: 'continued' | 'begun anew') => void
}

export interface RestoreReport {
  readonly header: BackupHeader
  readonly tables: number
  readonly rows: number
  /** Bytes of the rows as text. */
  readonly octets: number
  /** Migrations that the backup lacked. */
  readonly migrated: readonly string[]
  /** Folders of the data folder that existed and were left unchanged. */
  readonly keptFolders: readonly string[]
  readonly seconds: number
}

/**
 * Restores a backup into a database that is empty, or continues an unfinished restore of the same backup. Then every
 * table is read back and compared with the backup; until that is done nobody else can use the database. Throws
 * BackupError and StoreError, and then leaves the database marked as unfinished.
 */
export async function restoreBackup(
  options: RestoreOptions,
  source: AsyncIterable<Uint8Array>,
): Promise<RestoreReport> {
  const reader = new Reader(source)
  const connections = Math.max(1, options.connections ?? 2)
  const pool = client(options.url, connections, null)
  const store = connect(options.url, { max: 2 })
  let exclusive: Exclusive | null = null
  try {
    exclusive = await takeExclusively(store)
    if (exclusive === null) throw new BackupError('a server is using this database: stop it first')
    const sessions: SnapshotSession[] = []
    for (let i = 0; i < connections; i++) sessions.push(await open(pool))
    return await new Restore(options, reader, sessions).run()
  } finally {
    await reader.close()
    await exclusive?.release()
    await Promise.all([pool.end({ timeout: 1 }), store.close(1)])
  }
}

class Restore {
  readonly #admin: SnapshotSession
  readonly #loaders: Loaders
  readonly #files = new RestoredFiles()
  #tables: ReadonlyMap<string, ArchivedTable> = new Map()
  #packed: ReadonlyMap<string, PackedTable> = new Map()
  /** Sums of the rows that packed rows were unpacked to, by the table that has them. */
  readonly #unpacked = new Map<string, LineSum>()
  #loadsPacked = false
  #done: ReadonlySet<number> = new Set()
  #phase: RestorePhase = 'schema'
  #migrated: readonly string[] = []

  constructor(
    readonly options: RestoreOptions,
    readonly reader: Reader,
    readonly sessions: readonly SnapshotSession[],
  ) {
    this.#admin = sessions[0] as SnapshotSession
    this.#loaders = new Loaders(sessions)
  }

  async run(): Promise<RestoreReport> {
    const began = performance.now()
    const watch = this.options.watch ?? (() => undefined)
    let check: BackupCheck | null = null
    let keptFolders: readonly string[] = []
    for await (const member of this.reader.read()) {
      if (check === null) {
        check = new BackupCheck(await headerOf(member), this.reader, 'restoring', watch)
        await this.#prepare(check.header)
        continue
      }
      if (member.kind === 'chunk') {
        if (member.table.startsWith('ts.')) await this.#enterSeries(check)
        const text = await member.text()
        check.rows(member, text)
        await this.#load(member.table, member.seq, text)
      } else if (member.kind === 'file') {
        const content = await member.text()
        check.file(member.path, content)
        this.#files.add({ path: member.path, content })
      } else if (member.kind === 'end') {
        check.end(parseEnd((await member.text()).toString()))
        await this.#enterSeries(check)
        keptFolders = await this.#finish(check)
      }
    }
    if (check === null) throw new BackupError('the backup is empty')
    const { rows, octets } = check.counter.now()
    const seconds = (performance.now() - began) / 1000
    const { header } = check
    return { header, tables: header.tables.length, rows, octets, migrated: this.#migrated, keptFolders, seconds }
  }

  /** Creates the schema of the backup, or finds how far an earlier attempt got. */
  async #prepare(header: BackupHeader): Promise<void> {
    const migrations = knownMigrations(header.schema.migrations)
    const earlier = await restoreState(this.#admin)
    if (earlier !== null && earlier.backup === header.id && earlier.phase !== 'schema') {
      this.options.found?.('continued')
      this.#phase = earlier.phase
      const { done, unpacked } = await chunksDone(this.#admin)
      this.#done = done
      for (const [name, sum] of unpacked) this.#unpacked.set(name, sum)
      if (earlier.phase === 'tables') this.#tables = await matchTables(this.#admin, tablesOf(header, 'public'))
      if (earlier.phase === 'series') await this.#matchSeries(header)
      return
    }
    if (earlier === null) {
      const holds = await countObjects(this.#admin)
      if (holds.tables > 0 && !(await this.options.replace(holds))) {
        throw new BackupError(
          `the database is not empty: it has ${holds.tables} tables and ${holds.devices} devices; use an empty one`,
        )
      }
    } else this.options.found?.('begun anew')
    await removeAll(this.#admin)
    await beginRestore(this.#admin, header.id)
    const series = migrations.length === MIGRATION_COUNT
    await migrate(this.options.url, this.options.log, migrations, { restoring: true, series })
    const tables = tablesOf(header, 'public')
    this.#tables = await matchTables(this.#admin, tables)
    await makePartitions(this.#admin, tables)
    await emptyTables(this.#admin, ofSchema(await listTables(this.#admin), 'public'))
    await takeOffKeys(this.#admin)
    this.#phase = 'tables'
  }

  async #load(name: string, seq: number, text: Uint8Array): Promise<void> {
    if (this.#done.has(seq)) return
    const packed = this.#packed.get(name)
    if (packed !== undefined) return await this.#loadPacked(packed, seq, text)
    const table = this.#tables.get(name)
    if (table === undefined) throw new BackupError(`the backup is corrupt: table ${name} is in the wrong place`)
    await this.#loaders.give((session) => loadChunk(session, table, seq, text))
  }

  async #loadPacked(packed: PackedTable, seq: number, text: Uint8Array): Promise<void> {
    // all rows are stored first, because unpacking skips those that are there
    if (!this.#loadsPacked) await this.#loaders.finish()
    this.#loadsPacked = true
    await this.#loaders.give(async (session) => {
      const sum = await loadPacked(session, packed, seq, text)
      const name = tableName(packed.rows)
      if (sum !== null) this.#unpacked.set(name, addSums(this.#unpacked.get(name) ?? NO_LINES, sum))
    })
  }

  /** Prepares the tables of the series. */
  async #matchSeries(header: BackupHeader): Promise<void> {
    const tables = tablesOf(header, 'ts').filter(({ packs }) => packs === null)
    await makePartitions(this.#admin, tables)
    this.#tables = await matchTables(this.#admin, tables)
    const packed = header.tables.filter(({ packs }) => packs !== null)
    this.#packed = await preparePacked(this.#admin, packed, this.#tables)
  }

  /** Runs once, after the last row of the inventory: compares it, restores its keys, and prepares the series. */
  async #enterSeries(check: BackupCheck): Promise<void> {
    if (this.#phase === 'series') return
    const { header } = check
    await this.#loaders.finish()
    if (this.#phase === 'tables') {
      await this.#compare(check, 'public')
      for (const sequence of header.sequences) await setSequence(this.#admin, sequence)
      await putBackKeys(this.#admin)
    }
    this.#phase = 'between'
    const { applied } = await migrate(this.options.url, this.options.log, undefined, { restoring: true })
    this.#migrated = applied
    await this.#matchSeries(header)
    await enterSeries(this.#admin, ofSchema(await listTables(this.#admin), 'ts'))
    this.#phase = 'series'
  }

  async #finish(check: BackupCheck): Promise<readonly string[]> {
    await this.#loaders.finish()
    await this.#compare(check, 'ts')
    if (await isSeriesSchemaStale(this.#admin)) await this.#admin`delete from schema_series`
    await migrate(this.options.url, this.options.log, undefined, { restoring: true })
    await this.#admin`select ts.make_dated(rel) from ts.stale_views() rel`
    await this.#admin.unsafe('analyze')
    const kept = this.options.dataDir === null ? [] : this.#files.write(this.options.dataDir)
    await endRestore(this.#admin)
    return kept
  }

  /** Reads tables back. Throws a BackupError that names those whose rows differ from the backup. */
  async #compare(check: BackupCheck, schema: 'public' | 'ts'): Promise<void> {
    const archived = tablesOf(check.header, schema).filter(({ packs }) => packs === null)
    const tables = [...(await matchTables(this.#admin, archived)).values()]
    const shares = tables.flatMap(sharesOf)
    if (schema === 'ts') {
      for (const packed of this.#packed.values()) {
        if (packed.form === 'packed') tables.push(packed.archived)
        shares.push(
          ...(packed.form === 'packed' ? sharesOf(packed.archived) : await unpackedShares(this.#admin, packed)),
        )
      }
    }
    const wanted = new Map(
      tables.map(tableName).map((name) => [name, addSums(check.sumOf(name), this.#unpacked.get(name) ?? NO_LINES)]),
    )
    const rows = [...wanted.values()].reduce((sum, table) => sum + table.rows, 0)
    const counter = new Counter('comparing', rows, this.options.watch ?? (() => undefined))
    const found = await sumShares(this.sessions, shares, counter)
    const differing = [...wanted].flatMap(([name, there]) => {
      const here = found.get(name) ?? NO_LINES
      if (sameSum(here, there)) return []
      return [
        `${name} has ${here.rows} rows${here.rows === there.rows ? ' with other values' : ` instead of ${there.rows}`}`,
      ]
    })
    if (differing.length > 0)
      throw new BackupError(`the restored data differs from the backup: ${differing.join(', ')}; run the restore again`)
  }
}

function tablesOf(header: BackupHeader, schema: 'public' | 'ts'): readonly ArchivedTable[] {
  return ofSchema(header.tables, schema)
}

function ofSchema(tables: readonly ArchivedTable[], schema: 'public' | 'ts'): readonly ArchivedTable[] {
  return tables.filter((table) => table.schema === schema)
}

/** Checksums of the rows of tables, by name. Takes the shares from the list. */
async function sumShares(
  sessions: readonly SnapshotSession[],
  shares: SnapshotShare[],
  counter: Counter,
): Promise<ReadonlyMap<string, LineSum>> {
  const found = new Map<string, LineSum>()
  await Promise.all(
    sessions.map(async (session) => {
      for (let share = shares.shift(); share !== undefined; share = shares.shift()) {
        const name = tableName(share.table)
        for await (const text of copyOut(session, share, COMPARE_OCTETS)) {
          const sum = sumLines(text)
          found.set(name, addSums(found.get(name) ?? NO_LINES, sum))
          counter.add(sum.rows, text.length)
        }
      }
    }),
  )
  return found
}

/** Distributes work to sessions, one piece at a time to each. */
class Loaders {
  readonly #free: SnapshotSession[]
  readonly #busy = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | null = null

  constructor(sessions: readonly SnapshotSession[]) {
    this.#free = [...sessions]
  }

  /** Resolves when a session has taken the work. Rejects with the first failure of any. */
  async give(work: (session: SnapshotSession) => Promise<void>): Promise<void> {
    while (this.#free.length === 0) await Promise.race(this.#busy)
    if (this.#failure !== null) throw this.#failure.error
    const session = this.#free.pop() as SnapshotSession
    const running: Promise<void> = work(session)
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => {
        this.#busy.delete(running)
        this.#free.push(session)
      })
    this.#busy.add(running)
  }

  /** Resolves when all work is done. Rejects with the first failure. */
  async finish(): Promise<void> {
    await Promise.all(this.#busy)
    if (this.#failure !== null) throw this.#failure.error
  }
}
