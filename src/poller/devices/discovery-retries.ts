import type { ModuleCost } from '../protocol.ts'

/** Repeats discoveries that were not complete, because the next regular one may be hours away. */
export interface Repeats {
  /**
   * A discovery of the device has ended. `late`: its deadline passed, so it continues in a minute with the modules that it
   * did not finish. Otherwise tables truncated by lost responses are read again after `discovery.repeat` seconds, and each
   * further time after five times as long, until the next regular discovery comes first.
   */
  ended(deviceId: number, modules: readonly Ended[], late: boolean): void
  /** The device has truncated tables of a discovery made by another process, or by this one before its restart. */
  resumed(deviceId: number): void
  /** Modules that the last discovery of the device had no time for. */
  unfinished(deviceId: number): readonly string[]
  delete(deviceId: number): void
}

type Ended = Pick<ModuleCost, 'name' | 'complete' | 'limited'>

export interface RepeatsOptions {
  /** Starts a discovery of the device after this many milliseconds. */
  readonly again: (deviceId: number, afterMs: number) => void
  /** Seconds until the first repetition, 0: none; and between regular discoveries. */
  readonly times: () => { readonly firstS: number; readonly regularS: number }
}

/** Time until a discovery continues whose deadline passed, ms. */
const CONTINUE_MS = 60_000
/** Each repetition waits this many times as long as the one before. */
const GROWTH = 5

export function createRepeats({ again, times }: RepeatsOptions): Repeats {
  const unfinished = new Map<number, readonly string[]>()
  /** Truncated discoveries in a row. */
  const truncated = new Map<number, number>()

  function repeat(deviceId: number): void {
    const before = truncated.get(deviceId) ?? 0
    truncated.set(deviceId, before + 1)
    const { firstS, regularS } = times()
    const waitS = firstS * GROWTH ** before
    if (waitS > 0 && waitS < regularS) again(deviceId, waitS * 1000)
  }

  return {
    ended(deviceId, modules, late) {
      const left = late ? modules.filter(({ complete }) => !complete).map(({ name }) => name) : []
      if (left.length === 0) unfinished.delete(deviceId)
      else unfinished.set(deviceId, left)
      if (late) {
        if (left.length > 0) again(deviceId, CONTINUE_MS)
        return
      }
      // a table with more rows than the limit is truncated every time
      const isDone = modules.every(({ complete, limited }) => complete || limited.length > 0)
      if (isDone) truncated.delete(deviceId)
      else repeat(deviceId)
    },
    resumed: repeat,
    unfinished: (deviceId) => unfinished.get(deviceId) ?? [],
    delete(deviceId) {
      unfinished.delete(deviceId)
      truncated.delete(deviceId)
    },
  }
}
