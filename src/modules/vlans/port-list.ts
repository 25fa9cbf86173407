/**
 * The numbers in a PortList (RFC 4363 §5). The most significant bit of the first octet is port `first`: 1 according to
 * the RFC, 0 for some vendors.
 */
export function portList(octets: Uint8Array | undefined, first = 1): readonly number[] {
  const ports: number[] = []
  for (const [at, octet] of octets?.entries() ?? []) {
    for (let bit = 0; bit < 8; bit++) if (octet & (0x80 >> bit)) ports.push(at * 8 + bit + first)
  }
  return ports
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
