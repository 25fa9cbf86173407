import { deserialize, serialize } from 'bun:jsc'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

export interface PackOptions {
  /** Returns one copy of equal packed values. */
  readonly shared?: (octets: Uint8Array) => Uint8Array
  /** Returns a dictionary similar to the value, which is kept as long as the value; null: none is known. */
  readonly dictionary?: (octets: Uint8Array) => Uint8Array | null
}

/**
 * A value that is kept for long and read rarely, as compressed bytes outside the JavaScript heap: the rows of a
 * discovery take a tenth of their memory, or a fiftieth with those of a similar device as dictionary. Takes anything
 * that can be sent to another thread.
 */
export class CompressedValue<T> {
  private readonly octets: Uint8Array
  private readonly dictionary: Uint8Array | null

  constructor(value: T, { shared, dictionary }: PackOptions = {}) {
    const octets = new Uint8Array(serialize(value))
    this.dictionary = dictionary?.(octets) ?? null
    const packed =
      this.dictionary === null
        ? Bun.zstdCompressSync(octets, { level: 1 })
        : new Uint8Array(zstdCompressSync(octets, { dictionary: this.dictionary }))
    this.octets = shared === undefined ? packed : shared(packed)
  }

  /** A copy of the value. */
  value(): T {
    const { octets, dictionary } = this
    const plain =
      dictionary === null ? Bun.zstdDecompressSync(octets) : new Uint8Array(zstdDecompressSync(octets, { dictionary }))
    // the cast is safe: this is what the constructor was given
    return deserialize(plain) as T
  }

  /** Whether the other value is the same, with its members in the same order. */
  equals(other: CompressedValue<T>): boolean {
    if (this.dictionary !== other.dictionary) return Bun.deepEquals(this.value(), other.value())
    return this.octets === other.octets || Buffer.compare(this.octets, other.octets) === 0
  }

  /** Memory used without the dictionary, bytes. */
  get size(): number {
    return this.octets.byteLength
  }
}
