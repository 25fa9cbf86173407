import { CellCursor, CellStore, type Cells, IndexTexts } from './cells.ts'
import type { SnmpValue } from './value.ts'

/** TypeScript type of each column syntax in a row. */
export interface SyntaxTypes {
  /** INTEGER, Integer32, Unsigned32, Gauge32, TimeTicks, Counter32: a number. */
  readonly Integer: number
  /** Counter64: exact. */
  readonly Counter64: bigint
  /** DisplayString, SnmpAdminString: cleaned text (UTF-8 or Latin-1, no NUL, no control characters, trimmed). */
  readonly DisplayString: string
  /** OCTET STRING as received. */
  readonly OctetString: Uint8Array
  /** PhysAddress, MacAddress: lower-case hex digits without separators; '' when empty. */
  readonly PhysAddress: string
  /** OBJECT IDENTIFIER, dotted decimal without a leading dot. */
  readonly Oid: string
  /** IpAddress, dotted quad. */
  readonly IpAddress: string
  /** IpAddress that is a network mask, dotted quad; '' for a value that is no address, unlike a missing one. */
  readonly Mask: string
  /** The value as received, for readers that interpret it later. */
  readonly Value: SnmpValue
}
export type Syntax = keyof SyntaxTypes

export interface Column<S extends Syntax = Syntax> {
  /** Sub-identifier of the column below the entry. */
  readonly id: number
  readonly syntax: S
}

/** A conceptual table: `entry` is the OID of its entry (…Entry), dotted decimal. */
export interface MibTable<C extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>> {
  readonly name: string
  readonly entry: string
  readonly columns: C
}

/** A scalar object; `oid` includes the instance `.0`. */
export interface MibScalar<S extends Syntax = Syntax> {
  readonly name: string
  readonly oid: string
  readonly syntax: S
}

/** A row: every column is optional, because agents omit columns and single cells. */
export type Row<T extends MibTable> = {
  readonly [K in keyof T['columns']]?: SyntaxTypes[T['columns'][K]['syntax']] | undefined
}

/** Rows by index suffix (dotted decimal, for example `1` or `4.10.0.0.1`). */
export type Rows<T extends MibTable> = ReadonlyMap<string, Row<T>>

export function mibTable<const C extends Readonly<Record<string, Column>>>(
  name: string,
  entry: string,
  columns: C,
): MibTable<C> {
  return { name, entry, columns }
}

export function col<const S extends Syntax>(id: number, syntax: S): Column<S> {
  return { id, syntax }
}

export function scalar<const S extends Syntax>(name: string, oid: string, syntax: S): MibScalar<S> {
  return { name, oid, syntax }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const latin1 = new TextDecoder('latin1')

/**
 * Longer texts are truncated. DisplayString and SnmpAdminString have at most 255 octets; lists of ports as text are
 * longer.
 */
const MAX_TEXT = 8192

/**
 * Text of an OCTET STRING: UTF-8 if valid, else Latin-1, trimmed and without control characters. At most 8,192
 * characters.
 */
export function octetText(bytes: Uint8Array): string {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    text = latin1.decode(bytes)
  }
  if (text.length > MAX_TEXT) text = text.slice(0, MAX_TEXT)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: agents pad with NUL and send control characters
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim()
}

function hex(bytes: Uint8Array): string {
  return bytes.toHex()
}

/**
 * The value in the syntax, or `undefined` for an exception or a value that cannot be converted. Accepts what agents are
 * known to send: numbers as text, text as numbers, MAC addresses as text.
 */
export function readAs<S extends Syntax>(value: SnmpValue, syntax: S): SyntaxTypes[S] | undefined {
  return read(value, syntax) as SyntaxTypes[S] | undefined
}

