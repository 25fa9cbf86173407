import { addSums, type LineSum, sumLines } from '../../lib/line-sums.ts'
import { END_FILE, HEADER_FILE, type Sink, sha256, Writer } from './container.ts'
import { dataFiles } from './files.ts'
import { type BackupEnd, type BackupHeader, FORMAT, type TableSum } from './manifest.ts'
import { Counter, type Watch } from './progress.ts'
import { type ArchivedTable, listSequences, readSchema, tableName } from './read-catalogue.ts'
import {
  copyOut,
  emptySums,
  openSnapshot,
  type SnapshotSession,
  type SnapshotShare,
  sharesOf,
} from './read-snapshot.ts'

/** Text of a chunk before compression. */
const CHUNK_OCTETS = 4 * 2 ** 20

export interface BackupOptions {
  readonly url: string
  /** Data folder whose files are included (files.ts); null: none. */
  readonly dataDir: string | null
  /** Sessions that read at the same time. Default 2. */
  readonly connections?: number
  readonly program: string
  readonly watch?: Watch
}

/** What a backup holds. */
export interface BackupReport {
  readonly id: string
  readonly made: Date
  readonly tables: number
  readonly rows: number
  /** Bytes of the rows as text, and of the backup. */
  readonly octets: number
  readonly packed: number
  readonly files: number
  readonly seconds: number
}

/**
 * Writes a backup of the database as it is at one moment, while others read and write it. Memory use does not depend on
 * the size of the database. Throws StoreError, and whatever the sink throws.
 */
export async function createBackup(options: BackupOptions, sink: Sink): Promise<BackupReport> {
  const began = performance.now()
  const snapshot = await openSnapshot(options.url, options.connections ?? 2)
  try {
    const { tables, made, sessions } = snapshot
    const [first] = sessions as [SnapshotSession, ...SnapshotSession[]]
    const header: BackupHeader = {
      format: FORMAT,
      id: crypto.randomUUID(),
      program: options.program,
      made: made.toISOString(),
      schema: await readSchema(first),
      tables,
      sequences: await listSequences(first),
    }
    const writer = new Writer(sink, made)
    await writer.addJson(HEADER_FILE, header)
    const rows = tables.reduce((sum, table) => sum + table.estimate, 0)
    const read = new TablesRead(tables, new Counter('reading', rows, options.watch ?? (() => undefined)), writer)
    // A restore finishes the inventory before the series, and their rows before packed ones, so they must not mix.
    for (const group of [0, 1, 2]) {
      const shares = tables.filter((table) => groupOf(table) === group).flatMap(sharesOf)
      await Promise.all(sessions.map((session) => read.all(session, shares)))
    }
    const files: { path: string; sha256: string }[] = []
    for (const { path, content } of options.dataDir === null ? [] : dataFiles(options.dataDir)) {
      files.push({ path, sha256: sha256(content) })
      await writer.addFile(path, content)
    }
    const sums = read.sums()
    const end: BackupEnd = {
      format: FORMAT,
      id: header.id,
      members: writer.members,
      digest: await writer.digest(),
      tables: sums,
      files,
    }
    await writer.addJson(END_FILE, end)
    await writer.end()
    return {
      id: header.id,
      made,
      tables: tables.length,
      rows: sums.reduce((sum, t) => sum + t.rows, 0),
      octets: sums.reduce((sum, t) => sum + t.octets, 0),
      packed: writer.octets,
      files: files.length,
      seconds: (performance.now() - began) / 1000,
    }
  } finally {
    await snapshot.close()
  }
}

/** The place of a table in the file: the inventory, series, packed rows of series. */
function groupOf({ schema, packs }: ArchivedTable): 0 | 1 | 2 {
  if (packs !== null) return 2
  return schema === 'ts' ? 1 : 0
}

/** Counts and checksums of what has been read of each table. */
class TablesRead {
  readonly #sums: Map<string, LineSum>
  readonly #chunks = new Map<string, { chunks: number; octets: number }>()
  #seq = 0

  constructor(
    tables: BackupHeader['tables'],
    readonly counter: Counter,
    readonly writer: Writer,
  ) {
    this.#sums = emptySums(tables)
  }

  /** Takes shares from the list until it is empty. One chunk is compressed and written while the next one is read. */
  async all(session: SnapshotSession, shares: SnapshotShare[]): Promise<void> {
    let writing: Promise<void> = Promise.resolve()
    for (let share = shares.shift(); share !== undefined; share = shares.shift()) {
      const name = tableName(share.table)
      for await (const text of copyOut(session, share, CHUNK_OCTETS)) {
        const sum = sumLines(text)
        await writing
        writing = this.#write(name, sum, text)
        writing.catch(() => undefined)
      }
    }
    await writing
  }

  async #write(table: string, sum: LineSum, text: Uint8Array): Promise<void> {
    this.#sums.set(table, addSums(this.#sums.get(table) ?? sum, sum))
    const { chunks, octets } = this.#chunks.get(table) ?? { chunks: 0, octets: 0 }
    this.#chunks.set(table, { chunks: chunks + 1, octets: octets + text.length })
    await this.writer.addChunk({ table, seq: this.#seq++, rows: sum.rows }, text)
    this.counter.add(sum.rows, text.length)
  }

  sums(): readonly TableSum[] {
    return [...this.#sums].map(([name, { rows, a, b }]) => ({
      name,
      rows,
      a,
      b,
      ...(this.#chunks.get(name) ?? { chunks: 0, octets: 0 }),
    }))
  }
}
