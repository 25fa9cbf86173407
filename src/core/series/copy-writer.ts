/** Signature, flags, and length of the header extension. */
export const COPY_HEADER = new Uint8Array([
  0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0,
])
/** Epoch of PostgreSQL's timestamps, 2000-01-01. */
export const EPOCH_MS = 946_684_800_000
const TWO_32 = 2 ** 32

/** Types of the elements of arrays: their OIDs, and their octets (those of a text vary). */
const ELEMENTS = {
  smallint: { oid: 21, octets: 2 },
  int: { oid: 23, octets: 4 },
  bigint: { oid: 20, octets: 8 },
  real: { oid: 700, octets: 4 },
  float8: { oid: 701, octets: 8 },
} as const

export type ElementType = keyof typeof ELEMENTS
const TEXT_OID = 25

/** Writes rows in PostgreSQL's binary COPY format (documentation of COPY, "Binary Format"), field by field. */
export class CopyWriter {
  private bytes = new Uint8Array(64 * 1024)
  private view = new DataView(this.bytes.buffer)
  private at = COPY_HEADER.length

  constructor() {
    this.bytes.set(COPY_HEADER)
  }

  row(fields: number): void {
    this.reserve(2)
    this.view.setInt16(this.at, fields)
    this.at += 2
  }

  none(): void {
    this.reserve(4)
    this.length(-1)
  }

  smallint(value: number): void {
    this.reserve(6)
    this.length(2)
    this.view.setInt16(this.at, value)
    this.at += 2
  }

  int(value: number): void {
    this.reserve(8)
    this.length(4)
    this.view.setInt32(this.at, value)
    this.at += 4
  }

  /** A safe integer. */
  bigint(value: number): void {
    this.reserve(12)
    this.length(8)
    this.long(value)
  }

  /** Epoch ms. */
  instant(ms: number): void {
    this.bigint(Math.round((ms - EPOCH_MS) * 1000))
  }

  /** An array of the first `count` values, which the type can hold; NaN: NULL. */
  array(type: ElementType, values: ArrayLike<number>, count: number): void {
    const { oid, octets } = ELEMENTS[type]
    this.reserve(24 + count * (4 + octets))
    const start = this.head(oid, count)
    for (let i = 0; i < count; i++) {
      const value = values[i] as number
      if (Number.isNaN(value)) {
        this.length(-1)
        continue
      }
      this.length(octets)
      if (type === 'bigint') this.long(value)
      else {
        if (type === 'smallint') this.view.setInt16(this.at, value)
        else if (type === 'int') this.view.setInt32(this.at, value)
        else if (type === 'real') this.view.setFloat32(this.at, value)
        else this.view.setFloat64(this.at, value)
        this.at += octets
      }
    }
    this.view.setInt32(start, this.at - start - 4)
  }

  /** An array of texts in ASCII. */
  texts(values: readonly (string | null)[]): void {
    this.reserve(24 + values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 0))
    const start = this.head(TEXT_OID, values.length)
    for (const value of values) {
      this.length(value === null ? -1 : value.length)
      for (let i = 0; value !== null && i < value.length; i++) this.bytes[this.at++] = value.charCodeAt(i)
    }
    this.view.setInt32(start, this.at - start - 4)
  }

  /** What was written, with its end mark. */
  end(): Uint8Array {
    this.reserve(2)
    this.view.setInt16(this.at, -1)
    return this.bytes.subarray(0, this.at + 2)
  }

  /** Dimensions, flags, type, length and lower bound before an array's elements. Returns where its octets are counted. */
  private head(oid: number, count: number): number {
    const start = this.at
    this.view.setInt32(start + 4, 1)
    this.view.setInt32(start + 8, 1)
    this.view.setInt32(start + 12, oid)
    this.view.setInt32(start + 16, count)
    this.view.setInt32(start + 20, 1)
    this.at = start + 24
    return start
  }

  private length(octets: number): void {
    this.view.setInt32(this.at, octets)
    this.at += 4
  }

  private long(value: number): void {
    this.view.setInt32(this.at, Math.floor(value / TWO_32))
    this.view.setUint32(this.at + 4, value >>> 0)
    this.at += 8
  }

  private reserve(octets: number): void {
    if (this.at + octets <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.at + octets))
    larger.set(this.bytes.subarray(0, this.at))
    this.bytes = larger
    this.view = new DataView(larger.buffer)
  }
}
