import type { ThrottleExchange } from '../../core/access/sign-in/throttle.ts'
import type { Store } from '../../core/database/client.ts'
import { listen, notify } from '../../core/database/listen.ts'
import type { Log } from '../../observe/log.ts'

/** Tells the other processes about wrong tokens, passwords and codes at this one. Payloads are JSON. */
const CHANNEL = 'portlight_guesses'
/** Delay before wrong guesses are announced, ms: a correct one within that time cancels the announcement. */
const GATHER_MS = 500
/** Longest message, bytes: a NOTIFY payload must be shorter than 8,000. */
const MAX_OCTETS = 7000
/** Most keys waiting to be announced; further ones are dropped. */
const MAX_WAITING = 5000

type Attempt = readonly [name: string, key: string, n: number]

/** Shares the limits of wrong guesses among the processes of a database. */
export function shareThrottle(
  store: Store,
  shared: () => boolean,
  log: Log,
): ThrottleExchange & { stop(): Promise<void> } {
  const self = crypto.randomUUID()
  const limits = new Map<string, (key: string, n: number) => void>()
  let waiting = new Map<string, Attempt>()
  let timer: ReturnType<typeof setTimeout> | null = null

  function send(): void {
    timer = null
    const guesses = [...waiting.values()].filter(([, , n]) => n !== 0)
    waiting = new Map()
    let part: Attempt[] = []
    let octets = 0
    const flush = (): void => {
      if (part.length === 0) return
      notify(store, CHANNEL, JSON.stringify({ from: self, guesses: part })).catch((error: unknown) =>
        log.debug({ err: error }, 'could not announce wrong guesses to other processes'),
      )
      part = []
      octets = 0
    }
    for (const guess of guesses) {
      octets += Buffer.byteLength(JSON.stringify(guess)) + 1
      if (octets > MAX_OCTETS - 100) flush()
      part.push(guess)
    }
    flush()
  }

  const listening = listen(
    store,
    CHANNEL,
    (payload) => {
      for (const [name, key, n] of parse(payload, self)) limits.get(name)?.(key, n)
    },
    () => undefined,
    log,
  )

  return {
    open(name, heard) {
      limits.set(name, heard)
      return (key, n) => {
        const id = `${name}\n${key}`
        const known = waiting.get(id)
        if (!shared() || (known === undefined && waiting.size >= MAX_WAITING)) return
        waiting.set(id, [name, key, (known?.[2] ?? 0) + n])
        timer ??= setTimeout(send, GATHER_MS)
      }
    },
    async stop() {
      if (timer !== null) clearTimeout(timer)
      await listening.stop()
    },
  }
}

/** The guesses in a message; empty if this process sent it, or if it is malformed. */
function parse(text: string, self: string): Attempt[] {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('from' in value) || !('guesses' in value)) return []
    if (value.from === self || !Array.isArray(value.guesses)) return []
    return value.guesses.filter(isAttempt)
  } catch {
    return []
  }
}

function isAttempt(value: unknown): value is Attempt {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [name, key, n] = value
  return typeof name === 'string' && typeof key === 'string' && typeof n === 'number'
}
