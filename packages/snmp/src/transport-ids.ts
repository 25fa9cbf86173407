/**
 * Source of unpredictable request ids of 31 random bits (RFC 3416 §4 has an INTEGER, but some agents reject negative
 * ones). A reply forged without seeing the request has a chance of one in 2^31 for each pending request.
 */
export function createIdSource(): () => number {
  const pool = new Uint32Array(1024)
  let at = pool.length
  return () => {
    if (at === pool.length) {
      crypto.getRandomValues(pool)
      at = 0
    }
    return (pool[at++] ?? 0) >>> 1
  }
}

/**
 * The last few thousand settled ids, to tell a duplicate or late reply from a forged one. Approximate, because ids
 * overwrite each other.
 */
export class RecentIds {
  private readonly ids = new Int32Array(8192).fill(-1)
  private readonly answered = new Uint8Array(8192)

  add(id: number, answered: boolean): void {
    const at = id & 8191
    this.ids[at] = id
    this.answered[at] = answered ? 1 : 0
  }

  find(id: number): 'answered' | 'given-up' | null {
    const at = id & 8191
    if (this.ids[at] !== id) return null
    return this.answered[at] === 1 ? 'answered' : 'given-up'
  }
}

/** True when two addresses are the same in any IPv6 notation; a zone is ignored. */
export function sameAddress(a: string, b: string): boolean {
  return a === b || (a.includes(':') && b.includes(':') && canonical(a) === canonical(b))
}

function canonical(address: string): string {
  const bare = address.split('%')[0] ?? address
  return URL.parse(`http://[${bare}]/`)?.hostname ?? bare
}
