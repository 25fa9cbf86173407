import type { Rng } from '../random/rng.ts'

/** Octets that a broken disk, an interrupted copy or an editor leave: `text` adds what upsets parsers of text. */
export interface Garbling {
  /** Octets from the begin that are hit in half of the cases, such as those of a header. */
  readonly head: number
  /** Pieces of text that replace others. */
  readonly text: readonly string[]
}

/** The octets cut off somewhere, or with some of them changed, missing, doubled or replaced. Never the same octets. */
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
