import { BeyondBudget } from '../core/base/graphs.ts'

/** Work that takes longer than this leaves time for other work, ms. Usual graphs take less. */
const SLICE_MS = 15
/** Longest CPU time that one graph may take, ms: neither other work nor other programs count. The largest take a tenth of it. */
const BUDGET_MS = 5000

/** Does work in steps, with time for other work in between. Throws DomainError beyond the budget. */
export type Fairly = <T>(steps: Generator<void, T>) => Promise<T>

/** One budget for all the work of a graph. */
export function createBudget(limitMs = BUDGET_MS): Fairly {
  let spentMs = 0
  return async (steps) => {
    let beganMs = performance.now()
    let usedMs = threadMs()
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done !== true && performance.now() - beganMs < SLICE_MS) continue
      spentMs += threadMs() - usedMs
      if (spentMs > limitMs) throw new BeyondBudget(`this graph takes longer than ${limitMs / 1000} s to draw`)
      if (step.done === true) return step.value
      await turn()
      beganMs = performance.now()
      usedMs = threadMs()
    }
  }
}

/** CPU time of this thread, ms. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Does all steps at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

/** Resolves when other work has had its turn. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
