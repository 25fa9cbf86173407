import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { BackupError } from './errors.ts'
import { BLOCK, END, entryHeader, GARBLED, padding, readEntry } from './tar.ts'

export const HEADER_FILE = 'header.json'
export const END_FILE = 'end.json'
/** Folder of files from the data folder. */
const FILES = 'files/'
const TABLES = 'tables/'
/**
 * Maximum compressed bytes of a file in a backup. Chunks have about 1 MiB; only manifests and very long rows have more.
 */
const MEMBER_MAX = 256 * 2 ** 20
/** Maximum bytes of a chunk as text, because a single row may be long. */
const CHUNK_MAX = 1024 * 2 ** 20
/** zstd's level: 3 is its default. */
const LEVEL = 3

const decompress = promisify(zstdDecompress)

/** Takes bytes in order; resolves when there is room for more. */
export type Sink = (octets: Uint8Array) => Promise<void>

/** Rows of one table in COPY's text format. */
export interface Chunk {
  /** `schema.table`. */
  readonly table: string
  /** Counts the chunks of a backup from 0. */
  readonly seq: number
  readonly rows: number
}

/** Writes a backup: a tar file of files that are each compressed with zstd. Calls may overlap. */
export class Writer {
  #last: Promise<void> = Promise.resolve()
  #members = 0
  #octets = 0
  readonly #digest = new Bun.CryptoHasher('sha256')
  readonly #sink: Sink
  readonly #mtimeS: number

  constructor(sink: Sink, made: Date) {
    this.#sink = sink
    this.#mtimeS = made.getTime() / 1000
  }

  /** Files written. */
  get members(): number {
    return this.#members
  }

  /** Bytes written. */
  get octets(): number {
    return this.#octets
  }

  async addJson(name: typeof HEADER_FILE | typeof END_FILE, value: unknown): Promise<void> {
    await this.#add(name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`))
  }

  async addChunk({ table, seq, rows }: Chunk, text: Uint8Array): Promise<void> {
    const packed = await Bun.zstdCompress(text, { level: LEVEL })
    const name = `${String(seq).padStart(8, '0')}-${rows}-${sha256(packed).slice(0, 32)}.copy.zst`
    await this.#add(`${TABLES}${table}/${name}`, packed)
  }

  /** A file of the data folder; `path` is relative to it. */
  async addFile(path: string, content: Uint8Array): Promise<void> {
    await this.#add(`${FILES}${path}.zst`, await Bun.zstdCompress(content, { level: LEVEL }))
  }

  /** The digest of everything so far. */
  async digest(): Promise<string> {
    await this.#last
    return this.#digest.copy().digest('hex')
  }

  /** Ends the tar file. */
  async end(): Promise<void> {
    await this.#last
    await this.#sink(END)
    this.#octets += END.length
  }

  #add(path: string, content: Uint8Array): Promise<void> {
    const write = async (): Promise<void> => {
      this.#digest.update(sha256(content))
      this.#members++
      const head = entryHeader({ path, octets: content.length }, this.#mtimeS)
      const fill = new Uint8Array(padding(content.length))
      await this.#sink(Buffer.concat([head, content, fill]))
      this.#octets += head.length + content.length + fill.length
    }
    this.#last = this.#last.then(write)
    return this.#last
  }
}

/** A file in a backup, its checksum verified if its name has one. `text` decompresses it. */
export type Member =
  | { readonly kind: 'header' | 'end'; readonly text: () => Promise<Buffer> }
  | ({ readonly kind: 'chunk'; readonly text: () => Promise<Buffer> } & Chunk)
  | { readonly kind: 'file'; readonly path: string; readonly text: () => Promise<Buffer> }

/** Reads a backup from start to end and counts what it has read. */
export class Reader {
  #members = 0
  #octets = 0
  #digest = new Bun.CryptoHasher('sha256')
  readonly #source: AsyncIterator<Uint8Array>
  #buffer: Uint8Array[] = []
  #buffered = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Files read, not counting `end`. */
  get members(): number {
    return this.#members
  }

  /** Bytes read. */
  get octets(): number {
    return this.#octets
  }

  digest(): string {
    return this.#digest.copy().digest('hex')
  }

  /** Its files in order, `end` last. Throws BackupError where the backup is corrupt or truncated. */
  async *read(): AsyncGenerator<Member> {
    for (;;) {
      const head = await this.#take(BLOCK)
      const entry = readEntry(head)
      if (entry === null) throw new BackupError(`the backup is incomplete: it ends without ${END_FILE}`)
      if (entry.octets > MEMBER_MAX) throw new BackupError(`the backup is corrupt: ${entry.path} is too large`)
      if (this.#members === 0 && entry.path !== HEADER_FILE) throw new BackupError(GARBLED)
      const content = await this.#take(entry.octets)
      await this.#take(padding(entry.octets))
      const member = memberOf(entry.path, content)
      if (member.kind !== 'end') {
        this.#digest.update(sha256(content))
        this.#members++
      }
      yield member
      if (member.kind === 'end') return
    }
  }

  /** Stops reading before the end of the source. */
  async close(): Promise<void> {
    await this.#source.return?.(undefined)
  }

  async #take(octets: number): Promise<Buffer> {
    while (this.#buffered < octets) {
      const { done, value } = await this.#source.next()
      if (done === true) {
        throw new BackupError(
          this.#octets + this.#buffered === 0
            ? 'the backup is empty'
            : 'the backup is truncated: it ends within a file',
        )
      }
      this.#buffer.push(value)
      this.#buffered += value.length
    }
    const all = this.#buffer.length === 1 ? (this.#buffer[0] ?? new Uint8Array()) : Buffer.concat(this.#buffer)
    const rest = all.subarray(octets)
    this.#buffer = rest.length === 0 ? [] : [rest]
    this.#buffered = rest.length
    this.#octets += octets
    return Buffer.from(all.buffer, all.byteOffset, octets)
  }
}

const CHUNK_NAME = /^tables\/([^/]+)\/(\d{8,})-(\d+)-([0-9a-f]{32})\.copy\.zst$/

function memberOf(path: string, content: Buffer): Member {
  if (path === HEADER_FILE || path === END_FILE)
    return { kind: path === HEADER_FILE ? 'header' : 'end', text: () => Promise.resolve(content) }
  const text = async (): Promise<Buffer> => {
    try {
      return await decompress(content, { maxOutputLength: CHUNK_MAX })
    } catch {
      throw new BackupError(`the backup is corrupt: ${path} cannot be decompressed`)
    }
  }
  const [, table, seq, rows, sum] = CHUNK_NAME.exec(path) ?? []
  if (table !== undefined) {
    if (sha256(content).slice(0, 32) !== sum)
      throw new BackupError(`the backup is corrupt: ${path} does not match the checksum in its name`)
    return { kind: 'chunk', table, seq: Number(seq), rows: Number(rows), text }
  }
  const file = path.startsWith(FILES) && path.endsWith('.zst') ? path.slice(FILES.length, -'.zst'.length) : null
  if (file === null) throw new BackupError(`the backup is corrupt: it has an unknown file ${path}`)
  return { kind: 'file', path: file, text }
}

/** SHA-256 in hexadecimal. */
export function sha256(content: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex')
}
