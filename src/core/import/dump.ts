import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { readerOf, type TextReader } from './charset.ts'
import { Clock } from './clock.ts'
import { tuplesOf } from './dump-rows.ts'
import { type Insert, type Scanned, scanDump } from './dump-scan.ts'
import { type Cell, type Row, type RowOptions, type Source, SourceError } from './source.ts'

const AT_ONCE = 2000
const BINARY = /^(?:var)?binary$|blob$/

/**
 * Opens a dump from mysqldump or mariadb-dump, also compressed (.gz, .zst) or from standard input (`-`). `zone`: the
 * time zone of a dump with times in the server's local time. Throws SourceError: no such file, not a dump, or
 * truncated.
 */
export async function openDump(file: string, zone: string | null): Promise<Source> {
  const plain = await unpacked(file)
  const fd = openSync(plain.path, 'r')
  const close = async (): Promise<void> => {
    closeSync(fd)
    plain.remove()
  }
  try {
    const scanned = scanDump(fd, fstatSync(fd).size)
    const read = readerOf(file, scanned.charset)
    check(file, scanned)
    const local = scanned.utc ? null : new Clock(zone ?? missingZone(file))
    return {
      name: basename(file),
      tables: new Map([...scanned.tables].map(([table, columns]) => [table, [...columns.keys()]])),
      zone: null,
      rows: (table, options) => rowsOf(fd, scanned, { local, read }, table, options),
      verify: (tables) => verify(fd, scanned, read, tables),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function missingZone(file: string): never {
  throw new SourceError(
    `${file} has times in the server's time zone: add --timezone, for example --timezone Europe/Berlin`,
  )
}

function check(file: string, { tables, inserts, complete }: Scanned): void {
  if (tables.size === 0)
    throw new SourceError(`${file} is not a dump from mysqldump or mariadb-dump: it defines no tables`)
  if (!complete) throw new SourceError(`${file} is truncated: it lacks the last line "-- Dump completed"`)
  const orphan = inserts.find(({ table }) => !tables.has(table))
  if (orphan !== undefined)
    throw new SourceError(`the dump is damaged: it has rows for table ${orphan.table} but does not define it`)
}

async function unpacked(file: string): Promise<{ readonly path: string; remove(): void }> {
  const unpack = file.endsWith('.gz') ? createGunzip() : file.endsWith('.zst') ? createZstdDecompress() : null
  if (file !== '-' && statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new SourceError(`--dump: file ${file} does not exist`)
  if (unpack === null && file !== '-') return { path: file, remove: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'portlight-dump-'))
  const path = join(folder, 'dump.sql')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const input = file === '-' ? Readable.fromWeb(Bun.stdin.stream() as never) : createReadStream(file)
  const output = createWriteStream(path, { mode: 0o600 })
  try {
    await (unpack === null ? pipeline(input, output) : pipeline(input, unpack, output))
    return { path, remove }
  } catch (error) {
    remove()
    throw new SourceError(`${file} cannot be decompressed: ${(error as Error).message}`)
  }
}

async function* rowsOf(
  fd: number,
  scanned: Scanned,
  { local, read }: { readonly local: Clock | null; readonly read: TextReader },
  table: string,
  { columns: wanted, orderBy, after }: RowOptions = {},
): AsyncGenerator<readonly Row[]> {
  const types = scanned.tables.get(table)
  if (types === undefined) return
  let rows: Row[] = []
  for (const insert of scanned.inserts) {
    if (insert.table !== table) continue
    const names = namesOf(insert, scanned)
    const kinds = names.map((name) => types.get(name) ?? '')
    for (const cells of tuples(fd, insert, scanned, read)) {
      const row: Record<string, Cell> = {}
      names.forEach((name, i) => {
        if (wanted?.includes(name) === false && name !== orderBy) return
        const cell = cells[i] ?? null
        row[name] = local !== null && kinds[i] === 'timestamp' && typeof cell === 'string' ? utcText(cell, local) : cell
      })
      if (orderBy !== undefined && after !== undefined && !(Number(row[orderBy]) > after)) continue
      rows.push(row)
      if (rows.length < AT_ONCE) continue
      yield rows
      rows = []
    }
  }
  if (rows.length > 0) yield rows
}

async function verify(fd: number, scanned: Scanned, read: TextReader, tables: readonly string[]): Promise<void> {
  for (const insert of scanned.inserts) {
    if (!tables.includes(insert.table)) continue
    let rows = 0
    for (const _ of tuples(fd, insert, scanned, read)) if (++rows % AT_ONCE === 0) await Bun.sleep(0)
  }
}

function namesOf({ table, columns }: Insert, { tables }: Scanned): readonly string[] {
  return columns ?? [...(tables.get(table)?.keys() ?? [])]
}

/** The rows of a statement. Throws SourceError if they cannot be read, or have more or fewer values than columns. */
function* tuples(fd: number, insert: Insert, scanned: Scanned, read: TextReader): Generator<Cell[]> {
  const { table, from, to } = insert
  const names = namesOf(insert, scanned)
  const binary = names.map((name) => BINARY.test(scanned.tables.get(table)?.get(name) ?? ''))
  try {
    for (const cells of tuplesOf({ fd, from, to, plainBackslash: scanned.plainBackslash, binary, read })) {
      if (cells.length !== names.length)
        throw new RangeError(`a row has ${cells.length} values for ${names.length} columns`)
      yield cells
    }
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
    throw new SourceError(`the dump is damaged in table ${table}: ${error.message}`)
  }
}

/** A local time as UTC text; one that means "never" is unchanged. */
function utcText(text: string, clock: Clock): string {
  const ms = clock.instant(text)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}
