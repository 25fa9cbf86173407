import { BackupError } from './errors.ts'
import type { ArchivedSequence, ArchivedTable, SchemaState } from './read-catalogue.ts'

/** Number of the format that docs/how-to/backup.md describes. */
export const FORMAT = 2
/** Formats that can be read. The first had no packed rows. */
const READABLE: readonly unknown[] = [1, FORMAT]

/** The first file of a backup, `header.json`: what will follow, as the snapshot shows it. */
export interface BackupHeader {
  readonly format: 1 | typeof FORMAT
  /** Identifies this backup; its end has the same id. */
  readonly id: string
  /** Version of the program. */
  readonly program: string
  /** ISO time of the snapshot, which contains what was committed until then. */
  readonly made: string
  readonly schema: SchemaState
  /** In the order of the file: tables of the inventory, then those of schema `ts`, at last those of packed rows. */
  readonly tables: readonly ArchivedTable[]
  readonly sequences: readonly ArchivedSequence[]
}

/** Number, size and checksum of a table's rows, independent of their order. */
export interface TableSum {
  readonly name: string
  readonly rows: number
  readonly a: number
  readonly b: number
  readonly chunks: number
  /** As text, uncompressed. */
  readonly octets: number
}

/** A file of the data folder. */
export interface FileSum {
  /** Below the data folder. */
  readonly path: string
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string
}

/** The last file of a backup, `end.json`. Without it the backup is not complete. */
export interface BackupEnd {
  readonly format: 1 | typeof FORMAT
  readonly id: string
  /** Number of files before this one. */
  readonly members: number
  /** SHA-256 of the SHA-256 of each of these files, in order. */
  readonly digest: string
  readonly tables: readonly TableSum[]
  readonly files: readonly FileSum[]
}

/** Reads `header.json`. Throws BackupError for another format, and for anything that is not a header. */
export function parseHeader(text: string): BackupHeader {
  const value = parse(text, 'header.json')
  if (!READABLE.includes(value['format'])) {
    throw new BackupError(
      `the backup has format ${String(value['format'])}, this program reads ${READABLE.join(' and ')}: use the version that made it or a newer one`,
    )
  }
  const schema = value['schema']
  if (
    typeof value['id'] !== 'string' ||
    typeof value['program'] !== 'string' ||
    typeof value['made'] !== 'string' ||
    !isRecord(schema) ||
    typeof schema['mode'] !== 'string' ||
    typeof schema['server'] !== 'string' ||
    !isList(schema['migrations'], (m) => Number.isInteger(m['number']) && texts(m, 'name', 'checksum')) ||
    !isList(value['tables'], isTable) ||
    !isList(value['sequences'], isSequence)
  ) {
    throw new BackupError('the backup is corrupt: its header.json lacks parts')
  }
  const header = value as unknown as BackupHeader
  return { ...header, tables: header.tables.map((table) => ({ ...table, packs: table.packs ?? null })) }
}

/** Reads `end.json`. Throws BackupError for anything else. */
export function parseEnd(text: string): BackupEnd {
  const value = parse(text, 'end.json')
  if (
    !READABLE.includes(value['format']) ||
    typeof value['id'] !== 'string' ||
    !Number.isInteger(value['members']) ||
    typeof value['digest'] !== 'string' ||
    !isList(value['tables'], (t) => texts(t, 'name') && numbers(t, 'rows', 'a', 'b', 'chunks', 'octets')) ||
    !isList(value['files'], (f) => texts(f, 'path', 'sha256'))
  ) {
    throw new BackupError('the backup is corrupt: its end.json lacks parts')
  }
  return value as unknown as BackupEnd
}

type Json = Readonly<Record<string, unknown>>

function parse(text: string, file: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // reported below
  }
  throw new BackupError(`the backup is corrupt: ${file} cannot be read`)
}

function isTable(value: Json): boolean {
  return (
    texts(value, 'schema', 'table') &&
    Number.isFinite(value['estimate']) &&
    isList(value['columns'], (c) => texts(c, 'name', 'type')) &&
    isList(value['parts'], (p) => texts(p, 'from', 'to')) &&
    (value['packs'] === undefined || value['packs'] === null || typeof value['packs'] === 'string') &&
    (value['time'] === null || typeof value['time'] === 'string')
  )
}

function isSequence(value: Json): boolean {
  const owner = value['column'] === null || typeof value['column'] === 'string'
  return texts(value, 'schema', 'name', 'last') && owner && typeof value['called'] === 'boolean'
}

function texts(value: Json, ...names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string')
}

function numbers(value: Json, ...names: readonly string[]): boolean {
  return names.every((name) => Number.isSafeInteger(value[name]))
}

function isList(value: unknown, fits: (item: Json) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isRecord(item) && fits(item))
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
