/** Bridge ports have 16-bit numbers (BRIDGE-MIB::dot1dBasePort), so the rest of a longer list stands for nothing. */
const MAX_OCTETS = 8192
/** Octets of the same list as pairs of hex digits. */
const MAX_HEX = 3 * MAX_OCTETS

/** The most ports that all lists of a device may name: 4,000 VLANs on 120 ports. */
const MAX_LISTED = 500_000

/** Counts the ports that the lists of a device name. An octet names up to eight, so a few lists can name millions. */
export interface PortCount {
  /** Reads like `read` until all lists together name too many ports, and then nothing. */
  limited<L, P>(read: (list: L | undefined) => readonly P[]): (list: L | undefined) => readonly P[]
  /** Like `limited`, for lists of bridge ports: only those that the bridge has are read and counted. */
  ofBridge<L>(read: (list: L | undefined) => readonly number[]): (list: L | undefined) => readonly number[]
  /** Lists were left out. */
  readonly isExceeded: boolean
}

/** `ports`: the bridge's, if it has a table of them; the lists of some agents go on with octets that are no ports. */
export function portCount(ports: ReadonlyMap<number, unknown> = new Map()): PortCount {
  let left = MAX_LISTED
  const limited: PortCount['limited'] = (read) => (list) => {
    const listed = left < 0 ? [] : read(list)
    left -= listed.length
    return left < 0 ? [] : listed
  }
  // a table that counts from 0 has the port before (see portOffset)
  const isPort = (port: number) => ports.size === 0 || ports.has(port) || ports.has(port - 1)
  return {
    limited,
    ofBridge: (read) => limited((list) => read(list).filter(isPort)),
    get isExceeded() {
      return left < 0
    },
  }
}

/**
 * The numbers in a PortList (RFC 4363 §5). The most significant bit of the first octet is port `first`: 1 according to
 * the RFC, 0 for some vendors.
 */
export function portList(octets: Uint8Array | undefined, first = 1): readonly number[] {
  const ports: number[] = []
  for (const [at, octet] of octets?.subarray(0, MAX_OCTETS).entries() ?? []) {
    for (let bit = 0; bit < 8; bit++) if (octet & (0x80 >> bit)) ports.push(at * 8 + bit + first)
  }
  return ports
}

/** Two or more pairs of hex digits with blanks between them, as no bit mask of real ports happens to be. */
const SPACED_PAIRS = /^\s*[0-9a-f]{2}(?:\s+[0-9a-f]{2})+\s*$/i
const HEX_TEXT = /^[0-9a-f\s]*$/i

/** Reads the lists of one table. */
export type PortListReader = (octets: Uint8Array | undefined) => readonly number[]

/**
 * The reader for the PortLists of one table. Some agents send each octet as two hex digits, `ff 80 00`, and an empty
 * list as `0`. A list is such text if all lists of the table are and one of them leaves no doubt: the octets of a bit
 * mask may look like a digit or two.
 */
export function portListReader(lists: Iterable<Uint8Array | undefined>): PortListReader {
  let sure = false
  for (const list of lists) {
    if (list === undefined || list.length === 0) continue
    const sent = decoder.decode(list.subarray(0, MAX_HEX))
    if (!HEX_TEXT.test(sent)) return (octets) => portList(octets)
    sure ||= SPACED_PAIRS.test(sent)
  }
  return (octets) => portList(sure ? hexOctets(octets) : octets)
}

/** The octets that the text stands for; none if the number of its digits is odd, as in `0`. */
function hexOctets(octets: Uint8Array | undefined): Uint8Array | undefined {
  const digits = octets === undefined ? '' : decoder.decode(octets.subarray(0, MAX_HEX)).replaceAll(/\s+/g, '')
  return digits.length % 2 === 0 ? Uint8Array.fromHex(digits) : undefined
}

const decoder = new TextDecoder('latin1')

/** The numbers in a text list, `513,4097`, which Junos sends instead of a PortList. */
export function textPortList(octets: Uint8Array | undefined): readonly number[] {
  if (octets === undefined) return []
  return decoder
    .decode(octets)
    .split(',')
    .flatMap((part) => (/^\s*\d{1,9}\s*$/.test(part) ? [Number(part)] : []))
}

/** The names in a list with ranges in the last number, `1/0/1-3,1/0/9`. Limited to 4096 names. */
export function namedPortList(text: string | undefined): readonly string[] {
  const names: string[] = []
  for (const part of text?.split(',') ?? []) {
    const range = /^(.*?)(\d{1,4})(?:-(\d{1,4}))?$/.exec(part.trim())
    if (range === null) continue
    const [, prefix = '', from = '', to = from] = range
    for (let n = Number(from); n <= Number(to) && names.length < 4096; n++) names.push(`${prefix}${n}`)
  }
  return names
}