function read(value: SnmpValue, syntax: Syntax): SyntaxTypes[Syntax] | undefined {
  if (syntax === 'Value') return hasValue(value) ? value : undefined
  if (syntax === 'Mask') return value.kind === 'Null' || hasValue(value) ? (read(value, 'IpAddress') ?? '') : undefined
  switch (value.kind) {
    case 'Integer32':
    case 'Counter32':
    case 'Gauge32':
    case 'TimeTicks':
    case 'OpaqueFloat':
    case 'OpaqueDouble':
      // a float can be infinite or no number
      if (syntax === 'Integer') return Number.isFinite(value.value) ? value.value : undefined
      if (syntax === 'Counter64')
        return Number.isInteger(value.value) && value.value >= 0 ? BigInt(value.value) : undefined
      if (syntax === 'DisplayString') return String(value.value)
      return undefined
    case 'Counter64':
      if (syntax === 'Counter64') return value.value
      if (syntax === 'Integer') return Number(value.value)
      if (syntax === 'DisplayString') return String(value.value)
      return undefined
    case 'OctetString':
    case 'Opaque':
      return readOctets(value.value, syntax)
    case 'ObjectIdentifier':
      return syntax === 'Oid' || syntax === 'DisplayString' ? value.value : undefined
    case 'IpAddress':
      return syntax === 'IpAddress' || syntax === 'DisplayString' ? value.value : undefined
    default:
      return undefined
  }
}

function hasValue({ kind }: SnmpValue): boolean {
  return kind !== 'Null' && kind !== 'noSuchObject' && kind !== 'noSuchInstance' && kind !== 'endOfMibView'
}

function readOctets(bytes: Uint8Array, syntax: Syntax): SyntaxTypes[Syntax] | undefined {
  switch (syntax) {
    case 'OctetString':
      return bytes
    case 'DisplayString':
      return octetText(bytes)
    case 'PhysAddress':
      return physAddress(bytes)
    case 'IpAddress':
      return bytes.length === 4 ? bytes.join('.') : undefined
    case 'Integer': {
      const text = octetText(bytes)
      const number = text === '' ? Number.NaN : Number(text)
      return Number.isFinite(number) ? number : undefined
    }
    case 'Counter64': {
      const text = octetText(bytes)
      return /^\d{1,20}$/.test(text) ? BigInt(text) : undefined
    }
    default:
      return undefined
  }
}

/** Some agents send `0:1a:2b:3c:4d:5e` as text instead of six octets. */
function physAddress(bytes: Uint8Array): string {
  if (bytes.length >= 11 && bytes.length <= 17) {
    const parts = latin1.decode(bytes).split(/[:-]/)
    if (parts.length === 6 && parts.every((p) => /^[0-9a-f]{1,2}$/i.test(p))) {
      return parts.map((p) => p.toLowerCase().padStart(2, '0')).join('')
    }
  }
  return hex(bytes)
}

/** Called for a cell that cannot be read in the syntax of its column. */
export type Unreadable = (column: string, index: string, value: SnmpValue) => void

/**
 * Assembles rows from walked columns, in the order of their indexes. A cell that cannot be read in its syntax is left
 * out, and `unreadable` is called.
 */
export function assembleRows<T extends MibTable>(
  table: T,
  cells: ReadonlyMap<keyof T['columns'] & string, Cells>,
  unreadable: Unreadable = () => undefined,
): Map<string, Row<T>> {
  const rows = new Map<string, Record<string, unknown>>()
  let texts: IndexTexts | null = null
  let columns = 0
  // a column adds rows after those of the columns before it, wherever they belong
  let isOrdered = true
  for (const [name, byIndex] of cells) {
    const column = table.columns[name]
    if (column === undefined) continue
    columns++
    const take = (index: string, value: SnmpValue): void => {
      const read = readAs(value, column.syntax)
      if (read === undefined) {
        unreadable(name, index, value)
        return
      }
      let row = rows.get(index)
      if (row === undefined) {
        row = {}
        rows.set(index, row)
        isOrdered &&= columns === 1
      }
      row[name] = read
    }
    if (byIndex instanceof CellStore) {
      texts ??= new IndexTexts(byIndex)
      texts.rewind()
      const cursor = new CellCursor(byIndex)
      while (cursor.next()) take(texts.of(cursor), cursor.value())
    } else for (const [index, value] of byIndex) take(index, value)
  }
  return (isOrdered ? rows : inIndexOrder(rows)) as Map<string, Row<T>>
}

/** The rows in the order of their indexes. */
function inIndexOrder<R>(rows: ReadonlyMap<string, R>): Map<string, R> {
  const keyed = [...rows].map((entry) => ({ entry, ids: entry[0].split('.').map(Number) }))
  keyed.sort((a, b) => compareIds(a.ids, b.ids))
  return new Map(keyed.map(({ entry }) => entry))
}

/** Order of indexes and OIDs, given as their sub-identifiers. */
export function compareIds(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
