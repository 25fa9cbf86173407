/**
 * Source of unpredictable request ids: 31 random bits each (RFC 3416 §4: an INTEGER; some agents reject negative ones). A
 * reply forged without seeing the request has one chance in 2^31 for each pending request.
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

/** The last few thousand settled ids, to distinguish a duplicate or late reply from a forged one. Approximate: ids overwrite each other. */
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

/** True when two textual addresses are equal: IPv6 has many notations; a zone is ignored. */
export function sameAddress(a: string, b: string): boolean {
  return a === b || (a.includes(':') && b.includes(':') && canonical(a) === canonical(b))
}

function canonical(address: string): string {
  const bare = address.split('%')[0] ?? address
  return URL.parse(`http://[${bare}]/`)?.hostname ?? bare
}
