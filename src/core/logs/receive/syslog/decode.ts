/** Maximum size of a message in octets; longer ones are shortened. RFC 5424 §6.1 asks for at least 2048. */
export const MAX_MESSAGE = 8192

const utf8 = new TextDecoder('utf-8')
const little = new TextDecoder('utf-16le')
const big = new TextDecoder('utf-16be')
const CONTROLS = /\p{Cc}/gu
/** Octets that are looked at to tell UTF-16 from UTF-8. */
const SAMPLE = 32

/**
 * The text of a message: UTF-8, or UTF-16 as some Windows senders use. Octets that are neither become U+FFFD, control
 * characters become spaces.
 */
export function decodeMessage(octets: Uint8Array): string {
  const cut = octets.length > MAX_MESSAGE ? octets.subarray(0, MAX_MESSAGE) : octets
  return decoderOf(cut).decode(cut).replace(CONTROLS, ' ').trimEnd()
}

function decoderOf(octets: Uint8Array) {
  if (octets.length < 4) return utf8
  const [first, second] = octets
  if (first === 0xff && second === 0xfe) return little
  if (first === 0xfe && second === 0xff) return big
  // ASCII as UTF-16 has a NUL for every other octet
  const end = Math.min(octets.length, SAMPLE) & ~1
  const nuls = [0, 0]
  for (let at = 0; at < end; at++) if (octets[at] === 0) nuls[at & 1] = (nuls[at & 1] ?? 0) + 1
  if (nuls[1] === end / 2 && nuls[0] === 0) return little
  return nuls[0] === end / 2 && nuls[1] === 0 ? big : utf8
}
