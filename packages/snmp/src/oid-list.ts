/**
 * OIDs as consecutive BER contents octets, because a device has hundreds of numeric objects and an array for each would
 * take ten times the memory. Plain data that can be sent to another thread.
 */
export interface OidList {
  readonly octets: Uint8Array
  /** End of each OID in `octets`; it starts where the one before it ends. */
  readonly ends: Uint32Array
}

/** The list of these OIDs, given as contents octets. */
export function packOids(oids: readonly Uint8Array[]): OidList {
  const ends = new Uint32Array(oids.length)
  let size = 0
  for (const [i, oid] of oids.entries()) {
    size += oid.length
    ends[i] = size
  }
  const octets = new Uint8Array(size)
  for (const [i, oid] of oids.entries()) octets.set(oid, (ends[i] as number) - oid.length)
  return { octets, ends }
}

/** Start of OID `i` in `octets`. */
export function startOf({ ends }: OidList, i: number): number {
  return i === 0 ? 0 : (ends[i - 1] as number)
}
