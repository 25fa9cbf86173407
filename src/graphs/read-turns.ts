import { createSlots } from '@portlight/limit/limit.ts'
import { BeyondBudget } from '../core/base/graphs.ts'

/** Graphs whose rows are read at the same time. Others wait, so that they do not fill the memory and the database. */
export const READ_AT_ONCE = 8
/** Less than a request waits for its answer: what waits longer is not read, and does not count as a hanging request. */
const MAX_WAIT_MS = 15_000

/** Reads the rows of graphs in turn. Rejects with BeyondBudget when the turn does not come in time. */
export function createTurns(maxWaitMs = MAX_WAIT_MS) {
  const slots = createSlots(() => READ_AT_ONCE)
  return async <T>(read: () => Promise<T>): Promise<T> => {
    const { promise: turn, resolve, reject } = Promise.withResolvers<void>()
    const leave = slots.enter(resolve)
    const why = `this graph waited for others for more than ${maxWaitMs / 1000} s`
    const timer = setTimeout(() => reject(new BeyondBudget(why)), maxWaitMs)
    try {
      await turn
      clearTimeout(timer)
      return await read()
    } finally {
      leave()
    }
  }
}
