import { parseIpv6 } from '@portlight/addresses/ip.ts'

/** Maximum number of clients remembered. Further clients share one bucket until some are dropped. */
const REMEMBERED = 10_000
const MINUTE_MS = 60_000
/** Minimum time between searches for empty buckets while there are too many. */
const SWEEP_MS = 1000
const SHARED = ''

interface Bucket {
  /** Wrong guesses still counted. */
  level: number
  atMs: number
}

export interface SignInThrottle {
  /** Counts a guess before checking it; false: the bucket is full, and its level does not rise. */
  take(key: string): boolean
  /** Whether no wrong guess of this client is still counted. */
  isClean(key: string): boolean
  /** Takes back a guess that was right, so that it does not count. */
  giveBack(key: string): void
  /** Seconds until the next guess is allowed, at least 1. */
  waitS(key: string): number
}

/** Shares counts between processes of one database. If messages are lost, limits hold for each process by itself. */
export interface ThrottleExchange {
  /**
   * `heard` is called with what other processes announce under this name; the returned function announces to them. `n`:
   * number of guesses, negative if taken back.
   */
  open(name: string, heard: (key: string, n: number) => void): (key: string, n: number) => void
}

/** For a process that shares the database with no other. */
export const ALONE: ThrottleExchange = { open: () => () => undefined }

/**
 * Limits wrong guesses per client with a leaky bucket of size `perMinute` that drains at `perMinute` per minute. A full
 * bucket accepts the next guess after 60 / `perMinute` seconds, no matter how many were refused in between. `perMinute`
 * 0: no limit. `now`: ms by a clock that nobody sets, because a bucket would fill by itself when it is set back. `tell`
 * connects it to the same limit in other processes.
 */
export function createSignInThrottle(
  perMinute: () => number,
  now: () => number,
  tell: (heard: (key: string, n: number) => void) => (key: string, n: number) => void = () => () => undefined,
): SignInThrottle {
  const buckets = new Map<string, Bucket>()
  const others = tell((key, n) => {
    if (perMinute() === 0) return
    const bucket = bucketOf(key, now())
    bucket.level = Math.min(perMinute(), Math.max(0, bucket.level + n))
  })
  let sweptMs = Number.NEGATIVE_INFINITY

  function leaked(bucket: Bucket, nowMs: number): Bucket {
    bucket.level = Math.max(0, bucket.level - (Math.max(0, nowMs - bucket.atMs) * perMinute()) / MINUTE_MS)
    bucket.atMs = nowMs
    return bucket
  }

  function sweep(nowMs: number): void {
    if (nowMs - sweptMs < SWEEP_MS) return
    sweptMs = nowMs
    for (const [key, bucket] of buckets) if (leaked(bucket, nowMs).level === 0) buckets.delete(key)
  }

  function bucketOf(key: string, nowMs: number): Bucket {
    let bucket = buckets.get(key)
    if (!bucket && buckets.size >= REMEMBERED) {
      sweep(nowMs)
      if (buckets.size >= REMEMBERED) bucket = buckets.get(SHARED)
    }
    if (!bucket) {
      bucket = { level: 0, atMs: nowMs }
      buckets.set(buckets.size >= REMEMBERED ? SHARED : key, bucket)
    }
    return leaked(bucket, nowMs)
  }

  return {
    take(key) {
      if (perMinute() === 0) return true
      const bucket = bucketOf(key, now())
      if (bucket.level + 1 > perMinute()) return false
      bucket.level++
      others(key, 1)
      return true
    },
    isClean: (key) => perMinute() === 0 || bucketOf(key, now()).level === 0,
    giveBack(key) {
      if (perMinute() === 0) return
      const bucket = bucketOf(key, now())
      bucket.level = Math.max(0, bucket.level - 1)
      others(key, -1)
    },
    waitS(key) {
      if (perMinute() === 0) return 1
      const over = bucketOf(key, now()).level + 1 - perMinute()
      return Math.max(1, Math.ceil((over * 60) / perMinute()))
    },
  }
}

/**
 * The key under which an address's guesses count: the IPv4 address, or the IPv6 /64, which usually is one subscriber.
 */
export function clientKey(address: string): string {
  const octets = parseIpv6(address.replace(/%.*/, ''))
  return octets === null ? address.slice(0, 64) || 'unknown' : `${octets.slice(0, 8).toHex()}/64`
}

/** Delay of the response to a wrong guess. */
const HELD_MS = 1000
/** Maximum delayed responses per client and in total. */
const HELD_EACH = 10
const HELD = 500

/**
 * Delays responses. `hold` resolves to true after `ms`, or to false at once when `each` are delayed for this key or too
 * many in total.
 */
export function createHold(ms: number = HELD_MS, each: number = HELD_EACH) {
  const held = new Map<string, number>()
  let total = 0
  return {
    async hold(key: string): Promise<boolean> {
      const own = held.get(key) ?? 0
      if (own >= each || total >= HELD) return false
      held.set(key, own + 1)
      total++
      await Bun.sleep(ms)
      total--
      const left = (held.get(key) ?? 1) - 1
      if (left === 0) held.delete(key)
      else held.set(key, left)
      return true
    },
  }
}
