/** Polls triggered by traps. */
export interface PollSoon {
  ask(deviceIds: readonly number[]): void
  stop(): void
}

/** Devices whose last poll is remembered. */
const MAX_DEVICES = 50_000

/**
 * Polls a device at once, but at most once per `everyMs` (0: never). Further requests within that time result in one
 * poll at its end, so that the state after the last change is read.
 */
export function pollSoon(poll: (deviceId: number) => Promise<unknown>, everyMs: () => number): PollSoon {
  const polledAt = new Map<number, number>()
  const waiting = new Map<number, ReturnType<typeof setTimeout>>()

  function now(deviceId: number): void {
    waiting.delete(deviceId)
    polledAt.delete(deviceId)
    polledAt.set(deviceId, performance.now())
    if (polledAt.size > MAX_DEVICES) {
      const [oldest] = polledAt.keys()
      if (oldest !== undefined) polledAt.delete(oldest)
    }
    // the poll itself reports its failure
    poll(deviceId).catch(() => undefined)
  }

  return {
    ask(deviceIds) {
      const every = everyMs()
      if (every <= 0) return
      for (const id of deviceIds) {
        if (waiting.has(id)) continue
        const last = polledAt.get(id)
        const rest = last === undefined ? 0 : last + every - performance.now()
        if (rest <= 0) now(id)
        else if (waiting.size < MAX_DEVICES) waiting.set(id, setTimeout(now, rest, id))
      }
    },
    stop() {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
