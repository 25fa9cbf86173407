/**
 * The numbers in a PortList (RFC 4363 §5): the most significant bit of the first octet is port 1. Some vendors count
 * from 0: `first` is the number of that bit.
 */
export function portList(octets: Uint8Array | undefined, first = 1): readonly number[] {
  const ports: number[] = []
  for (const [at, octet] of octets?.entries() ?? []) {
    for (let bit = 0; bit < 8; bit++) if (octet & (0x80 >> bit)) ports.push(at * 8 + bit + first)
  }
  return ports
}

const decoder = new TextDecoder('latin1')

/** The numbers of a list in text, `513,4097`: Junos sends it where the MIB has a PortList. */
export function textPortList(octets: Uint8Array | undefined): readonly number[] {
  if (octets === undefined) return []
  return decoder
    .decode(octets)
    .split(',')
    .flatMap((part) => (/^\s*\d{1,9}\s*$/.test(part) ? [Number(part)] : []))
}

/** The names of a list with ranges in the last number, `1/0/1-3,1/0/9`. At most 4096 names. */
export function namedPortList(text: string | undefined): readonly string[] {
  const names: string[] = []
  for (const part of text?.split(',') ?? []) {
    const range = /^\s*(.*?)(\d{1,4})(?:-(\d{1,4}))?\s*$/.exec(part)
    if (range === null) continue
    const [, prefix = '', from = '', to = from] = range
    for (let n = Number(from); n <= Number(to) && names.length < 4096; n++) names.push(`${prefix}${n}`)
  }
  return names
}
