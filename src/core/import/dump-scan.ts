import { readSync } from 'node:fs'

/** Part of a dump with rows of a table: `from` is the start of its first row, `to` the end of the statement. */
export interface Insert {
  readonly table: string
  /** null: all columns, in the table's order. */
  readonly columns: readonly string[] | null
  readonly from: number
  readonly to: number
}

export interface Scanned {
  /** Column types by table, in order. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly inserts: readonly Insert[]
  /** The dump has its final line. */
  readonly complete: boolean
  /** TIMESTAMP values are in UTC. */
  readonly utc: boolean
  /** A backslash in a string is an ordinary character. */
  readonly plainBackslash: boolean
  /** Character set of the texts, as MySQL calls it. */
  readonly charset: string
}

const CHUNK_OCTETS = 4_194_304
/** Bytes kept of a statement; table definitions are shorter. */
const HEAD_OCTETS = 131_072

const [QUOTE, DOUBLE, TICK, BACKSLASH, SEMICOLON, NEWLINE, DASH, HASH, SLASH, STAR, SPACE] = [
  39, 34, 96, 92, 59, 10, 45, 35, 47, 42, 32,
]

/** Finds the table definitions and rows in a dump, in one pass and constant memory. */
export function scanDump(fd: number, size: number): Scanned {
  const found = new Findings()
  const chunk = new Uint8Array(CHUNK_OCTETS)
  // What the next byte is inside of. 0: nothing; a quote character: a string that ends with it; NEWLINE: a comment to
  // the end of the line; STAR: a comment that ends with */.
  let within = 0
  let escaped = false
  let before = 0
  let lineStart = true
  for (let at = 0; at < size; ) {
    const read = readSync(fd, chunk, 0, CHUNK_OCTETS, at)
    if (read === 0) break
    for (let i = 0; i < read; i++) {
      const octet = chunk[i] as number
      if (within === QUOTE || within === DOUBLE || within === TICK) {
        if (escaped) escaped = false
        else if (octet === BACKSLASH && within !== TICK && !found.plainBackslash) escaped = true
        else if (octet === within) within = 0
        found.keep(octet)
      } else if (within === NEWLINE) {
        if (octet === NEWLINE) {
          within = 0
          lineStart = true
          found.endComment()
        } else found.comment(octet)
      } else if (within === STAR) {
        if (octet === SLASH && before === STAR) {
          within = 0
          found.endComment()
        } else found.comment(octet)
      } else if (octet === QUOTE || octet === DOUBLE || octet === TICK) {
        within = octet
        found.begin(at + i)
        found.keep(octet)
      } else if (octet === STAR && before === SLASH) {
        within = STAR
        found.unkeep()
      } else if ((octet === HASH || (octet === DASH && before === DASH)) && (lineStart || found.between)) {
        within = NEWLINE
        found.unkeep()
      } else if (octet === SEMICOLON) {
        found.end(at + i)
      } else {
        if (octet > SPACE) found.begin(at + i)
        found.keep(octet)
        if (octet === NEWLINE) lineStart = true
        else if (octet !== DASH) lineStart = false
      }
      before = within === STAR && before === SLASH && octet === STAR ? 0 : octet
    }
    at += read
  }
  found.endComment()
  return found
}

class Findings implements Scanned {
  readonly tables = new Map<string, Map<string, string>>()
  readonly inserts: Insert[] = []
  complete = false
  utc = false
  plainBackslash = false
  charset = 'utf8mb4'
  /** True while no statement has begun. */
  between = true
  private start = 0
  private readonly head = new Uint8Array(HEAD_OCTETS)
  private kept = 0
  private readonly remark = new Uint8Array(1024)
  private remarked = 0

  begin(at: number): void {
    if (!this.between) return
    this.between = false
    this.start = at
    this.kept = 0
  }

  keep(octet: number): void {
    if (!this.between && this.kept < HEAD_OCTETS) this.head[this.kept++] = octet
  }

  /** Drops the previous byte, which was the start of a comment. */
  unkeep(): void {
    if (this.between) return
    this.kept = Math.max(0, this.kept - 1)
    if (this.kept === 0) this.between = true
  }

  comment(octet: number): void {
    if (this.remarked < this.remark.length) this.remark[this.remarked++] = octet
  }

  endComment(): void {
    const text = new TextDecoder('latin1').decode(this.remark.subarray(0, this.remarked))
    this.remarked = 0
    if (/^\s*Dump completed/.test(text)) this.complete = true
    if (/TIME_ZONE\s*=\s*'\+00:00'/i.test(text)) this.utc = true
    this.names(text)
    if (/SQL_MODE\s*=\s*'[^']*NO_BACKSLASH_ESCAPES/i.test(text)) this.plainBackslash = true
  }

  /** The character set of a statement `SET NAMES latin1`; the dump begins with it. */
  private names(text: string): void {
    const charset = /\bSET\s+NAMES\s+'?(\w+)/i.exec(text)?.[1]
    if (charset !== undefined && this.inserts.length === 0) this.charset = charset.toLowerCase()
  }

  end(to: number): void {
    if (this.between) return
    this.between = true
    const text = new TextDecoder('latin1').decode(this.head.subarray(0, Math.min(this.kept, 8192)))
    if (/^SET\b/i.test(text)) this.names(text)
    const insert = /^(?:INSERT|REPLACE)\s+(?:IGNORE\s+)?INTO\s+`([^`]+)`\s*(?:\(([^)]*)\)\s*)?VALUES\s*/i.exec(text)
    if (insert !== null) {
      const columns =
        insert[2] === undefined ? null : [...insert[2].matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
      this.inserts.push({ table: insert[1] ?? '', columns, from: this.start, to })
      return
    }
    const table = /^CREATE TABLE\s+(?:IF NOT EXISTS\s+)?`([^`]+)`/i.exec(text)?.[1]
    if (table === undefined) return
    const columns = new Map<string, string>()
    const whole = new TextDecoder().decode(this.head.subarray(0, this.kept))
    for (const [, name = '', type = ''] of whole.matchAll(/^\s+`([^`]+)`\s+([a-z]+)/gim))
      columns.set(name, type.toLowerCase())
    this.tables.set(table, columns)
  }
}
