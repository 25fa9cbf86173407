import { TokenBucket } from './token-bucket.ts'

/** Lets datagrams leave at the rate of their job. */
export interface Pace {
  /** Resolves when one datagram may leave, in order of the calls; false: the job has ended. */
  turn(): Promise<boolean>
  end(): void
}

/** The paces of several jobs. Together they never exceed the highest rate among them. */
export interface Pacer {
  add(rate: number): Pace
}

/** Milliseconds between looks at the buckets. */
const TICK_MS = 4

interface Lane extends Pace {
  readonly rate: number
  readonly bucket: TokenBucket
  readonly waiting: ((go: boolean) => void)[]
  head: number
}

export function createPacer(): Pacer {
  const lanes = new Set<Lane>()
  let total = new TokenBucket(1, performance.now())
  let totalRate = 1
  let timer: ReturnType<typeof setInterval> | null = null

  function setTotal(): void {
    const rate = Math.max(1, ...[...lanes].map((lane) => lane.rate))
    if (rate === totalRate) return
    totalRate = rate
    total = new TokenBucket(rate, performance.now())
  }

  function tick(): void {
    const now = performance.now()
    let waiting = false
    for (let progress = true; progress; ) {
      progress = false
      waiting = false
      for (const lane of lanes) {
        if (lane.head >= lane.waiting.length) continue
        if (lane.bucket.has(now) && total.take(now)) {
          lane.bucket.take(now)
          const go = lane.waiting[lane.head++]
          if (lane.head > 512) {
            lane.waiting.splice(0, lane.head)
            lane.head = 0
          }
          go?.(true)
          progress = true
        }
        if (lane.head < lane.waiting.length) waiting = true
      }
    }
    if (!waiting && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }

  return {
    add(rate) {
      const lane: Lane = {
        rate,
        bucket: new TokenBucket(rate, performance.now()),
        waiting: [],
        head: 0,
        turn: () =>
          new Promise((resolve) => {
            if (!lanes.has(lane)) return resolve(false)
            lane.waiting.push(resolve)
            timer ??= setInterval(tick, TICK_MS)
          }),
        end() {
          lanes.delete(lane)
          setTotal()
          for (const go of lane.waiting.splice(0).slice(lane.head)) go(false)
          lane.head = 0
        },
      }
      lanes.add(lane)
      setTotal()
      return lane
    },
  }
}
