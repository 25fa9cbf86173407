import type { Rng } from '../random/rng.ts'

/** How bytes are corrupted, as by a broken disk, an interrupted copy or an editor. */
export interface Garbling {
  /** Number of bytes at the start, such as a header, that are hit in half of the cases. */
  readonly head: number
  /** Pieces of text that replace others, to upset parsers of text. */
  readonly text: readonly string[]
}

/** The bytes truncated, or with some of them changed, missing, doubled or replaced. Never equal to the input. */
export function garbled(octets: Uint8Array, random: Rng, { head, text }: Garbling): Uint8Array {
  const out = change(octets, random, head, text)
  return Buffer.compare(out, octets) === 0 ? octets.subarray(0, octets.length - 1) : out
}

function change(octets: Uint8Array, random: Rng, head: number, text: readonly string[]): Uint8Array {
  const place = (): number => random.below(random.chance(0.5) ? Math.min(head, octets.length) : octets.length)
  if (random.chance(0.25)) return octets.slice(0, random.chance(0.5) ? place() : random.below(octets.length))
  let out = octets.slice()
  const hits = 1 + random.below(6)
  for (let i = 0; i < hits; i++) {
    const at = Math.min(place(), out.length)
    const length = 1 + random.below(16)
    const piece = random.below(5)
    if (piece === 0 || (piece === 4 && text.length === 0)) out[at] = random.below(256)
    else if (piece === 1) out.fill(random.pick([0, 0xff, 0x7f, 0x20]), at, Math.min(at + length, out.length))
    else if (piece === 2) out = joined(out.subarray(0, at), out.subarray(at + length))
    else if (piece === 3) out = joined(out.subarray(0, at + length), out.subarray(at))
    else {
      const put = new TextEncoder().encode(random.pick(text))
      out = joined(out.subarray(0, at), put, out.subarray(at + random.below(2) * put.length))
    }
  }
  return out
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}
