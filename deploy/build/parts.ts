/** Something inside the program. */
export interface Part {
  readonly name: string
  /** Null when its builder does not say. */
  readonly version: string | null
  /** SPDX expression, or words when there is no identifier for it. */
  readonly licence: string
  /** Texts that came with it, or that this repository has for it; empty when the texts of its identifiers are used. */
  readonly texts: readonly string[]
  /** Package URL; null when it is in no registry. */
  readonly purl: string | null
  /** Integrity as in the lock, `sha512-BASE64`; null when there is none. */
  readonly integrity: string | null
  readonly kind: 'application' | 'data' | 'library'
  /** What it was built into. */
  readonly parts: readonly Part[]
}

/** A part with only what is usually known. */
export function part(
  name: string,
  version: string | null,
  licence: string,
  more: Partial<Omit<Part, 'name' | 'version' | 'licence'>> = {},
): Part {
  return { name, version, licence, texts: [], purl: null, integrity: null, kind: 'library', parts: [], ...more }
}
