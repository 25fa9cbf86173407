/** A component of the program. */
export interface Part {
  readonly name: string
  /** Null if its builder does not give one. */
  readonly version: string | null
  /** SPDX expression, or free text if there is no identifier. */
  readonly licence: string
  /**
   * Texts that came with it, or that this repository has for it; empty if the standard texts of its identifiers are
   * used.
   */
  readonly texts: readonly string[]
  /** Package URL; null if it is not in a registry. */
  readonly purl: string | null
  /** Integrity as in the lock file, `sha512-BASE64`; null if there is none. */
  readonly integrity: string | null
  readonly kind: 'application' | 'data' | 'library'
  /** Components built into it. */
  readonly parts: readonly Part[]
}

/** A part with the usual fields; the others are optional. */
export function part(
  name: string,
  version: string | null,
  licence: string,
  more: Partial<Omit<Part, 'name' | 'version' | 'licence'>> = {},
): Part {
  return { name, version, licence, texts: [], purl: null, integrity: null, kind: 'library', parts: [], ...more }
}
