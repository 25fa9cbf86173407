import { DNS_RECORDS, type DnsRecord } from '../../probe.ts'

/** A response to a query (RFC 1035 section 4.1). */
export interface DnsAnswer {
  readonly code: number
  readonly authoritative: boolean
  readonly truncated: boolean
  /** Records of the requested type, as text: addresses, names without the trailing dot, `10 mail.example.net`. */
  readonly records: readonly string[]
}

const MAX_RECORDS = 100
/** Maximum number of pointers in a compressed name. */
const MAX_POINTERS = 32

/** A query with recursion desired. */
export function encodeQuery(id: number, name: string, record: DnsRecord): Uint8Array {
  const labels = name
    .replace(/\.$/, '')
    .split('.')
    .map((label) => Buffer.from(label, 'latin1'))
  const octets = Buffer.alloc(12 + labels.reduce((sum, label) => sum + label.length + 1, 1) + 4)
  octets.writeUInt16BE(id, 0)
  octets.writeUInt16BE(0x0100, 2)
  octets.writeUInt16BE(1, 4)
  let at = 12
  for (const label of labels) {
    octets[at] = label.length
    label.copy(octets, at + 1)
    at += label.length + 1
  }
  octets.writeUInt16BE(DNS_RECORDS[record], at + 1)
  octets.writeUInt16BE(1, at + 3)
  return octets
}

/** Null if the message is not a response to this query, or malformed. */
export function decodeAnswer(message: Uint8Array, query: Uint8Array, record: DnsRecord): DnsAnswer | null {
  const octets = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
  if (octets.length < 12 || octets.readUInt16BE(0) !== ((query[0] ?? 0) << 8) + (query[1] ?? 0)) return null
  const flags = octets.readUInt16BE(2)
  if ((flags & 0x8000) === 0) return null
  const head = { code: flags & 15, authoritative: (flags & 0x0400) !== 0, truncated: (flags & 0x0200) !== 0 }
  try {
    const questions = octets.readUInt16BE(4)
    // some servers omit the question in an error response
    if (questions === 0 && head.code !== 0) return { ...head, records: [] }
    const question = Buffer.from(query.buffer, query.byteOffset + 12, query.length - 12)
    const asked = octets.subarray(12, 12 + question.length)
    if (questions !== 1 || asked.toString('latin1').toLowerCase() !== question.toString('latin1').toLowerCase())
      return null
    let at = 12 + question.length
    const records: string[] = []
    const count = Math.min(octets.readUInt16BE(6), MAX_RECORDS)
    for (let i = 0; i < count; i++) {
      at = readName(octets, at).end
      const type = octets.readUInt16BE(at)
      const length = octets.readUInt16BE(at + 8)
      const from = at + 10
      at = from + length
      if (at > octets.length) return null
      if (type === DNS_RECORDS[record]) records.push(DATA[record](octets, from, length))
    }
    return { ...head, records }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

type Decode = (octets: Buffer, from: number, length: number) => string

const name: Decode = (octets, from) => readName(octets, from).name

const DATA: Readonly<Record<DnsRecord, Decode>> = {
  A: (octets, from, length) => (length === 4 ? [...octets.subarray(from, from + 4)].join('.') : ''),
  AAAA: (octets, from, length) => {
    if (length !== 16) return ''
    const groups = Array.from({ length: 8 }, (_, i) => octets.readUInt16BE(from + 2 * i).toString(16))
    return URL.parse(`http://[${groups.join(':')}]/`)?.hostname.slice(1, -1) ?? ''
  },
  NS: name,
  CNAME: name,
  PTR: name,
  SOA: name,
  MX: (octets, from) => `${octets.readUInt16BE(from)} ${readName(octets, from + 2).name}`,
  TXT: (octets, from, length) => {
    const parts: string[] = []
    for (let at = from; at < from + length; at += (octets[at] ?? 0) + 1) {
      parts.push(octets.toString('utf8', at + 1, Math.min(from + length, at + 1 + (octets[at] ?? 0))))
    }
    return parts.join('')
  },
}

/** Reads a name that may be compressed (section 4.1.4). Throws RangeError if it is malformed or does not end. */
function readName(octets: Buffer, from: number): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = from
  let end = -1
  let pointers = 0
  let size = 0
  for (;;) {
    const length = octets.readUInt8(at)
    if ((length & 0xc0) === 0xc0) {
      if (end < 0) end = at + 2
      if (++pointers > MAX_POINTERS) throw new RangeError('name with too many pointers')
      at = octets.readUInt16BE(at) & 0x3fff
      continue
    }
    if (length === 0) return { name: labels.join('.').toLowerCase(), end: end < 0 ? at + 1 : end }
    size += length + 1
    if (length > 63 || size > 255 || at + 1 + length > octets.length) throw new RangeError('damaged name')
    labels.push(octets.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
}
