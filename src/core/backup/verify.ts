import { addSums, type LineSum, NO_LINES, sameSum, sumLines } from '../../lib/line-sums.ts'
import { type Chunk, type Member, Reader, sha256 } from './container.ts'
import { BackupError } from './errors.ts'
import { type BackupEnd, type BackupHeader, parseEnd, parseHeader } from './manifest.ts'
import { Counter, type Watch } from './progress.ts'
import { tableName } from './read-catalogue.ts'

/** What a checked backup holds. */
export interface VerifyReport {
  readonly header: BackupHeader
  readonly rows: number
  /** Bytes of the rows as text, and of the backup. */
  readonly octets: number
  readonly packed: number
  readonly files: number
  readonly seconds: number
}

/**
 * Reads a whole backup and checks each chunk, the rows of each table, and that it is complete. Needs no database.
 * Throws BackupError for the first problem found.
 */
export async function verifyBackup(source: AsyncIterable<Uint8Array>, watch: Watch): Promise<VerifyReport> {
  const began = performance.now()
  const reader = new Reader(source)
  try {
    let check: BackupCheck | null = null
    for await (const member of reader.read()) {
      check ??= new BackupCheck(await headerOf(member), reader, 'checking', watch)
      if (member.kind === 'chunk') check.rows(member, await member.text())
      if (member.kind === 'file') check.file(member.path, await member.text())
      if (member.kind === 'end') check.end(parseEnd((await member.text()).toString()))
    }
    if (check === null) throw new BackupError('the backup is empty')
    const { rows, octets } = check.counter.now()
    const seconds = (performance.now() - began) / 1000
    return { header: check.header, rows, octets, packed: reader.octets, files: check.files, seconds }
  } finally {
    await reader.close()
  }
}

/** The header, from the first file of a backup. */
export async function headerOf(member: Member): Promise<BackupHeader> {
  if (member.kind !== 'header') throw new BackupError('the backup is corrupt: it does not begin with its header')
  return parseHeader((await member.text()).toString())
}

/** What has been read of a table. */
interface Seen {
  readonly sum: LineSum
  readonly chunks: number
  /** Bytes as text. */
  readonly octets: number
}
const NOTHING: Seen = { sum: NO_LINES, chunks: 0, octets: 0 }

/** Computes checksums of a backup while it is read, and compares them with those at its end. */
export class BackupCheck {
  readonly counter: Counter
  readonly #seen: Map<string, Seen>
  readonly #files = new Map<string, string>()

  constructor(
    readonly header: BackupHeader,
    readonly reader: Reader,
    step: string,
    watch: Watch,
  ) {
    this.#seen = new Map(header.tables.map((table) => [tableName(table), NOTHING]))
    const rows = header.tables.reduce((sum, { estimate }) => sum + estimate, 0)
    this.counter = new Counter(step, rows, watch)
  }

  get files(): number {
    return this.#files.size
  }

  /** The checksum of a table's rows so far. */
  sumOf(name: string): LineSum {
    return this.#seen.get(name)?.sum ?? NO_LINES
  }

  rows({ table, seq, rows }: Chunk, text: Uint8Array): void {
    const before = this.#seen.get(table)
    if (before === undefined) throw new BackupError(`the backup is corrupt: table ${table} is not in its header`)
    const sum = sumLines(text)
    if (sum.rows !== rows)
      throw new BackupError(`the backup is corrupt: chunk ${seq} of ${table} has ${sum.rows} rows instead of ${rows}`)
    this.#seen.set(table, {
      sum: addSums(before.sum, sum),
      chunks: before.chunks + 1,
      octets: before.octets + text.length,
    })
    this.counter.add(sum.rows, text.length)
  }

  file(path: string, content: Uint8Array): void {
    this.#files.set(path, sha256(content))
  }

  /** Throws BackupError unless the end belongs to this backup and everything that it lists has been read. */
  end(end: BackupEnd): void {
    const { reader, header } = this
    if (end.id !== header.id) throw new BackupError('the backup is corrupt: its end belongs to another backup')
    if (end.members !== reader.members || end.digest !== reader.digest())
      throw new BackupError('the backup is corrupt: files are missing or were changed')
    for (const { name, chunks, octets, ...sum } of end.tables) {
      const seen = this.#seen.get(name)
      if (seen === undefined)
        throw new BackupError(`the backup is corrupt: its end lists table ${name}, which is not in its header`)
      if (!sameSum(sum, seen.sum) || chunks !== seen.chunks || octets !== seen.octets)
        throw new BackupError(`the backup is corrupt: the rows of ${name} do not match the checksum at its end`)
    }
    if (new Set(end.tables.map(({ name }) => name)).size !== this.#seen.size)
      throw new BackupError('the backup is corrupt: its end lacks tables')
    for (const { path, sha256: sum } of end.files) {
      if (this.#files.get(path) !== sum)
        throw new BackupError(`the backup is corrupt: ${path} does not match the checksum at its end`)
    }
  }
}
