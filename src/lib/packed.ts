import { deserialize, serialize } from 'bun:jsc'

/**
 * A value kept for long and looked at rarely, as compressed octets outside of the heap of objects: rows of a discovery
 * take a tenth of their memory. Anything that can be sent to another thread.
 */
export class Packed<T> {
  private readonly octets: Uint8Array

  /** `shared`: returns one copy of octets that are alike. */
  constructor(value: T, shared: (octets: Uint8Array) => Uint8Array = (octets) => octets) {
    this.octets = shared(Bun.zstdCompressSync(new Uint8Array(serialize(value)), { level: 1 }))
  }

  /** A copy of the value. */
  value(): T {
    // what the constructor was given
    return deserialize(Bun.zstdDecompressSync(this.octets)) as T
  }

  /** Whether the other value is the same, member by member in the same order. */
  equals(other: Packed<T>): boolean {
    return this.octets === other.octets || Buffer.compare(this.octets, other.octets) === 0
  }

  /** Octets that it takes. */
  get size(): number {
    return this.octets.byteLength
  }
}
